package serverlog

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	d := open(t, narrow, base.VariantLight)
	d.Set(many(0, 50))
	w := bykeys.New(t, d.window, nil)
	w.Walk()
}

// The keys of the window, such as F1, must work while the log has the focus, even if the log is empty.
func TestKeysOfTheWindow(t *testing.T) {
	d := open(t, narrow, base.VariantLight)
	keys := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}
	for _, lines := range []int{0, 50} {
		if lines > 0 {
			d.Set(many(0, lines))
		}
		if got := bykeys.Passed(d.window.Canvas(), d.pane, keys...); !slices.Equal(got, keys) {
			t.Errorf("with %d lines, the log passes on %v", lines, got)
		}
	}
}
