package activity

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// Sizes of the two parts of the screen, in pixels.
const (
	detailWidth  = 364
	sideBySide   = 860 // the least width for details next to the table; in less width the details replace the table
	tableAtLeast = 320
)

// newBeside puts the details, if they are visible, next to the table. If there is no room for both, only the details
// are shown.
func newBeside(table, detail fyne.CanvasObject) *fyne.Container {
	place := func(size fyne.Size) {
		width, left := size.Width, float32(0) // the width of the table, and where the details begin
		switch {
		case !detail.Visible():
		case size.Width < sideBySide:
			width = 0
		default:
			left = size.Width - detailWidth
			width = left - kit.GapWide
		}
		kit.SetVisible(table, width > 0)
		table.Resize(fyne.NewSize(width, size.Height))
		detail.Move(fyne.NewPos(left, 0))
		detail.Resize(fyne.NewSize(size.Width-left, size.Height))
	}
	return kit.Arranged(func() fyne.Size { return fyne.NewSize(tableAtLeast, 160) }, place, table, detail)
}
