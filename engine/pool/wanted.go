package pool

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

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
	// ClientName and ClientVersion are what the server is told.
	ClientName, ClientVersion string
	MaxMessage                int
}

// key identifies the process that the engine would start by itself. The name of the entry does not count, nor do the
// time limits, which the engine applies.
func (w *wanted) key() string {
	environ := slices.Sorted(slices.Values(w.Environ))
	same := []any{w.Server.Command, w.Server.Args, w.Server.Env, w.Server.Cwd, environ, w.Capabilities, w.ClientName,
		w.ClientVersion, w.MaxMessage}
	data, err := json.Marshal(same)
	if err != nil {
		data = w.Capabilities // they are not JSON, and Connect refuses them
	}
	sum := sha256.Sum256(data)
	return string(sum[:])
}

// passed returns the capabilities of an app of which a shared server can make use. Roots are none: they differ between
// the apps.
func passed(capabilities json.RawMessage) json.RawMessage {
	kept := []jsonrpc.Member{}
	for _, name := range []string{"elicitation", "sampling"} {
		if value := jsonrpc.Lookup(capabilities, name); value != nil {
			kept = append(kept, jsonrpc.Member{Name: name, Value: jsonrpc.AppendCompact(nil, value)})
		}
	}
	return jsonrpc.AppendObject(nil, kept)
}

// shareable returns an environment without the variables of the terminal, or of the one start, of the app that has it. A
// shared server has no terminal, and two apps rarely have the same.
func shareable(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "TERM", "COLORTERM", "NO_COLOR", "TERMINFO", "TERMINFO_DIRS", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID",
			"WAYLAND_SOCKET":
			return true
		}
		return false
	})
}

// options returns the options for the session of the shared server.
func (w *wanted) options() downstream.Options {
	entry := *w.Server
	entry.CallTimeout = nil // each engine has its own, and cancels
	return downstream.Options{Server: &entry, Environ: w.Environ, ClientName: w.ClientName,
		ClientVersion: w.ClientVersion, MaxMessage: w.MaxMessage, Capabilities: w.Capabilities}
}
