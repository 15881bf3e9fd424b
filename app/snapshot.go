package app

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// snapshot is everything that the window and the tray show, as it was at one time. It is made by the aggregator and not changed
// afterwards.
type snapshot struct {
	number uint64 // later ones have higher numbers
	time   time.Time

	file       fileState
	good       *config.Document // the newest that could be used; nil before there was one
	warnings   []config.Diagnostic
	live       *model.Live
	clients    []seenClient
	view       toolboxes.View
	calls      []activity.Call // only while somebody looks at them
	olderCalls int             // and how many there were before them
}

// seenClient is a client that has started an engine and greeted it.
type seenClient struct {
	Name    string
	Here    bool          // its engine runs now
	Since   time.Time     // then since when it has greeted
	Trouble model.Trouble // and what is the matter with that engine; with all of them when it runs several
	Last    time.Time     // else when it was there last
}

// countsDown tells whether a text of the snapshot changes with the second.
func (m *snapshot) countsDown() bool { return m.view.CountsDown }

// standing is a server as one engine has it connected, though another has just begun to start it: its tools are there, and whoever
// tries one must not lose sight of it because the window starts the server for that. Else it is as server says.
func (m *snapshot) standing(at toolboxes.Choice) model.Server {
	merged := m.server(at)
	if merged.State != status.Starting {
		return merged
	}
	for _, engine := range m.live.Engines {
		for _, server := range engine.Servers {
			if engine.InReach() && server.Toolbox == at.Toolbox && server.Name == at.Server && server.State == status.Connected {
				merged.Server, merged.Engine, merged.Client = server, engine.ID, engine.Client
				return merged
			}
		}
	}
	return merged
}

// server tells how a server is doing.
func (m *snapshot) server(at toolboxes.Choice) model.Server {
	return m.live.Server(at.Toolbox, at.Server)
}

// entryID is the client by whose entry an engine was started; "" when another has found the entry and greets by its own name.
func entryID(engine ipc.Engine) string {
	if known := client.Find(engine.ClientID, "").ID != ""; known && !client.Matches(engine.ClientID, engine.ClientName) {
		return ""
	}
	return engine.ClientID
}

// liveEngine puts what the hub says of an engine into the words of the window.
func liveEngine(engine ipc.Engine, elsewhere bool) model.Engine {
	shown := model.Engine{
		ID:            engineName(engine.ID),
		Client:        live.ClientName(entryID(engine), engine.ClientName),
		ClientID:      engine.ClientID,
		ClientVersion: engine.ClientVersion,
		Own:           engine.Own,
		Program:       engine.Program,
		Pid:           engine.Pid,
		Started:       engine.Started,
		Initialized:   engine.Initialized,
		Config:        engine.Config,
		Elsewhere:     elsewhere,
		Open:          engine.Open,
		Servers:       engine.Servers,
	}
	switch {
	case engine.OtherVersion:
		shown.Trouble = model.OtherVersion
	case engine.Unresponsive:
		shown.Trouble = model.Silent
	}
	if shown.Started.IsZero() {
		shown.Started = engine.Connected
	}
	if engine.Own {
		shown.Client = Name
	}
	return shown
}
