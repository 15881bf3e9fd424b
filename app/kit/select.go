package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// Select is a choice from a menu that reports when it gets or loses the focus.
type Select struct {
	widget.Select
	keyboard
}

// NewSelect returns a menu in which nothing is chosen.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged, s.PlaceHolder = options, changed, lang.L("Choose…")
	s.ExtendBaseWidget(s)
	return s
}

// FocusGained implements [fyne.Focusable].
func (s *Select) FocusGained() {
	s.Select.FocusGained()
	s.take(s, true)
}

// FocusLost implements [fyne.Focusable].
func (s *Select) FocusLost() {
	s.Select.FocusLost()
	s.take(s, false)
}

// CreateRenderer implements [fyne.Widget].
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return newRingedRenderer(s.Select.CreateRenderer(), s, s.ring)
}

// TypedKey opens the menu on Enter, too.
func (s *Select) TypedKey(event *fyne.KeyEvent) {
	if s.pass(s, event) {
		return
	}
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	case fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyHome, fyne.KeyEnd:
		PassKey(s, event)
	default:
		s.Select.TypedKey(event)
	}
}
