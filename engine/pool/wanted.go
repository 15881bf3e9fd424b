package pool

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// wanted is the first line of an engine: which server it wants to use.
type wanted struct {
	Build string
	// Server is the entry, expanded, with the folder in which it starts.
	Server  *config.Server
	Environ []string
	// Capabilities are those of the app that a server may make use of.
	Capabilities json.RawMessage
	// Roots is the answer to roots/list; nil if the server is offered none.
	Roots json.RawMessage `json:",omitempty"`
	// ClientName and ClientVersion are what the server is told.
	ClientName, ClientVersion string
	MaxMessage                int
}

// key identifies the process that the engine would start by itself. The name of the entry does not count, nor do the
// time limits, which the engine applies.
func (w *wanted) key() string {
	environ := slices.Sorted(slices.Values(w.Environ))
	same := []any{w.Server.Command, w.Server.Args, w.Server.Env, w.Server.Cwd, environ, w.Capabilities, w.Roots, w.ClientName,
		w.ClientVersion, w.MaxMessage}
	data, err := json.Marshal(same)
	if err != nil {
		data = w.Capabilities // they are not JSON, and Connect refuses them
	}
	sum := sha256.Sum256(data)
	return string(sum[:])
}

// offered returns what a shared server may ask an app, in one form for what means the same. Roots are no part of it: they
// differ between the apps.
func offered(capabilities json.RawMessage) json.RawMessage {
	var kept []jsonrpc.Member
	keep := func(name, usual string, parts ...string) {
		value := jsonrpc.Lookup(capabilities, name)
		if value == nil {
			return
		}
		var has []jsonrpc.Member
		for _, part := range parts {
			if jsonrpc.Lookup(value, part) != nil {
				has = append(has, jsonrpc.Member{Name: part, Value: json.RawMessage("{}")})
			}
		}
		if len(has) == 0 && usual != "" {
			has = append(has, jsonrpc.Member{Name: usual, Value: json.RawMessage("{}")})
		}
		kept = append(kept, jsonrpc.Member{Name: name, Value: jsonrpc.AppendObject(nil, has)})
	}
	keep("elicitation", "form", "form", "url") // the specification says that {} means forms
	keep("sampling", "", "context", "tools")
	return jsonrpc.AppendObject(nil, kept)
}

// options returns the options for the session of the shared server.
func (w *wanted) options() downstream.Options {
	entry := *w.Server
	entry.StartupTimeout, entry.CallTimeout = new(time.Duration(0)), nil // each engine has its own, and leaves or cancels
	capabilities := w.Capabilities
	if w.Roots != nil {
		capabilities = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(capabilities), "roots", json.RawMessage("{}")))
	}
	return downstream.Options{Server: &entry, Environ: w.Environ, ClientName: w.ClientName,
		ClientVersion: w.ClientVersion, MaxMessage: w.MaxMessage, Capabilities: capabilities}
}
