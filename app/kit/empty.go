package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// NewEmpty returns an object for a place that is empty: a picture, a title, a text that says why the place is empty,
// and perhaps buttons. The object is centred and at most width pixels wide. picture may be nil, and an empty text
// takes no room.
func NewEmpty(width float32, picture fyne.Resource, title, text string, more ...fyne.CanvasObject) fyne.CanvasObject {
	parts := Column(GapWide)
	size := theme.SizeHeading
	if picture != nil {
		parts.Add(container.NewCenter(Sized(44, 44, widget.NewIcon(picture))))
		size = theme.SizeTitle
	}
	parts.Add(NewText(title, TextStyle{Size: size, Bold: true, Align: fyne.TextAlignCenter, Shrinks: true}))
	if text != "" {
		parts.Add(NewParagraph(text, TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}))
	}
	for _, object := range more {
		if button, ok := object.(*Button); ok {
			object = container.NewCenter(button)
		}
		parts.Add(object)
	}
	return NewMiddle(width, parts)
}
