package activity

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	w := bykeys.New(t, o.window, nil)
	w.Walk()
	o.table.body.choose(0)
	w.Walk()
	o.table.body.choose(1)
	w.Walk()
	// Esc closes the details, whichever part of them has the focus.
	if !o.Escape() || o.detail.root.Visible() || o.window.Canvas().Focused() != fyne.Focusable(o.table.body) ||
		o.Escape() {
		t.Error("Esc does not go back to the table")
	}
}

// TestKeysOfTheWindow checks that the table passes on to the window the keys that it does not use: all keys if it is
// empty, and Esc if no call is selected.
func TestKeysOfTheWindow(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	body, canvas := o.table.body, o.window.Canvas()
	keys := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}
	if got := bykeys.Passed(canvas, body, keys...); !slices.Equal(got, keys) {
		t.Errorf("the table passes on %v", got)
	}
	body.choose(1)
	if got := bykeys.Passed(canvas, body, keys...); !slices.Equal(got, keys[:1]) || body.kept.Call != nil {
		t.Errorf("with a call selected, the table passes on %v; a call is still selected: %v", got, body.kept.Call != nil)
	}
	body.show(nil, noon())
	keys = append(keys, fyne.KeyDown, fyne.KeyReturn)
	if got := bykeys.Passed(canvas, body, keys...); !slices.Equal(got, keys) {
		t.Errorf("an empty table passes on %v", got)
	}
}
