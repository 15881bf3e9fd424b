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

	focused bool
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
	s.focused = true
	s.Select.FocusGained()
	if s.OnFocus != nil {
		s.OnFocus(true)
	}
}

// FocusLost is for Fyne.
func (s *Select) FocusLost() {
	s.focused = false
	s.Select.FocusLost()
	if s.OnFocus != nil {
		s.OnFocus(false)
	}
}

// CreateRenderer is for Fyne.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return newRingedRenderer(s.Select.CreateRenderer(), s, func() fyne.ThemeColorName { return accentRing(s.focused && !s.Disabled()) })
}

// TypedKey opens the menu with Enter too, as it does with the space bar.
func (s *Select) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyEscape:
		if s.OnEscape != nil {
			s.OnEscape()
			return
		}
		PassKey(s, event)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	case fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyF1:
		PassKey(s, event)
	default:
		s.Select.TypedKey(event)
	}
}
