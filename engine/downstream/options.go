// Package downstream keeps one connection to one MCP server. It starts the server, does the handshake, lists
// its tools, and passes calls and results on as raw JSON.
//
// Everything that a server sends is treated as hostile until it was checked. The length of lines is limited,
// lines that are not JSON-RPC are logged and skipped, a malformed tool is left out alone, and a server that
// does not read, answer or end cannot make anybody wait longer than agreed (contract.md, section 7).
package downstream

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// DefaultMaxMessage is the default of [Options.MaxMessage], in bytes.
const DefaultMaxMessage = 64 << 20

// Time limits; see [Options].
const (
	// DefaultHandshakeTimeout limits the answer to initialize.
	DefaultHandshakeTimeout = 10 * time.Second
	// RunnerHandshakeTimeout is the same limit for package runners such as npx, which may have to install the
	// server first.
	RunnerHandshakeTimeout = 120 * time.Second
	// minListTimeout is the shortest time limit for listing tools.
	minListTimeout = 30 * time.Second
)

// Options says what to connect to and how. Toolbox and Server are required.
type Options struct {
	// Toolbox is the name of the toolbox that the server is in, for the log.
	Toolbox string
	// Server is the server's entry with its references expanded. It isn't changed.
	Server *config.Server
	// Environ is the environment that the server inherits, to which its own variables are added; nil means
	// that of this process.
	Environ []string
	// ClientName and ClientVersion go into clientInfo.
	ClientName, ClientVersion string
	// Logger gets one line for each event; nil means no logging.
	Logger *slog.Logger
	// MaxMessage is the largest size of one message in bytes; 0 means [DefaultMaxMessage].
	MaxMessage int
	// HandshakeTimeout replaces all time limits on connecting, including those of the server's entry.
	HandshakeTimeout time.Duration
	// Check checks one definition of a list. Nil means a minimal check of tools: an object with a name and an
	// inputSchema of type object.
	Check func(kind Kind, definition json.RawMessage) error
	// Tokens has the access tokens for remote servers to which the user has signed in; nil means none.
	Tokens Tokens
	// Start starts the server's process; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Capabilities are the client capabilities that the server is told, as a JSON object; nil means none.
	Capabilities json.RawMessage
	// PreferModern uses a server of both eras in the modern one (2026-07-28), by sending server/discover
	// before initialize. Set it for a client of the modern era, for which nothing then has to be translated.
	PreferModern bool
	// OnListChanged is called when one of the server's lists has changed. Calls come one at a time on a
	// goroutine of their own, and several changes may come as one. It must not call Close.
	OnListChanged func(Kind)
	// OnRequest answers a request of the server, such as sampling/createMessage. An [*RPCError] is passed on
	// unchanged. Each call runs on its own goroutine. ctx ends when the server cancels the request and when
	// the session ends. params belong to OnRequest. If nil, all requests except ping are refused.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// OnNotification is called for the server's notifications except progress and changed lists: messages,
	// updated resources, the status of tasks, and the end of an elicitation. It runs on the read loop and
	// must not block; params are valid until it returns. If nil, they are ignored.
	OnNotification func(method string, params json.RawMessage)
	// OnLog is called for each log line of the server. It runs on the goroutines that read from the server
	// and must not block. If a server logs too much, lines are left out and a line says so; [Session.Log] has
	// all lines up to its size.
	OnLog func(LogLine)

	secrets *secrets // of Server
	version string   // the version that initialize offers; "" means the newest
}

// withDefaults returns the options with defaults for unset fields.
func (o Options) withDefaults() Options {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.ClientName == "" {
		o.ClientName = "mcp-workbench"
	}
	if o.ClientVersion == "" {
		o.ClientVersion = "0.0.0"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	if o.Start == nil {
		o.Start = process.Start
	}
	if o.Check == nil {
		o.Check = checkTools
	}
	if o.Capabilities == nil {
		o.Capabilities = json.RawMessage("{}")
	}
	o.secrets = newSecrets(o.Server)
	o.Logger = o.Logger.With("toolbox", o.Toolbox, "server", o.Server.Name)
	return o
}

// environment returns the server's complete environment. Its own variables come last and so take precedence.
func (o Options) environment() []string {
	env := append([]string(nil), o.Environ...)
	for _, variable := range o.Server.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return env
}

// handshakeTimeout returns the time limit of initialize; 0 means none.
func (o Options) handshakeTimeout() time.Duration {
	switch {
	case o.HandshakeTimeout > 0:
		return o.HandshakeTimeout
	case o.Server.StartupTimeout != nil:
		return *o.Server.StartupTimeout
	case launcher.MayInstall(o.Server.Command, o.Server.Args):
		return RunnerHandshakeTimeout
	default:
		return DefaultHandshakeTimeout
	}
}

// listTimeout returns the time limit for listing tools; 0 means none.
func (o Options) listTimeout() time.Duration {
	limit := o.handshakeTimeout()
	if limit == 0 || o.HandshakeTimeout > 0 {
		return limit
	}
	return max(limit, minListTimeout)
}

// callTimeout returns the time limit of one call; 0 means none.
func (o Options) callTimeout() time.Duration {
	if o.Server.CallTimeout == nil {
		return 0
	}
	return *o.Server.CallTimeout
}

// MayInstall reports whether starting a server may first download it, as package runners such as npx do.
func MayInstall(server *config.Server) bool {
	return server.URL == "" && launcher.MayInstall(server.Command, server.Args)
}
