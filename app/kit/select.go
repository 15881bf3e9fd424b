package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
)

// Select is like Fyne's select, with which the user chooses from a menu. It also reports when it gets or loses the
// focus, and Enter opens the menu.
type Select struct {
	fyneSelect
	Keyboard
}

// NewSelect returns a menu in which nothing is chosen.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged, s.PlaceHolder = options, changed, lang.L("Choose…")
	s.self, s.inner = s, &s.Select
	s.ExtendBaseWidget(s)
	return s
}

// Follow chooses an option without calling OnChanged.
func (s *Select) Follow(index int) {
	if index != s.SelectedIndex() {
		changed := s.OnChanged
		s.OnChanged = nil
		s.SetSelectedIndex(index)
		s.OnChanged = changed
	}
}

// CreateRenderer implements [fyne.Widget].
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return newRingedRenderer(s.Select.CreateRenderer(), s, s.Ring)
}

// TypedKey opens the menu on Enter as on the space bar. It leaves the page keys, Home and End to the window, which
// scrolls with them.
func (s *Select) TypedKey(event *fyne.KeyEvent) {
	if s.Pass(event) {
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
