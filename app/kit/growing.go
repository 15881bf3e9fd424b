package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Grow gives lines as much height as they need at their width, for places of any height, such as a Page. Without text they need
// none.
func Grow(lines *Lines) fyne.CanvasObject { return container.New(&growLayout{}, lines) }

type growLayout struct{ width float32 }

func (g *growLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	lines := objects[0].(*Lines)
	if lines.Text() == "" {
		return fyne.Size{}
	}
	width := g.width
	if width == 0 {
		width = 1 << 16
	}
	return fyne.NewSize(0, lines.Height(width))
}

func (g *growLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	g.width = size.Width
	objects[0].Resize(size)
}
