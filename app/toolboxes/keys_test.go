package toolboxes

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	o := open(t, lively(true), small)
	w := bykeys.New(t, o.window, bykeys.Otherwise{"*toolboxes.tapText": "the pencil beside it"})
	w.Walk()
	o.click(Choice{"dev", "memory"})
	w.Walk()
}
