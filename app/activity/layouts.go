package activity

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// Measures of the two parts of the screen, in pixels.
const (
	detailWidth  = 364
	sideBySide   = 860 // from this width on the details are beside the table, below it in its place
	tableAtLeast = 320
)

// besideLayout puts two objects side by side. Without room for both it shows the second one alone.
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

// screenLayout lays out the whole screen as a column. Details that are shown in place of the table also take the place of the
// engines.
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
