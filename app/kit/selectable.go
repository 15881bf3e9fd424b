package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Selectable is text that wraps and can be selected with the mouse. It is Fyne's label with a ring that shows the
// focus.
type Selectable struct{ widget.Label }

// NewSelectable returns a text. It wraps between words, or anywhere if it is in a fixed-width font. The colour in
// style is not used.
func NewSelectable(text string, style TextStyle) *Selectable {
	s := &Selectable{}
	s.Text, s.Selectable, s.Wrapping = Block(text), true, fyne.TextWrapWord
	if style.Mono {
		s.Wrapping = fyne.TextWrapBreak
	}
	s.SizeName, s.Alignment, s.TextStyle = style.Size, style.Align,
		fyne.TextStyle{Bold: style.Bold, Monospace: style.Mono}
	s.ExtendBaseWidget(s)
	return s
}

// NewBlock returns text with line breaks that wraps and cannot be selected, so that the Tab key passes it. The text is
// shown as it is.
func NewBlock(text string, mono bool) *widget.Label {
	return &widget.Label{Text: text, Wrapping: fyne.TextWrapWord, TextStyle: fyne.TextStyle{Monospace: mono}}
}

// SetText changes the text.
func (s *Selectable) SetText(text string) {
	if text = Block(text); text != s.Text {
		s.Label.SetText(text)
	}
}

// CreateRenderer implements [fyne.Widget].
func (s *Selectable) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	inner := s.Label.CreateRenderer()
	var part fyne.Focusable // the part of the label that gets the focus
	for _, object := range inner.Objects() {
		if focusable, ok := object.(fyne.Focusable); ok {
			part = focusable
		}
	}
	// Fyne does not tell the label when this part gets the focus. But Fyne draws the window again then, so a check here
	// is enough.
	return newRingedRenderer(inner, s, func() fyne.ThemeColorName {
		canvas := fyne.CurrentApp().Driver().CanvasForObject(s)
		if canvas != nil && part != nil && canvas.Focused() == part {
			return theme.ColorAccent
		}
		return ""
	})
}
