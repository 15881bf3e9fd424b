package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Select is a choice from a menu that tells when the keyboard comes and goes.
type Select struct {
	widget.Select
	// OnFocus is called when the keyboard comes or goes; it may be nil.
	OnFocus func(focused bool)
	// OnEscape is called by the Esc key; it may be nil.
	OnEscape func()
}

// NewSelect gives a choice of which nothing is chosen.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// FocusGained is for Fyne.
func (s *Select) FocusGained() {
	s.Select.FocusGained()
	if s.OnFocus != nil {
		s.OnFocus(true)
	}
}

// FocusLost is for Fyne.
func (s *Select) FocusLost() {
	s.Select.FocusLost()
	if s.OnFocus != nil {
		s.OnFocus(false)
	}
}

// TypedKey is for Fyne.
func (s *Select) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape && s.OnEscape != nil {
		s.OnEscape()
		return
	}
	s.Select.TypedKey(event)
}
