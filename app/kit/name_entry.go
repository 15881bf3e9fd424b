package kit

import (
	"strings"

	"fyne.io/fyne/v2"
)

// NameEntry is a field for editing a text in place. Enter saves and Esc cancels. Losing the focus saves a changed text
// if it is valid, and cancels otherwise.
type NameEntry struct {
	Input
	edit   NameEdit
	before string // the text before the edit
	ended  bool   // no edit is in progress
}

// NameEdit is an edit of a text in place.
type NameEdit struct {
	Text  string // the text before the edit
	Typed string // the text in the field at the beginning; if it is empty, the field has Text

	// Check returns why a text is not valid, or "" if it is. If Check is nil, every text is valid.
	Check func(text string) string
	// called at the beginning and after every letter with the result of Check, and at the end with ""; may be nil
	Say func(problem string)

	// Done is called at the end. If saved is true, text is valid and has changed, and the caller should save it. left
	// says that the field has lost the focus, so the caller must not move the focus.
	Done func(text string, saved, left bool)
}

// NewNameEntry returns a field that does nothing until Begin.
func NewNameEntry() *NameEntry {
	e := &NameEntry{ended: true}
	e.OnKey = func(event *fyne.KeyEvent) bool {
		enter := event.Name == fyne.KeyReturn || event.Name == fyne.KeyEnter
		if enter {
			e.end(true, false)
		}
		return enter
	}
	e.OnEscape = e.Cancel
	e.OnFocus = func(focused bool) {
		// A menu or dialog of the window takes the focus only for a while, so the edit goes on.
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(e); !focused &&
			(canvas == nil || canvas.Overlays().Top() == nil) {
			e.end(true, true)
		}
	}
	e.ExtendBaseWidget(e)
	return e
}

// Begin starts an edit with the whole text selected.
func (e *NameEntry) Begin(edit NameEdit) {
	e.edit, e.before, e.ended = edit, edit.Text, false
	text := edit.Text
	if edit.Typed != "" {
		text = edit.Typed
	}
	e.OnChanged = nil
	e.SetText(text)
	e.OnChanged = func(string) { e.say() }
	e.CursorRow, e.CursorColumn = 0, 0
	e.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.say()
}

func (e *NameEntry) problem() string {
	if e.edit.Check == nil || e.Text == e.before {
		return ""
	}
	return e.edit.Check(strings.TrimSpace(e.Text))
}

func (e *NameEntry) say() {
	if e.edit.Say != nil && !e.ended {
		e.edit.Say(e.problem())
	}
}

// Cancel cancels the edit.
func (e *NameEntry) Cancel() { e.end(false, false) }

func (e *NameEntry) end(save, left bool) {
	if e.ended {
		return
	}
	text := strings.TrimSpace(e.Text)
	if save && e.problem() != "" {
		if !left {
			return // the problem is shown
		}
		save = false
	}
	e.ended = true
	if e.edit.Say != nil {
		e.edit.Say("")
	}
	e.edit.Done(text, save && text != e.before, left)
}
