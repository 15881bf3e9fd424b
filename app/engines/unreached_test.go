package engines

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// TestEngineThatDoesNotAnswer checks that a hanging engine is not shown as working, and that commands to it do not
// block the caller.
func TestEngineThatDoesNotAnswer(t *testing.T) {
	initialized := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	engine := func(id ipc.EngineID, hangs bool) ipc.Engine {
		return ipc.Engine{ID: id, About: ipc.About{ClientID: "claude-desktop", ClientName: "claude-ai",
			Initialized: initialized}, Unresponsive: hangs,
			Snapshot: status.Snapshot{Servers: []status.Server{{Toolbox: "dev", Name: "a", State: status.Connected}}}}
	}
	at := model.Choice{Toolbox: "dev", Server: "a"}
	for _, c := range []struct {
		name           string
		engines        []ipc.Engine
		state          status.State
		commands, logs []ipc.EngineID
		line, tray     string
	}{
		{
			"it answers", []ipc.Engine{engine(1, false)},
			status.Connected, []ipc.EngineID{1}, []ipc.EngineID{1},
			"Claude Desktop: connected", "Claude Desktop — connected since 14 Mar 12:00",
		},
		{
			"it does not answer", []ipc.Engine{engine(1, true)},
			status.NotStarted, nil, []ipc.EngineID{1},
			"Please restart Claude Desktop", "Please restart Claude Desktop",
		},
		{
			"one of two does not", []ipc.Engine{engine(1, true), engine(2, false)},
			status.Connected, []ipc.EngineID{2}, []ipc.EngineID{1, 2},
			"Claude Desktop: connected", "Claude Desktop — connected since 14 Mar 12:00",
		},
	} {
		now := &model.Snapshot{Time: initialized.AddDate(0, 1, 0), Live: &model.Live{}}
		for _, engine := range c.engines {
			now.Live.Engines = append(now.Live.Engines, liveEngine(engine))
		}
		now.Clients = (&Aggregator{}).meet(now.Live.Engines, now.Time)
		if got := now.Server(at).State; got != c.state {
			t.Errorf("%s: the server is %q", c.name, got)
		}
		if got := now.Standing(at).State; got != c.state {
			t.Errorf("%s: its tools are those of a server that is %q", c.name, got)
		}
		told := &Engines{}
		if diff := cmp.Diff(c.commands, told.engines(now, at, started)); diff != "" {
			t.Errorf("%s: the engines that get commands (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.logs, told.Logging(now, at)); diff != "" {
			t.Errorf("%s: the engines that are asked for logs (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff([]string{c.line, c.tray},
			[]string{live.LastClient(now), strings.Join(live.ClientLines(now), "; ")}); diff != "" {
			t.Errorf("%s: the texts (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestOneAppWithSeveralEngines: Claude Desktop starts a copy for conversations, one for Cowork, and one that is thrown
// away after server/discover.
func TestOneAppWithSeveralEngines(t *testing.T) {
	started := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	engine := func(id ipc.EngineID, greeted string, seconds int) model.Engine {
		about := ipc.About{ClientID: "claude-desktop", ClientName: greeted, Started: started}
		if greeted != "" {
			about.Initialized = started.Add(time.Duration(seconds) * time.Second)
		}
		return liveEngine(ipc.Engine{ID: id, About: about})
	}
	thrownAway, chat, cowork := engine(1, "", 0), engine(2, "claude-ai", 1), engine(3, "claude-code", 2)
	a := &Aggregator{}
	for i, step := range []struct {
		engines []model.Engine
		want    string
	}{
		{[]model.Engine{thrownAway}, ""},
		{nil, ""},
		{[]model.Engine{thrownAway, chat}, "Claude Desktop — connected since 14 Mar 12:00"},
		{[]model.Engine{thrownAway, chat, cowork}, "Claude Desktop — connected since 14 Mar 12:00"},
		{[]model.Engine{cowork}, "Claude Desktop — connected since 14 Mar 12:00"},
	} {
		now := &model.Snapshot{Time: started.AddDate(0, 1, 0), Live: &model.Live{Engines: step.engines}}
		now.Clients = a.meet(step.engines, now.Time)
		if got := strings.Join(live.ClientLines(now), "; "); got != step.want {
			t.Errorf("step %d: the tray says %q, want %q", i, got, step.want)
		}
	}
}
