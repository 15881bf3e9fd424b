package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// NewPair lays a text that may be shortened and one that may not beside each other: the second follows the first, and when
// there is no room for both the first gives way.
func NewPair(gap float32, first, second *Text) *fyne.Container {
	return container.New(pairLayout{gap}, first, second)
}

type pairLayout struct{ gap float32 }

func (p pairLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	first, second := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(first.Width+p.gap+second.Width, max(first.Height, second.Height))
}

func (p pairLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first, second := objects[0].(*Text), objects[1]
	last := second.MinSize().Width
	width := max(0, min(first.Full().Width, size.Width-p.gap-last))
	first.Resize(fyne.NewSize(width, size.Height))
	second.Move(fyne.NewPos(width+p.gap, 0))
	second.Resize(fyne.NewSize(last, size.Height))
}

// NewParagraph gives text that breaks between words into as many lines as it needs.
func NewParagraph(text string, style TextStyle) fyne.CanvasObject {
	rich := widget.NewRichText(&widget.TextSegment{
		Text: Line(text),
		Style: widget.RichTextStyle{
			ColorName: style.Color,
			SizeName:  style.Size,
			TextStyle: fyne.TextStyle{Bold: style.Bold, Monospace: style.Mono},
			Alignment: style.Align,
		},
	})
	rich.Wrapping = fyne.TextWrapWord
	// Fyne puts space around its text; ours leaves all spacing to the layout.
	return container.New(layout.NewCustomPaddedLayout(-8, -8, -8, -8), rich)
}

// NewMiddle puts an object in the middle of its place, at most width pixels wide and as high as it has to be at that
// width, with a scroll bar when even that is too much.
func NewMiddle(width float32, object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVScroll(container.New(middleLayout{width}, object))
}

// margin is the space that NewMiddle leaves at the sides at least.
const margin = 24

type middleLayout struct{ width float32 }

func (m middleLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().AddWidthHeight(2*margin, 2*margin)
}

func (m middleLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	object := objects[0]
	width := min(m.width, size.Width-2*margin)
	// The height of text that wraps is known only once it has its width.
	object.Resize(fyne.NewSize(width, object.Size().Height))
	height := object.MinSize().Height
	object.Resize(fyne.NewSize(width, height))
	// A little above the middle looks like the middle.
	object.Move(fyne.NewPos((size.Width-width)/2, max(margin, (size.Height-height)*0.42)))
}

// NewHeaded has a head above a body, which takes the rest. In a border of Fyne's the keyboard would come to the body first.
func NewHeaded(head, body fyne.CanvasObject) *fyne.Container {
	border := container.NewBorder(head, nil, nil, nil, body)
	slices.Reverse(border.Objects)
	return border
}

// NewDock puts bottom under main, at its own height and with nothing between them; main gets the rest, and all of it while bottom
// is hidden.
func NewDock(main, bottom fyne.CanvasObject) *fyne.Container {
	return container.New(dockLayout{}, main, bottom)
}

type dockLayout struct{}

func (dockLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	main, bottom := objects[0].MinSize(), fyne.Size{}
	if objects[1].Visible() {
		bottom = objects[1].MinSize()
	}
	return fyne.NewSize(max(main.Width, bottom.Width), main.Height+bottom.Height)
}

func (dockLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	main, bottom := objects[0], objects[1]
	height := float32(0)
	if bottom.Visible() {
		height = bottom.MinSize().Height
	}
	main.Resize(fyne.NewSize(size.Width, size.Height-height))
	bottom.Move(fyne.NewPos(0, size.Height-height))
	bottom.Resize(fyne.NewSize(size.Width, height))
}
