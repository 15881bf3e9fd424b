package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Selectable is text that can be selected. It has a ring while it has the focus, which Fyne does not show.
type Selectable struct{ widget.Label }

// NewSelectable returns text that wraps.
func NewSelectable(text string) *Selectable {
	s := &Selectable{}
	s.Text, s.Selectable, s.Wrapping = Block(text), true, fyne.TextWrapBreak
	s.ExtendBaseWidget(s)
	return s
}

// SetText changes the text.
func (s *Selectable) SetText(text string) { s.Label.SetText(Block(text)) }

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
	// Nothing is called when this part gets the focus. But the window is drawn again then, so checking here is enough.
	return newRingedRenderer(inner, s, func() fyne.ThemeColorName {
		canvas := fyne.CurrentApp().Driver().CanvasForObject(s)
		if canvas != nil && part != nil && canvas.Focused() == part {
			return theme.ColorAccent
		}
		return ""
	})
}
