package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// The spaces of the window, in pixels. Screens use these and no numbers of their own.
const (
	GapHair  = 2  // between a title and the line below it
	GapTight = 4  // within one thing, such as a label and its field
	Gap      = 8  // between things of one kind, such as buttons
	GapWide  = 12 // between groups of things
	GapBlock = 16 // between the parts of a page, and at the sides of a card
	GapEdge  = 24 // at the edges of a screen
)

// The greatest widths of what is read, in pixels. Lines and fields that go across a very wide window are hard to read.
const (
	WidthPage = 960 // of what a screen shows, where the window is wider
	WidthNote = 460 // of a few lines in the middle of an empty place
)

// Inset puts space around an object: vertical above and below it, horizontal at its sides.
func Inset(object fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return InsetSides(object, vertical, vertical, horizontal, horizontal)
}

// InsetSides puts a space of its own at each side of an object.
func InsetSides(object fyne.CanvasObject, top, bottom, left, right float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, right), object)
}

// Flush takes away the space that Fyne leaves at the left and the right of the text of a button without a ground of its own, so that
// the text is in line with what is above and below it.
func Flush(object fyne.CanvasObject, left, right bool) *fyne.Container {
	outdent := func(wanted bool) float32 {
		if wanted {
			return -Gap
		}
		return 0
	}
	return InsetSides(object, 0, 0, outdent(left), outdent(right))
}

// NewGap gives empty space of a size.
func NewGap(width, height float32) fyne.CanvasObject {
	gap := canvas.NewRectangle(color.Transparent)
	gap.SetMinSize(fyne.NewSize(width, height))
	return gap
}
