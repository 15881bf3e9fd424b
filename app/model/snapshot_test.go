package model

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// The tools of a server stay visible while the window's own engine starts the server to try one of them.
func TestToolsStayWhileOneIsTried(t *testing.T) {
	in := func(id ipc.EngineID, client string, state status.State) Engine {
		return Engine{ID: id, Client: client, Servers: []status.Server{{Toolbox: "dev", Name: "a", State: state}}}
	}
	const claude, own = ipc.EngineID(1), ipc.EngineID(2)
	at := Choice{Toolbox: "dev", Server: "a"}
	for _, c := range []struct {
		engines []Engine
		state   status.State
		engine  ipc.EngineID
	}{
		{[]Engine{in(claude, "Claude", status.Connected), in(own, "own", status.Starting)}, status.Connected, claude},
		{[]Engine{in(own, "own", status.Starting)}, status.Starting, own},
		{[]Engine{in(claude, "Claude", status.Connected), in(own, "own", status.Failed)}, status.Failed, own},
	} {
		now := &Snapshot{Live: &Live{Engines: c.engines}}
		if got := now.Standing(at); got.State != c.state || got.Engine != c.engine {
			t.Errorf("%v: %+v", c.engines, got)
		}
	}
}

// CountsDown reports whether texts change every second, as they do while a server waits for its next start.
func TestCountsDown(t *testing.T) {
	document := parse(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}}}}}`)
	server := on(status.Stopped, 1)
	now := &Snapshot{Live: &Live{Config: document, Engines: engines(server)}}
	if now.CountsDown() {
		t.Error("CountsDown is true although no server waits")
	}
	server.RetryAt = noon
	now.Live = &Live{Config: document, Engines: engines(server)}
	if !now.CountsDown() {
		t.Error("CountsDown is false although a server waits")
	}
}
