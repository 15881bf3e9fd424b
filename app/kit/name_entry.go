package kit

import (
	"strings"

	"fyne.io/fyne/v2"
)

// NameEntry is a field that takes the place of a text while that is changed where it stands. Enter saves, Esc gives up, and
// so does leaving the field with nothing changed; leaving it with something changed saves it, if that is possible.
type NameEntry struct {
	Input
	edit   NameEdit
	before string
	ended  bool
}

// NameEdit is one change of a text in its place.
type NameEdit struct {
	Text  string
	Typed string // what stands in the field at first, if that is not Text

	// Check says in words why a text cannot be taken, or "". Nil: every text can.
	Check func(text string) string
	Say   func(problem string) // shows that, or that there is nothing to show any more, with every letter

	// Done ends the change. Saved reports whether text is to be saved; it is one that Check takes. Left tells that the field
	// has lost the focus and has not to give it back.
	Done func(text string, saved, left bool)
}

// NewNameEntry returns a field that changes nothing until Begin.
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
		// A menu or a dialog of the window takes the focus for a moment and gives it back.
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(e); !focused && (canvas == nil || canvas.Overlays().Top() == nil) {
			e.end(true, true)
		}
	}
	e.ExtendBaseWidget(e)
	return e
}

// Begin begins a change, with the whole text selected.
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

// Editing reports whether a change is under way.
func (e *NameEntry) Editing() bool { return !e.ended }

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

// Cancel gives the change up.
func (e *NameEntry) Cancel() { e.end(false, false) }

func (e *NameEntry) end(save, left bool) {
	if e.ended {
		return
	}
	text := strings.TrimSpace(e.Text)
	if save && e.problem() != "" {
		if !left {
			return // the words say what to do about it
		}
		save = false
	}
	e.ended = true
	if e.edit.Say != nil {
		e.edit.Say("")
	}
	e.edit.Done(text, save && text != e.before, left)
}
