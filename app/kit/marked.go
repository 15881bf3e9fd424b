package kit

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewMarked is a sentence of any length with the shape of a state before it. With [theme.StateWorking] it is how the window says
// that something is under way: nothing on it moves. What is waited for may take as long as a user likes, and a bar that runs all
// that time costs half of a core where there is no graphics card.
func NewMarked(state theme.State, text string) fyne.CanvasObject {
	return Marked(state, NewParagraph(text, TextStyle{}))
}
