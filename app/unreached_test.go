package app

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// After an update an AI app may go on with an engine of before, of which only that it is there can be understood. The window does not
// say of it what it does not know.
func TestEngineOfAnotherVersion(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	b.untilOwn()
	engine, err := net.Dial("unix", b.link)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := fmt.Fprintf(engine, `{"type":"hello","version":%d,"about":{"pid":1,"program":"99","config":%q,"clientID":"claude-desktop","clientName":"claude-ai","initialized":"2026-03-14T12:00:00Z"}}`+"\n",
		ipc.Version+1, b.path); err != nil {
		t.Fatal(err)
	}
	b.untilWord("a", "Not known")
	b.until(func() string {
		return differs(b.window.status.clients.Text(), "Claude Desktop: another version of Workbench")
	})
	b.pause(true)
	b.until(func() string {
		if !b.window.paused.Visible() || !strings.Contains(b.window.pausedText.Text(), "but Claude Desktop could not be told") {
			return "the window says " + b.window.pausedText.Text()
		}
		return ""
	})
	_ = engine.Close()
	b.until(func() string {
		return differs(b.window.pausedText.Text(), "Workbench is paused: AI apps can't use any server.")
	})
}

// An engine that hangs is not shown as one that works, and nobody waits for what it is told to do.
func TestEngineThatDoesNotAnswer(t *testing.T) {
	initialized := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	engine := func(id ipc.EngineID, hangs bool) ipc.Engine {
		return ipc.Engine{ID: id, About: ipc.About{ClientID: "claude-desktop", ClientName: "claude-ai", Initialized: initialized}, Unresponsive: hangs,
			Snapshot: status.Snapshot{Servers: []status.Server{{Toolbox: "dev", Name: "a", State: status.Connected}}}}
	}
	at := toolboxes.Choice{Toolbox: "dev", Server: "a"}
	for _, c := range []struct {
		name           string
		engines        []ipc.Engine
		state          status.State
		commands, logs []ipc.EngineID
		line, tray     string
		problem        string
		icon           tray.Icon
	}{
		{
			"it answers", []ipc.Engine{engine(1, false)},
			status.Connected, []ipc.EngineID{1}, []ipc.EngineID{1},
			"Claude Desktop: connected", "Claude Desktop — connected since 14 Mar 12:00", "", tray.IconIdle,
		},
		{
			"it does not answer", []ipc.Engine{engine(1, true)},
			status.NotStarted, nil, []ipc.EngineID{1},
			"Claude Desktop: not answering", "Claude Desktop — does not answer", "Claude Desktop should be restarted", tray.IconAttention,
		},
		{
			"one of two does not", []ipc.Engine{engine(1, true), engine(2, false)},
			status.Connected, []ipc.EngineID{2}, []ipc.EngineID{1, 2},
			"Claude Desktop: connected", "Claude Desktop — connected since 14 Mar 12:00", "Claude Desktop should be restarted", tray.IconAttention,
		},
	} {
		now := &snapshot{time: initialized.AddDate(0, 1, 0), live: &model.Live{}}
		for _, engine := range c.engines {
			now.live.Engines = append(now.live.Engines, liveEngine(engine, false))
		}
		now.clients = (&aggregator{}).meet(now.live.Engines, now.time)
		if got := now.server(at).State; got != c.state {
			t.Errorf("%s: the server is %q", c.name, got)
		}
		if got := now.standing(at).State; got != c.state {
			t.Errorf("%s: its tools are those of one that is %q", c.name, got)
		}
		commands := &commands{}
		if diff := cmp.Diff(c.commands, commands.engines(now, at, started)); diff != "" {
			t.Errorf("%s: told are (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.logs, commands.logging(now, at)); diff != "" {
			t.Errorf("%s: logs are asked of (-want +got):\n%s", c.name, diff)
		}
		shown := trayState(now, loginState{})
		if diff := cmp.Diff([]string{c.line, c.tray, c.problem}, []string{lastClient(now), strings.Join(shown.Clients, "; "), shown.Problem}); diff != "" {
			t.Errorf("%s: said is (-want +got):\n%s", c.name, diff)
		}
		if got := tray.IconOf(shown); got != c.icon {
			t.Errorf("%s: the icon is %v", c.name, got)
		}
	}
}
