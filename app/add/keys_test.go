package add

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, in every state of the dialog, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	var w *bykeys.Walker
	for name, scene := range scenes() {
		t.Run(name, func(t *testing.T) {
			o := newOpened(t)
			scene(o, small_)
			if w == nil {
				w = bykeys.New(t, o.window, bykeys.Otherwise{"*kit.Sheet": "nothing happens"})
			}
			w.In(t, o.window).Walk()
		})
	}
}
