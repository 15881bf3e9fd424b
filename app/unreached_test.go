package app

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// After an update, an AI app may still run an old engine whose messages the window cannot understand. The window shows
// that this engine exists, and nothing else about it.
func TestEngineOfAnotherVersion(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	b.untilOwn()
	engine, err := net.Dial("unix", b.link)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := fmt.Fprintf(engine,
		`{"type":"hello","version":%d,"about":{"pid":1,"program":"99","config":%q,"clientID":"claude-desktop","clientName":"claude-ai","initialized":"2026-03-14T12:00:00Z"}}`+"\n",
		ipc.Version+1, b.path); err != nil {
		t.Fatal(err)
	}
	b.untilWord("a", "Unknown")
	b.until(func() string {
		return differs(b.window.Status.Clients.Text(), "Please restart Claude Desktop")
	})
	b.pause(true)
	b.until(func() string {
		if !b.window.Paused.Visible() || !strings.Contains(b.window.PausedText.Text(), "could not reach Claude Desktop") {
			return "the window says " + b.window.PausedText.Text()
		}
		return ""
	})
	_ = engine.Close()
	b.until(func() string {
		return differs(b.window.PausedText.Text(), "Workbench is paused: AI apps can't use any server.")
	})
}

// The tray says which app should be restarted because its engine does not answer.
func TestTrayOfAnEngineThatDoesNotAnswer(t *testing.T) {
	for _, c := range []struct {
		trouble model.Trouble
		problem string
		icon    tray.Icon
	}{
		{model.NoTrouble, "", tray.IconIdle},
		{model.Silent, "Please restart Claude Desktop", tray.IconAttention},
	} {
		engines := []model.Engine{{ID: 1, Client: "Claude Desktop", Trouble: c.trouble}, {ID: 2, Client: "Zed"}}
		view := toolboxes.View{Findings: &model.Findings{}}
		shown := tray.StateOf(&model.Snapshot{Live: &model.Live{Engines: engines}}, view, model.Login{})
		if shown.Problem != c.problem || tray.IconOf(shown) != c.icon {
			t.Errorf("the tray says %q with the icon %v", shown.Problem, tray.IconOf(shown))
		}
	}
}
