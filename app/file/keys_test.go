package file

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked can be reached with the Tab key, and one sees where the keyboard is.
func TestByKeys(t *testing.T) {
	b := open(t, plainText, small)
	b.outside(strings.Replace(plainText, `"command": "npx"`, `command: npx`, 1))
	w := bykeys.New(t, b.window, nil)
	w.Walk()
	b.Find(b.window.Canvas())
	w.Walk()
}
