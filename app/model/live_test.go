package model

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// on returns a server "dev › a" in a state that began some minutes before noon.
func on(state status.State, minutes int) status.Server {
	return status.Server{Toolbox: "dev", Name: "a", State: state, Since: noon.Add(-time.Duration(minutes) * time.Minute)}
}

// stopped returns the server as if the user had stopped it.
func stopped(server status.Server) status.Server {
	server.Held = true
	return server
}

// shared returns the server in a process that other engines may use as well.
func shared(server status.Server, pid int) status.Server {
	server.Process.Shared, server.Process.Pid = true, pid
	return server
}

// alone returns the server in a process of its own, although it should be shared.
func alone(server status.Server, pid int) status.Server {
	server.Process.Pid, server.Process.Alone = pid, words.New("pool.over")
	return server
}

// in returns engines, the last of which is in trouble.
func in(trouble Trouble, server status.Server, before ...Engine) []Engine {
	return append(before, Engine{ID: 9, Client: "Goose", Trouble: trouble, Servers: []status.Server{server}})
}

func engines(servers ...status.Server) []Engine {
	names := []string{"Claude Desktop", "Cursor", "Zed"}
	var all []Engine
	for i, server := range servers {
		all = append(all, Engine{ID: ipc.EngineID(i), Client: names[i%3], Servers: []status.Server{server}})
	}
	return all
}

func TestServerOverEngines(t *testing.T) {
	for _, c := range []struct {
		name    string
		engines []Engine
		config  string // of the server, as JSON
		want    Server
	}{
		{name: "no engine", want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}}},
		{
			name:    "one that needs the user goes before one that is connected",
			engines: engines(on(status.Connected, 5), on(status.Failed, 3), on(status.Starting, 1)),
			want:    Server{Server: on(status.Failed, 3), Engine: 1, Client: "Cursor", Clients: []string{"Claude Desktop"}},
		},
		{
			name:    "one that the user has stopped goes before one that was never started, and neither before one that runs",
			engines: engines(on(status.NotStarted, 5), stopped(on(status.NotStarted, 3))),
			want:    Server{Server: stopped(on(status.NotStarted, 3)), Engine: 1, Client: "Cursor"},
		},
		{
			name:    "one that runs goes before one that the user has stopped",
			engines: engines(stopped(on(status.NotStarted, 3)), on(status.Connected, 5)),
			want:    Server{Server: on(status.Connected, 5), Engine: 1, Client: "Cursor", Clients: []string{"Cursor"}},
		},
		{
			name:    "the later of two failures",
			engines: engines(on(status.Failed, 5), on(status.SignIn, 1), on(status.Stopped, 3)),
			want:    Server{Server: on(status.SignIn, 1), Engine: 1, Client: "Cursor"},
		},
		{
			name:    "starting goes before connected, and connected before not started",
			engines: engines(on(status.NotStarted, 0), on(status.Connected, 5), on(status.Starting, 1)),
			want:    Server{Server: on(status.Starting, 1), Engine: 2, Client: "Zed", Clients: []string{"Cursor"}},
		},
		{
			name:    "all who are connected, each once, in order",
			engines: append(engines(on(status.Connected, 5), on(status.Connected, 1)), engines(on(status.Connected, 0))...),
			want: Server{Server: on(status.Connected, 5), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop", "Cursor"}},
		},
		{
			name:    "switched off in the file, whatever engines say",
			engines: engines(on(status.Connected, 5)),
			config:  `{"command": "x", "disabled": true}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.Disabled}},
		},
		{
			name:    "switched on in the file, which the engine does not know yet",
			engines: engines(on(status.Disabled, 5)),
			config:  `{"command": "x"}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "engines with another file do not count",
			engines: []Engine{{ID: 7, Elsewhere: true, Servers: []status.Server{on(status.Failed, 1)}}},
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "the state in an engine that does not answer is unknown",
			engines: in(Silent, on(status.Connected, 5)),
			want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: Silent,
				Client: "Goose"},
		},
		{
			name:    "two engines use one process",
			engines: engines(shared(on(status.Connected, 5), 7), shared(on(status.Connected, 5), 7)),
			want: Server{Server: shared(on(status.Connected, 5), 7), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop", "Cursor"}, Together: true},
		},
		{
			name:    "two engines use one process each",
			engines: engines(shared(on(status.Connected, 5), 7), shared(on(status.Connected, 5), 8)),
			want: Server{Server: shared(on(status.Connected, 5), 7), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop", "Cursor"}},
		},
		{
			name:    "one engine runs it alone",
			engines: engines(shared(on(status.Connected, 5), 7), alone(on(status.Connected, 5), 8)),
			want: Server{Server: alone(shared(on(status.Connected, 5), 7), 7), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop", "Cursor"}, Apart: []string{"Cursor"}},
		},
		{
			name:    "each engine runs it alone",
			engines: engines(alone(on(status.Connected, 5), 7), alone(on(status.Connected, 5), 8)),
			want: Server{Server: alone(on(status.Connected, 5), 7), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop", "Cursor"}, Apart: []string{"Claude Desktop", "Cursor"}},
		},
		{
			name:    "it is unknown even if another engine could start the server",
			engines: in(Silent, on(status.Failed, 5), engines(on(status.NotStarted, 0))...),
			want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: Silent,
				Client: "Goose"},
		},
		{
			name:    "a known state goes before an unknown one",
			engines: in(Silent, on(status.Failed, 1), engines(on(status.Connected, 5))...),
			want: Server{Server: on(status.Connected, 5), Engine: 0, Client: "Claude Desktop",
				Clients: []string{"Claude Desktop"}},
		},
		{
			name:    "so does a server that the user has stopped",
			engines: in(OtherVersion, status.Server{}, engines(stopped(on(status.NotStarted, 5)))...),
			want:    Server{Server: stopped(on(status.NotStarted, 5)), Engine: 0, Client: "Claude Desktop"},
		},
		{
			name:    "a silent engine has not started what it had not started when it last answered",
			engines: in(Silent, on(status.NotStarted, 0)),
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name:    "an engine of another version may run any server",
			engines: in(OtherVersion, status.Server{}),
			want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}, Unseen: OtherVersion,
				Client: "Goose"},
		},
		{
			name:    "but no server that is switched off",
			engines: in(OtherVersion, status.Server{}),
			config:  `{"command": "x", "disabled": true}`,
			want:    Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.Disabled}},
		},
		{
			name: "and none if it has another file",
			engines: []Engine{{Elsewhere: true, Trouble: OtherVersion},
				{Elsewhere: true, Trouble: Silent, Servers: []status.Server{on(status.Connected, 1)}}},
			want: Server{Server: status.Server{Toolbox: "dev", Name: "a", State: status.NotStarted}},
		},
		{
			name: "its toolbox is open in one of two apps",
			engines: []Engine{
				{ID: 1, Client: "Zed", Open: []string{"dev"}, Servers: []status.Server{on(status.NotStarted, 0)}},
				{ID: 2, Client: "Cursor", Servers: []status.Server{on(status.NotStarted, 0)}},
			},
			want: Server{Server: on(status.NotStarted, 0), Open: true},
		},
		{
			name:    "that Workbench itself has opened the toolbox does not count",
			engines: []Engine{{ID: 1, Own: true, Open: []string{"dev"}, Servers: []status.Server{on(status.NotStarted, 0)}}},
			want:    Server{Server: on(status.NotStarted, 0)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := &Live{Engines: c.engines}
			if c.config != "" {
				state.Config = parse(t, `{"toolboxes": {"dev": {"mcpServers": {"a": `+c.config+`}}}}`)
			}
			if diff := cmp.Diff(c.want, state.Server("dev", "a")); diff != "" {
				t.Errorf("server (-want +got):\n%s", diff)
			}
		})
	}
}

// A server is in a toolbox that is always open, whether an engine knows it or not.
func TestAlwaysOpen(t *testing.T) {
	for _, engines := range [][]Engine{nil, engines(on(status.NotStarted, 0))} {
		state := &Live{Engines: engines,
			Config: parse(t, `{"toolboxes": {"dev": {"open": true, "mcpServers": {"a": {"command": "x"}}}}}`)}
		if server := state.Server("dev", "a"); !server.AlwaysOpen {
			t.Errorf("with %d engines: %+v", len(engines), server)
		}
	}
}

func parse(t testing.TB, text string) *config.Config {
	t.Helper()
	document := config.Parse("workbench-config.json", []byte(text))
	if !document.Valid() {
		t.Fatal(document.Errors())
	}
	return document.Config
}

func TestCount(t *testing.T) {
	state := &Live{
		Config: parse(t, `{"toolboxes": {"dev": {"mcpServers": {
			"a": {"command": "x"}, "b": {"command": "x"}, "c": {"command": "x"}, "d": {"command": "x", "disabled": true}}}}}`),
		Engines: []Engine{{ID: 1, Servers: []status.Server{
			{Toolbox: "dev", Name: "a", State: status.Connected}, {Toolbox: "dev", Name: "b", State: status.Stopped},
			{Toolbox: "dev", Name: "gone", State: status.Failed},
		}}},
	}
	if diff := cmp.Diff(Counts{All: 3, Connected: 1, Wrong: 1}, state.Count()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// BenchmarkServers checks the cost of asking for a thousand servers in several engines. The states should be merged
// only once.
func BenchmarkServers(b *testing.B) {
	var all []Engine
	for e := range 5 {
		engine := Engine{ID: ipc.EngineID(e), Client: "Claude Desktop"}
		for i := range 1000 {
			engine.Servers = append(engine.Servers, status.Server{Toolbox: "dev", Name: fmt.Sprint(i), State: status.Connected})
		}
		all = append(all, engine)
	}
	for b.Loop() {
		state := &Live{Engines: all}
		for i := range 1000 {
			state.Server("dev", fmt.Sprint(i))
		}
	}
}
