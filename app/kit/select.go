package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// Select is a choice from a menu that tells when the keyboard comes and goes.
type Select struct {
	widget.Select
	keyboard
}

// NewSelect returns a choice of which nothing is chosen.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged, s.PlaceHolder = options, changed, lang.L("Choose…")
	s.ExtendBaseWidget(s)
	return s
}

// FocusGained is for Fyne.
func (s *Select) FocusGained() {
	s.Select.FocusGained()
	s.take(s, true)
}

// FocusLost is for Fyne.
func (s *Select) FocusLost() {
	s.Select.FocusLost()
	s.take(s, false)
}

// CreateRenderer is for Fyne.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return newRingedRenderer(s.Select.CreateRenderer(), s, s.ring)
}

// TypedKey opens the menu with Enter too, as it does with the space bar.
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
