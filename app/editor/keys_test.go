package editor

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	b := open(t, plain, narrow)
	b.setup.form.advanced.set(true)
	b.apply()
	w := bykeys.New(t, b.window, bykeys.Otherwise{"*kit.tapText": "the pencil beside it"})
	w.Walk()
	for _, tab := range []model.Tab{model.TabJSON} {
		b.Choose(tab)
		w.Walk()
	}
}
