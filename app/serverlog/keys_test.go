package serverlog

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	d := open(t, narrow, base.VariantLight)
	d.Set(many(0, 50))
	w := bykeys.New(t, d.window, nil)
	w.Walk()
}

// The keys of the window get there from the lines, also where there are none.
func TestKeysOfTheWindow(t *testing.T) {
	d := open(t, narrow, base.VariantLight)
	keys := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}
	for _, lines := range []int{0, 50} {
		if lines > 0 {
			d.Set(many(0, lines))
		}
		if got := bykeys.Passed(d.window.Canvas(), d.pane, keys...); !slices.Equal(got, keys) {
			t.Errorf("of %d lines it passes on %v", lines, got)
		}
	}
}
