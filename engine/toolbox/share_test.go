package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestSharedByItself starts servers several times, and says at which start an engine shares them: what the entry says
// counts first, then what the server is known to keep, then how it has answered before.
func TestSharedByItself(t *testing.T) {
	tool := func(hints string) []json.RawMessage {
		return []json.RawMessage{json.RawMessage(
			`{"name":"echo","inputSchema":{"type":"object"},"annotations":` + hints + `}`)}
	}
	reads := fakeserver.Script{Tools: tool(`{"readOnlyHint":true}`)}
	more := fakeserver.Script{Tools: append(tool(`{"readOnlyHint":true}`), fakeserver.Tool("acts"))}
	other := reads
	other.Instructions = "This is session 2."
	modern := fakeserver.Script{Modern: true}
	for name, tt := range map[string]struct {
		share  *bool
		args   []string
		starts []fakeserver.Script
		want   string // for each start, whether it is shared
	}{
		"the entry says yes":                     {new(true), nil, []fakeserver.Script{{}}, "[true]"},
		"the entry says no":                      {new(false), []string{"mcp-server-fetch"}, []fakeserver.Script{{}}, "[false]"},
		"keeps nothing":                          {nil, []string{"mcp-server-fetch"}, []fakeserver.Script{{}}, "[true]"},
		"has a browser, whatever it speaks":      {nil, []string{"@playwright/mcp@latest"}, []fakeserver.Script{modern, modern}, "[false false]"},
		"answers alike and only reads":           {nil, nil, []fakeserver.Script{reads, reads, reads, reads}, "[false false true true]"},
		"answers alike, and a tool acts":         {nil, nil, []fakeserver.Script{more, more, more, more}, "[false false false false]"},
		"says something else each time":          {nil, nil, []fakeserver.Script{reads, other, reads, other}, "[false false false false]"},
		"has changed once, and then stays alike": {nil, nil, []fakeserver.Script{reads, reads, more, reads, reads, reads}, "[false false true false false true]"},
		"speaks 2026-07-28":                      {nil, nil, []fakeserver.Script{modern, modern}, "[false true]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChanging(t)
			c.server.Share, c.server.Args = tt.share, tt.args
			c.server.TrustToolChanges = true
			var shared []bool
			for _, script := range tt.starts {
				c.has(script)
				tried := false
				m := newManager(t, oneToolbox("box", c.server), Options{Pins: c.pins,
					Share: func(context.Context, downstream.Sharing) (downstream.Peer, error) {
						tried = true
						return nil, words.New("pool.over").Err() // it then runs for this engine alone, and is met again
					}})
				open(t, m, "box")
				m.Shutdown(t.Context()) // what was met is stored then
				shared = append(shared, tried)
			}
			if got := fmt.Sprint(shared); got != tt.want {
				t.Errorf("the starts are shared: %s, want %s", got, tt.want)
			}
		})
	}
}

// TestNotSharedByItself: without pins, and for a web address, nothing is known and nothing is shared.
func TestNotSharedByItself(t *testing.T) {
	if Shares(&config.Server{Command: "unknown"}, nil) {
		t.Error("without pins, an unknown server is shared")
	}
	if Shares(&config.Server{URL: "https://example.com", Share: new(true)}, pin.Open(t.TempDir())) {
		t.Error("a web address is shared")
	}
}

// folders is a client that works in folders.
type folders struct{ Client }

func (folders) Capabilities() json.RawMessage { return json.RawMessage(`{"roots":{}}`) }
func (folders) Modern() bool                  { return false }
func (folders) Ask(_ context.Context, _ ServerID, method string, _ json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"roots":[{"uri":"file:///` + method + `"}]}`), nil
}
func (folders) Hear(ServerID, string, json.RawMessage) {}

// TestSharedWithFolders: a shared server is told the folders of the app only if it is known to ask for them, from its
// package or since it has asked before.
func TestSharedWithFolders(t *testing.T) {
	const told = `{"roots":[{"uri":"file:///roots/list"}]}`
	asks := fakeserver.Script{AskOnCall: "roots/list"}
	for name, tt := range map[string]struct {
		args   []string
		script fakeserver.Script
		want   []string // for each start
	}{
		"known to ask": {[]string{"@modelcontextprotocol/server-filesystem"}, fakeserver.Script{}, []string{told}},
		"has asked":    {nil, asks, []string{"", told}},
		"does not ask": {nil, fakeserver.Script{}, []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChanging(t)
			c.server.Share, c.server.Args = new(true), tt.args
			c.has(tt.script)
			for _, want := range tt.want {
				var roots string
				m := newManager(t, oneToolbox("box", c.server), Options{Pins: c.pins, Client: folders{},
					Share: func(_ context.Context, o downstream.Sharing) (downstream.Peer, error) {
						roots = string(o.Roots)
						return nil, words.New("pool.over").Err()
					}})
				open(t, m, "box")
				if err := call(m, "echo"); err != nil {
					t.Error(err)
				}
				if tt.script.AskOnCall != "" {
					eventually(t, func() error { // what it asks is stored soon, and not at once
						if record, err := c.pins.Load(pin.KeyOf(c.server)); err != nil || record == nil || !record.Met.Roots {
							return fmt.Errorf("the file has %+v, %v", record, err)
						}
						return nil
					})
				}
				m.Shutdown(t.Context())
				if roots != want {
					t.Errorf("it is told %q, want %q", roots, want)
				}
			}
		})
	}
}

// TestWhyAlone: after the shared server was lost, the state says why the server runs for one engine alone, and nothing
// of the calls that were lost then.
func TestWhyAlone(t *testing.T) {
	lost := words.NewError("pool.lost", "How", words.New("pool.host_gone")).Because(downstream.ErrUnknown)
	for want, why := range map[words.Code]error{"pool.ended": lost, "pool.over": words.New("pool.over").Err()} {
		server := fake("s", fakeserver.Script{})
		server.Share = new(true)
		m := newManager(t, oneToolbox("box", server), Options{
			Share: func(context.Context, downstream.Sharing) (downstream.Peer, error) { return nil, why }})
		open(t, m, "box")
		if got := m.Status().Servers[0].Process.Alone; got.Code != want {
			t.Errorf("after %v, the state says %v", why, got)
		}
	}
}

// TestCouldShare: the state of a server that runs for this engine alone has the key of the process that engines could
// share, unless its entry says something of sharing, or it asks for the folders of the app.
func TestCouldShare(t *testing.T) {
	for name, tt := range map[string]struct {
		share  *bool
		args   []string
		client Client
		want   string
	}{
		"the entry says nothing":       {nil, nil, nil, "key of box s"},
		"it has a browser":             {nil, []string{"@playwright/mcp"}, nil, "key of box s"},
		"the entry says no":            {new(false), nil, nil, ""},
		"the entry says yes":           {new(true), nil, nil, ""},
		"it asks for folders":          {nil, []string{"@modelcontextprotocol/server-filesystem"}, nil, ""},
		"the client is of the new era": {nil, nil, modern{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := fake("s", fakeserver.Script{})
			server.Share, server.Args = tt.share, tt.args
			m := newManager(t, oneToolbox("box", server), Options{Client: tt.client,
				ShareKey: func(o downstream.Sharing) string { return "key of " + o.Of.Toolbox + " " + o.Of.Server.Name }})
			open(t, m, "box")
			if got := m.Status().Servers[0].Process.Key; got != tt.want {
				t.Errorf("the key is %q, want %q", got, tt.want)
			}
		})
	}
}

// modern is a client of 2026-07-28.
type modern struct{ folders }

func (modern) Modern() bool { return true }
