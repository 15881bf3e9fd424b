package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// TestNotesKeepTheFocus checks that the button of a note keeps the focus while another note changes, and then does
// what the newest version of its note says.
func TestNotesKeepTheFocus(t *testing.T) {
	test.NewTempApp(t)
	pressed := ""
	note := func(text, says string) Note {
		return Note{State: theme.StateNotice, Text: text, Acts: []Act{{Label: "Fix", Do: func() { pressed = says }}}}
	}
	notes := NewNotes()
	canvas := test.NewTempWindow(t, notes.Root).Canvas()
	notes.Set([]Note{note("first", "old"), note("second", "")})
	canvas.FocusNext()
	button := canvas.Focused()
	if button == nil {
		t.Fatal("nothing has the focus")
	}
	if !notes.Set([]Note{note("first", "new"), note("other", "")}) {
		t.Error("no note has changed")
	}
	if canvas.Focused() != button || !slices.Contains(test.LaidOutObjects(notes.Root), button.(fyne.CanvasObject)) {
		t.Error("the button with the focus is not shown")
	}
	press(canvas.Focused(), fyne.KeyReturn)
	if pressed != "new" {
		t.Errorf("the button did %q", pressed)
	}
}
