package activity

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// Sizes of the two parts of the screen, in pixels.
const (
	detailWidth  = 364
	sideBySide   = 860 // from this width on the details are next to the table; below it they replace the table
	tableAtLeast = 320
)

// besideLayout puts two objects next to each other. If there is no room for both, only the second is shown.
type besideLayout struct{}

func (besideLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(tableAtLeast, 160)
}

func (besideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	main, side := objects[0], objects[1]
	main.Move(fyne.NewPos(0, 0))
	if !side.Visible() {
		main.Show()
		main.Resize(size)
		return
	}
	width := size.Width
	if size.Width >= sideBySide {
		width = detailWidth
	}
	kit.SetVisible(main, width < size.Width)
	left := size.Width - width
	main.Resize(fyne.NewSize(max(0, left-kit.GapWide), size.Height))
	side.Move(fyne.NewPos(left, 0))
	side.Resize(fyne.NewSize(width, size.Height))
}

// screenLayout lays out the whole screen as a column. Details that replace the table also replace the engines.
type screenLayout struct {
	column          fyne.Layout
	engines, detail fyne.CanvasObject
}

func (l screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return l.column.MinSize(objects)
}

func (l screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.SetVisible(l.engines, !l.detail.Visible() || size.Width-2*kit.GapEdge >= sideBySide)
	l.column.Layout(objects, size)
}
