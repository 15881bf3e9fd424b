package add

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// small is the style of what explains something.
func small() kit.TextStyle { return kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }

// sign is an icon of a state beside a text that may have several lines: at the height of the first. What only informs has
// another icon than a server that is not started.
func sign(state theme.State, text fyne.CanvasObject) fyne.CanvasObject {
	picture := state.Icon()
	if state == theme.StateIdle {
		picture = base.NewColoredResource(base.InfoIcon(), theme.ColorMuted)
	}
	return kit.MarkedBy(widget.NewIcon(picture), text)
}
