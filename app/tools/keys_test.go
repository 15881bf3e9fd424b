package tools

import (
	"testing"

	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	d := open(t, connected(nil, "a", "b", "c"), narrow, base.VariantLight)
	w := bykeys.New(t, d.window, nil)
	w.Walk()
	d.Open("a")
	w.Walk()
	d.tap("Try it")
	w.Walk()
}
