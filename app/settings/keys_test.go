package settings

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	newApp(t)
	view := sample()
	view.Doctor = checked()
	o := open(t, view, small)
	w := bykeys.New(t, o.window, nil)
	w.Walk()
	o.tap(t, "Change…") // of a secret
	w.Walk()
}
