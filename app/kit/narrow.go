package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// NewNarrow keeps an object from becoming wider than so many pixels, at the left of its place: lines and fields that go across
// a very wide window are hard to read.
func NewNarrow(width float32, object fyne.CanvasObject) *fyne.Container {
	return container.New(narrowLayout{width}, object)
}

type narrowLayout struct{ width float32 }

func (n narrowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

func (n narrowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(min(n.width, size.Width), size.Height))
}
