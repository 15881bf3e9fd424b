package app

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestOpensWithWhatItCanDo checks that a click on a server that works shows its tools, also after it has ended, and a
// click on one that was never started its Setup. A user who reads a log stays at the logs.
func TestOpensWithWhatItCanDo(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}, "b": {}}), nil)
	b.untilOwn()
	works, other := model.Choice{Toolbox: "dev", Server: "a"}, model.Choice{Toolbox: "dev", Server: "b"}
	opens := func(at model.Choice, want model.Tab) {
		t.Helper()
		b.showServer(at)
		if got := b.detail.Editor.Tab(); got != want {
			t.Errorf("%s opens with tab %d, want %d", at.Server, got, want)
		}
	}
	opens(works, model.TabSetup)
	b.showServer(model.Choice{Toolbox: "dev"})
	b.start(works)
	b.untilWord("a", "Connected")
	opens(works, model.TabTools)
	opens(other, model.TabSetup)
	opens(works, model.TabTools)
	b.detail.Open(model.TabLog)
	opens(other, model.TabLog)
	b.showServer(model.Choice{Toolbox: "dev"})
	b.until(func() string {
		if b.now.Lists[works] == nil {
			return "the tools are not known"
		}
		return ""
	})
	b.stopServer(works)
	b.untilWord("a", "Stopped")
	opens(works, model.TabTools)
	if len(b.detail.List()) == 0 {
		t.Error("the tools of a server that is stopped are not shown")
	}
}
