package serverlog

import (
	"testing"

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
