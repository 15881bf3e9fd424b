package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// The spaces of the window, in pixels. Screens use these names instead of numbers.
const (
	GapHair  = 2  // between a title and the line below it
	GapTight = 4  // between parts of one object, such as a label and its field
	Gap      = 8  // between objects of one kind, such as buttons
	GapWide  = 12 // between groups of objects
	GapBlock = 16 // between the parts of a page, and at the sides of a card
	GapEdge  = 24 // at the edges of a screen
)

// The largest widths, in pixels. Text and fields that are much wider are hard to read.
const (
	WidthPage = 960 // of the content of a screen
	WidthNote = 460 // of a few lines in the middle of an empty place
)

// Inset adds space around an object: vertical above and below it, horizontal at its sides.
func Inset(object fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return InsetSides(object, vertical, vertical, horizontal, horizontal)
}

// InsetSides is like [Inset], with a separate space for each side.
func InsetSides(object fyne.CanvasObject, top, bottom, left, right float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, right), object)
}

// Flush removes the space that Fyne leaves beside the text of a button without a background. left and right say at
// which sides. The text is then in line with what is above and below the button.
func Flush(object fyne.CanvasObject, left, right bool) *fyne.Container {
	outdent := func(wanted bool) float32 {
		if wanted {
			return -Gap
		}
		return 0
	}
	return InsetSides(object, 0, 0, outdent(left), outdent(right))
}

// NewGap returns empty space.
func NewGap(width, height float32) fyne.CanvasObject {
	gap := canvas.NewRectangle(color.Transparent)
	gap.SetMinSize(fyne.NewSize(width, height))
	return gap
}
