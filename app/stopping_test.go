package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// A server can be stopped wherever it runs, and started again in the same engines. An AI app that calls it meanwhile
// gets the reason.
func TestStopAndStartOneServer(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}, "b": {}}), nil)
	b.untilOwn()
	claude, _ := b.client("claude-desktop", "claude-ai")
	if err := claude.OpenToolbox(t.Context(), "dev"); err != nil {
		t.Fatal(err)
	}
	b.openToolbox("dev", true)
	running := func(want int) {
		t.Helper()
		b.until(func() string {
			got := 0
			for _, engine := range b.now.Live.Engines {
				for _, server := range engine.Servers {
					if server.Name == "a" && server.State != status.NotStarted {
						got++
					}
				}
			}
			if got != want {
				return fmt.Sprintf("it runs in %d engines, not %d", got, want)
			}
			return ""
		})
	}
	running(2)
	b.untilWord("a", "Connected")
	b.untilWord("b", "Connected")

	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.stopServer(at)
	b.untilWord("a", "Stopped")
	running(0)
	if got := b.word("b"); got != "Connected" {
		t.Errorf("the other server is %q", got)
	}
	echo := toolbox.ToolID{Toolbox: "dev", Server: "a", Tool: "echo"}
	if _, err := claude.Call(t.Context(), echo, downstream.Call{}); err == nil ||
		!strings.Contains(err.Error(), "the user has stopped this server") {
		t.Errorf("a call says %v", err)
	}

	b.start(at)
	b.untilWord("a", "Connected")
	running(2)
	if _, err := claude.Call(t.Context(), echo, downstream.Call{Arguments: []byte(`{}`)}); err != nil {
		t.Errorf("started again, a call says %v", err)
	}
}
