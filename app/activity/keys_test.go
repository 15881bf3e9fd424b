package activity

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	w := bykeys.New(t, o.window, nil)
	w.Walk()
	o.table.body.choose(0)
	w.Walk()
	o.table.body.choose(1)
	w.Walk()
	// Esc closes the details, wherever the keyboard is in them.
	if !o.Escape() || o.detail.root.Visible() || o.window.Canvas().Focused() != fyne.Focusable(o.table.body) || o.Escape() {
		t.Error("Esc does not go back to the table")
	}
}
