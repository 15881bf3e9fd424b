package settings

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	newApp(t)
	view := sample()
	view.Doctor = checked()
	o := open(t, view, small)
	w := bykeys.New(t, o.window, nil)
	w.Walk()
	o.tap(t, "Change…") // a secret of the keychain
	w.Walk()
}
