package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// NewFlow lays objects out beside each other, and goes on below where there is no room. Like text that wraps it knows its
// height only once it has its width.
func NewFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flowLayout{gap: gap, lead: gap}, objects...)
}

// flowLayout has a gap between objects, and lead between lines of them.
type flowLayout struct{ gap, lead, width float32 }

func (f *flowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	widest := float32(0)
	for _, object := range objects {
		if object.Visible() {
			widest = max(widest, object.MinSize().Width)
		}
	}
	width := f.width
	if width == 0 {
		width = 1 << 20
	}
	return fyne.NewSize(widest, f.place(objects, width, false))
}

func (f *flowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.place(objects, size.Width, true)
}

// place gives the height at a width, and moves the objects there when asked to.
func (f *flowLayout) place(objects []fyne.CanvasObject, width float32, move bool) float32 {
	x, y, line := float32(0), float32(0), float32(0)
	for _, object := range objects {
		if !object.Visible() {
			continue
		}
		size := object.MinSize()
		if x > 0 && x+size.Width > width+0.5 {
			x, y, line = 0, y+line+f.lead, 0
		}
		if move {
			object.Move(fyne.NewPos(x, y))
			object.Resize(fyne.NewSize(min(size.Width, max(width, 0)), size.Height))
		}
		x += size.Width + f.gap
		line = max(line, size.Height)
	}
	return y + line
}
