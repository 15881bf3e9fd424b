package pool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// wanted is the first line of an engine: which server it wants to use.
type wanted struct {
	Build string
	// Asks is set by a program that wants no server, but to know who uses which.
	Asks bool `json:",omitempty"`
	// For is who wants it, and what for.
	For user
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

// user is an engine that uses a shared server: the name of its app, and where its configuration has the server.
type user struct{ App, Config, Toolbox, Server string }

// place is where a configuration has a server. What the server writes is logged there once, whoever uses it.
func (u user) place() user {
	u.App = ""
	return u
}

// Use is a shared server in use by an app.
type Use struct {
	Pid                          int // of the process of the server; 0 while it rests or starts
	App, Config, Toolbox, Server string
}

// wantedOf returns what an engine wants, but for the build.
func wantedOf(sharing downstream.Sharing) (*wanted, error) {
	o := sharing.Of
	entry := *o.Server
	if entry.Cwd == "" {
		entry.Cwd = paths.WorkFolder()
	}
	if entry.Cwd == "" {
		folder, err := os.Getwd()
		if err != nil {
			return nil, words.NewError("pool.no_folder", "Why", paths.Cause(err))
		}
		entry.Cwd = folder
	}
	return &wanted{For: user{sharing.App, sharing.Config, o.Toolbox, entry.Name}, Server: &entry,
		Environ: shareable(o.Environ, entry.Command, entry.Cwd), Capabilities: offered(o.Capabilities),
		Roots: sharing.Roots, ClientName: o.ClientName, ClientVersion: o.ClientVersion, MaxMessage: o.MaxMessage}, nil
}

// Key identifies the process that an engine would use if it shared the server: engines with the same key would use
// one. It is empty if the server cannot be shared.
func Key(sharing downstream.Sharing) string {
	w, err := wantedOf(sharing)
	if err != nil {
		return ""
	}
	return hex.EncodeToString([]byte(w.key()[:8]))
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

// offered returns what a shared server may ask an app, in one form for what means the same. Roots are no part of it:
// they differ between the apps.
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
