package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewMarked returns a sentence with the icon of a state before it. [theme.StateWorking] is for something that is in
// progress. Its icon does not move: the wait may be long, and a moving bar takes half of a processor core if there is
// no graphics card.
func NewMarked(state theme.State, text string) fyne.CanvasObject {
	return Marked(state, NewParagraph(text, TextStyle{}))
}

// Sign places the icon of a state at the left of an object, in line with the first line of its text. For
// [theme.StateIdle], it uses the icon for information, because the icon of this state means that a server is not
// started.
func Sign(state theme.State, object fyne.CanvasObject) fyne.CanvasObject {
	picture := state.Icon()
	if state == theme.StateIdle {
		picture = base.NewColoredResource(base.InfoIcon(), theme.ColorMuted)
	}
	return MarkedBy(widget.NewIcon(picture), object)
}
