//go:build packed_emoji

package theme

import (
	_ "embed"  // packedEmoji
	_ "unsafe" // go:linkname

	"fyne.io/fyne/v2"
)

// packedEmoji is Fyne's font for emoji, which assets/pack has made half as large. The file exists only in the overlay with which packages are built.
//
//go:embed emoji.otf
var packedEmoji []byte

// emojiFont is Fyne's own variable, which Fyne's tag no_emoji leaves empty. Fyne has no function that sets it.
//
//go:linkname emojiFont fyne.io/fyne/v2/theme.emoji
var emojiFont fyne.Resource = &fyne.StaticResource{StaticName: "emoji.otf", StaticContent: packedEmoji}
