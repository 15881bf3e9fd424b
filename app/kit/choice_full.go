package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Full is how wide the choice is when there is room for all of its labels.
func (c *Choice) Full() float32 {
	total := float32(0)
	for i, label := range c.labels {
		total += c.widthOf(i, label)
	}
	return total
}

// NewFullChoice lays a choice out at the width of all of its labels, so that it ends where its place does.
func NewFullChoice(choice *Choice) *fyne.Container { return container.New(fullChoice{}, choice) }

type fullChoice struct{}

func (fullChoice) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].(*Choice).Full(), objects[0].MinSize().Height)
}

func (fullChoice) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }
