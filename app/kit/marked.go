package kit

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewMarked is a sentence of any length with the shape of a state before it. With [theme.StateWorking] it is how the window says
// that something is under way: nothing on it moves. What is waited for may take as long as a user likes, and a bar that runs all
// that time costs half of a core where there is no graphics card.
func NewMarked(state theme.State, text string) fyne.CanvasObject {
	return Marked(state, NewParagraph(text, TextStyle{}))
}

// Sign is an icon of a state beside something that may have several lines: at the height of the first. What only informs, with
// [theme.StateIdle], has another icon than a server that is not started.
func Sign(state theme.State, object fyne.CanvasObject) fyne.CanvasObject {
	picture := state.Icon()
	if state == theme.StateIdle {
		picture = base.NewColoredResource(base.InfoIcon(), theme.ColorMuted)
	}
	return MarkedBy(widget.NewIcon(picture), object)
}
