package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

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
