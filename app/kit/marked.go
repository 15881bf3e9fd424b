package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewMarked returns a sentence with the icon of a state before it. With [theme.StateWorking] it says that something is in progress. Nothing in it
// moves: the wait may be long, and a moving bar takes half of a core if there is no graphics card.
func NewMarked(state theme.State, text string) fyne.CanvasObject {
	return Marked(state, NewParagraph(text, TextStyle{}))
}

// Sign places the icon of a state at the left of an object, in line with its first line. [theme.StateIdle] gets an icon for information, which
// differs from that of a server that is not started.
func Sign(state theme.State, object fyne.CanvasObject) fyne.CanvasObject {
	picture := state.Icon()
	if state == theme.StateIdle {
		picture = base.NewColoredResource(base.InfoIcon(), theme.ColorMuted)
	}
	return MarkedBy(widget.NewIcon(picture), object)
}
