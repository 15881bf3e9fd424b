package activity

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// topped puts something above and something below the middle. The Tab key goes through them in that order, other than through a
// border that is made in the usual way.
func topped(top, middle, bottom fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewBorderLayout(top, bottom, nil, nil), top, middle, bottom)
}

// linesAt gives lines the height that they need at a width that is known.
func linesAt(lines *kit.Lines, width float32) fyne.CanvasObject {
	return container.New(fixedSize{fyne.NewSize(width, lines.Height(width))}, lines)
}

// fixedSize gives its one object a size whatever it wants.
type fixedSize struct{ size fyne.Size }

func (f fixedSize) MinSize([]fyne.CanvasObject) fyne.Size { return f.size }
func (f fixedSize) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
}

// fixedWidth gives its one object a width, and all the height that there is.
type fixedWidth struct{ width float32 }

func (f fixedWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(f.width, objects[0].MinSize().Height)
}
func (f fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// fixedHeight gives its one object a height, and the width that it wants at least.
type fixedHeight struct{ height float32 }

func (f fixedHeight) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, f.height)
}
func (f fixedHeight) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// fixedInner lays a flow out at a width that is known, so that it knows its height at once.
type fixedInner struct{ width float32 }

func (f fixedInner) MinSize(objects []fyne.CanvasObject) fyne.Size {
	objects[0].Resize(fyne.NewSize(f.width, objects[0].Size().Height))
	return fyne.NewSize(f.width, objects[0].MinSize().Height)
}
func (f fixedInner) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// Measures of the two parts of the screen, in pixels.
const (
	detailWidth  = 364
	detailGap    = 12
	sideBySide   = 860 // from this width on the details are beside the table, below it in its place
	tableAtLeast = 320
)

// besideLayout puts a first object beside a second one, or only the second one where there is no room for both.
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
	setVisible(main, width < size.Width)
	left := size.Width - width
	main.Resize(fyne.NewSize(max(0, left-detailGap), size.Height))
	side.Move(fyne.NewPos(left, 0))
	side.Resize(fyne.NewSize(width, size.Height))
}

// screenLayout puts the head, the engines and the rest under each other. Where the details take the place of the table, they get
// that of the engines too.
type screenLayout struct{ detail fyne.CanvasObject }

// parts gives the height of the head, and of the engines at a width.
func (l screenLayout) parts(objects []fyne.CanvasObject, width float32) (head, engines float32) {
	head = objects[0].MinSize().Height
	if l.detail.Visible() && width-2*sidePad < sideBySide {
		return head, 0
	}
	return head, objects[1].MinSize().Height
}

// sidePad is the space at the sides of the screen, in pixels.
const sidePad = 24

func (l screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height, width := float32(0), float32(0)
	for _, object := range objects {
		height += object.MinSize().Height
		width = max(width, object.MinSize().Width)
	}
	return fyne.NewSize(width, height)
}

func (l screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, engines := l.parts(objects, size.Width)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(size.Width, head))
	setVisible(objects[1], engines > 0)
	objects[1].Move(fyne.NewPos(0, head))
	objects[1].Resize(fyne.NewSize(size.Width, engines))
	objects[2].Move(fyne.NewPos(0, head+engines))
	objects[2].Resize(fyne.NewSize(size.Width, max(0, size.Height-head-engines)))
}
