package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// TextArea is a field of several lines. Other than Fyne's, the Tab key leaves it, and shortcuts that are not about text reach
// the window.
type TextArea struct {
	widget.Entry

	// OnFocus is called when the keyboard comes or goes; it may be nil.
	OnFocus func(focused bool)

	// OnShortcut is asked first about shortcuts; it tells whether it has used one. It may be nil.
	OnShortcut func(fyne.Shortcut) bool

	// OnEscape is called by the Esc key; it may be nil.
	OnEscape func()

	focused bool
}

// NewTextArea gives an empty field that shows so many lines at least.
func NewTextArea(rows int, mono bool) *TextArea {
	t := &TextArea{}
	t.MultiLine = true
	t.Wrapping = fyne.TextWrapWord
	t.TextStyle = fyne.TextStyle{Monospace: mono}
	t.ExtendBaseWidget(t)
	t.SetMinRowsVisible(rows)
	return t
}

// Follow shows another text without telling OnChanged.
func (t *TextArea) Follow(text string) {
	if t.Text == text {
		return
	}
	changed := t.OnChanged
	t.OnChanged = nil
	t.SetText(text)
	t.OnChanged = changed
}

// AcceptsTab is for Fyne: the Tab key goes on to what comes next.
func (t *TextArea) AcceptsTab() bool { return false }

// FocusGained is for Fyne.
func (t *TextArea) FocusGained() {
	t.focused = true
	t.Entry.FocusGained()
	if t.OnFocus != nil {
		t.OnFocus(true)
	}
}

// FocusLost is for Fyne.
func (t *TextArea) FocusLost() {
	t.focused = false
	t.Entry.FocusLost()
	if t.OnFocus != nil {
		t.OnFocus(false)
	}
}

// CreateRenderer is for Fyne.
func (t *TextArea) CreateRenderer() fyne.WidgetRenderer {
	return newEdgedRenderer(t.Entry.CreateRenderer(), t, func() bool { return t.focused })
}

// TypedKey is for Fyne.
func (t *TextArea) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyF1 {
		PassKey(t, event)
		return
	}
	if event.Name == fyne.KeyEscape {
		if t.OnEscape != nil {
			t.OnEscape()
		} else {
			PassKey(t, event)
		}
		return
	}
	t.Entry.TypedKey(event)
}

// TypedShortcut is for Fyne.
func (t *TextArea) TypedShortcut(shortcut fyne.Shortcut) {
	if t.OnShortcut != nil && t.OnShortcut(shortcut) {
		return
	}
	if TextShortcut(shortcut) {
		t.Entry.TypedShortcut(shortcut)
		return
	}
	PassShortcut(t, shortcut)
}
