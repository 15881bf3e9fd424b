package theme

import (
	"bytes"
	"testing"

	base "fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
)

// Fyne has a font for emoji, whose pictures must have a format that Fyne draws. assets/pack runs this test with the
// packed font.
func TestEmoji(t *testing.T) {
	resource := base.DefaultEmojiFont()
	if resource == nil {
		t.Fatal("Fyne has no font for emoji")
	}
	t.Logf("%s has %d bytes", resource.Name(), len(resource.Content()))
	face, err := font.ParseTTF(bytes.NewReader(resource.Content()))
	if err != nil {
		t.Fatal(err)
	}
	for _, character := range "🔧🦊😀" {
		glyph, ok := face.NominalGlyph(character)
		if picture, drawn := face.GlyphData(glyph).(font.GlyphSVG); !ok || !drawn || len(picture.Source) == 0 {
			t.Errorf("%c is not drawn", character)
		}
	}
}
