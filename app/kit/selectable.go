package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Selectable is a text that can be selected, with a ring around it while the keyboard is there: Fyne does not show that.
type Selectable struct{ widget.Label }

// NewSelectable returns a text, which wraps.
func NewSelectable(text string) *Selectable {
	s := &Selectable{}
	s.Text, s.Selectable, s.Wrapping = Block(text), true, fyne.TextWrapBreak
	s.ExtendBaseWidget(s)
	return s
}

// SetText changes the text.
func (s *Selectable) SetText(text string) { s.Label.SetText(Block(text)) }

// CreateRenderer is for Fyne.
func (s *Selectable) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	inner := s.Label.CreateRenderer()
	var part fyne.Focusable // has the focus instead of the label
	for _, object := range inner.Objects() {
		if focusable, ok := object.(fyne.Focusable); ok {
			part = focusable
		}
	}
	// Nobody is told when the part gets the focus. But the window is drawn anew then, so that it is enough to look.
	return newRingedRenderer(inner, s, func() fyne.ThemeColorName {
		canvas := fyne.CurrentApp().Driver().CanvasForObject(s)
		if canvas != nil && part != nil && canvas.Focused() == part {
			return theme.ColorAccent
		}
		return ""
	})
}
