package tools

import (
	"testing"

	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	d := open(t, connected(nil, "a", "b", "c"), narrow, base.VariantLight)
	w := bykeys.New(t, d.window, nil)
	w.Walk()
	d.Open("a")
	w.Walk()
	d.tap("Try it")
	w.Walk()
}
