package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Entry is Fyne's field of one line, except that shortcuts which don't edit text reach the window, and that the Esc key can
// do something.
type Entry struct {
	widget.Entry

	// OnEscape is called by the Esc key, and OnArrow by the arrows up and down; nil: nothing.
	OnEscape func()
	OnArrow  func(fyne.KeyName)

	focused bool
}

// NewEntry gives an empty field.
func NewEntry() *Entry {
	e := &Entry{}
	e.ExtendBaseWidget(e)
	return e
}

// FocusGained is for Fyne.
func (e *Entry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
}

// FocusLost is for Fyne.
func (e *Entry) FocusLost() {
	e.focused = false
	e.Entry.FocusLost()
}

// CreateRenderer is for Fyne.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	return newEdgedRenderer(e.Entry.CreateRenderer(), e, func() bool { return e.focused })
}

// TypedKey is for Fyne.
func (e *Entry) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyEscape:
		if e.OnEscape != nil {
			e.OnEscape()
		} else {
			PassKey(e, event)
		}
		return
	case fyne.KeyF1:
		PassKey(e, event)
		return
	case fyne.KeyUp, fyne.KeyDown:
		if e.OnArrow != nil {
			e.OnArrow(event.Name)
			return
		}
	}
	e.Entry.TypedKey(event)
}

// TypedShortcut is for Fyne.
func (e *Entry) TypedShortcut(shortcut fyne.Shortcut) {
	if TextShortcut(shortcut) {
		e.Entry.TypedShortcut(shortcut)
		return
	}
	PassShortcut(e, shortcut)
}
