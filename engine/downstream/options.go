// Package downstream keeps one connection to one MCP server: it starts the
// server, shakes hands, lists its tools, and carries calls and results as raw
// JSON.
//
// Everything a server sends is hostile until checked. Lines are capped, what
// isn't JSON-RPC is logged and passed over, a tool that is malformed is set
// aside alone, and a server that doesn't read, answer or end can't make anybody
// wait longer than agreed (contract.md, section 7).
package downstream

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// DefaultMaxMessage is the size in bytes that one message of a server may have.
const DefaultMaxMessage = 64 << 20

// Time limits, see [Options].
const (
	// DefaultHandshakeTimeout is what a server gets to answer initialize.
	DefaultHandshakeTimeout = 10 * time.Second
	// RunnerHandshakeTimeout is the same for package runners such as npx, which
	// may have to install the server first.
	RunnerHandshakeTimeout = 120 * time.Second
	// minListTimeout is the least a server gets to list its tools.
	minListTimeout = 30 * time.Second
)

// Options says what to connect to, and how. Toolbox and Server are required.
type Options struct {
	// Toolbox is the name of the toolbox that the server is in, for the log.
	Toolbox string
	// Server is the server's entry with its references expanded. It isn't changed.
	Server *config.Server
	// Environ is the environment that the server's own variables are added to. It
	// is what the server inherits, so it has been chosen; nil means ours.
	Environ []string
	// ClientName and ClientVersion go into clientInfo.
	ClientName, ClientVersion string
	// Logger gets one line per event; nil means silence.
	Logger *slog.Logger
	// MaxMessage is the size in bytes that one message may have; 0 means
	// [DefaultMaxMessage].
	MaxMessage int
	// HandshakeTimeout takes the place of all limits on connecting, those of the
	// server's entry included.
	HandshakeTimeout time.Duration
	// Check judges one definition of a list. Nil means a minimal check of tools: an
	// object with a name and an inputSchema of type object.
	Check func(kind Kind, definition json.RawMessage) error
	// Tokens knows to which remote servers the user has signed in. Nil: to none.
	Tokens Tokens
	// Start starts the server's process; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Capabilities are the client capabilities that the server is told of, a JSON
	// object; nil means none.
	Capabilities json.RawMessage
	// PreferModern has a server of both eras used in the modern one (2026-07-28): it is asked with server/discover before
	// initialize. That suits a client of the modern era, to which nothing has to be translated then.
	PreferModern bool
	// OnListChanged is called when one of the server's lists has become another one.
	// Calls come one at a time from a goroutine of their own, and several changes may
	// come as one. It must not call Close.
	OnListChanged func(Kind)
	// OnRequest answers a request of the server, such as sampling/createMessage. An
	// [*RPCError] passes as it is. Each call has a goroutine of its own; ctx ends when
	// the server withdraws the request and when the session ends. params belong to the
	// callee. Nil refuses all requests but ping.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// OnNotification gets what the server tells besides progress and changed lists:
	// messages, updated resources, the status of tasks, and the end of an elicitation.
	// It is called on the read loop and must not block; params are valid until it
	// returns. Nil passes over them.
	OnNotification func(method string, params json.RawMessage)
	// OnLog gets what the server says besides answering. It is called from the
	// goroutines that read from the server and must not block. Servers that flood
	// are cut short, and a line says so; [Session.Log] is complete up to its size.
	OnLog func(LogLine)
}

// withDefaults fills in what is absent.
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
	o.Logger = o.Logger.With("toolbox", o.Toolbox, "server", o.Server.Name)
	return o
}

// environment is the server's complete environment. Its own variables come last
// and so take precedence.
func (o Options) environment() []string {
	env := append([]string(nil), o.Environ...)
	for _, variable := range o.Server.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return env
}

// handshakeTimeout is the limit for initialize; 0 means none.
func (o Options) handshakeTimeout() time.Duration {
	switch {
	case o.HandshakeTimeout > 0:
		return o.HandshakeTimeout
	case o.Server.StartupTimeout != nil:
		return *o.Server.StartupTimeout
	case isRunner(o.Server.Command, o.Server.Args):
		return RunnerHandshakeTimeout
	default:
		return DefaultHandshakeTimeout
	}
}

// listTimeout is the limit for listing tools; 0 means none.
func (o Options) listTimeout() time.Duration {
	limit := o.handshakeTimeout()
	if limit == 0 || o.HandshakeTimeout > 0 {
		return limit
	}
	return max(limit, minListTimeout)
}

// callTimeout is the limit for one call; 0 means none.
func (o Options) callTimeout() time.Duration {
	if o.Server.CallTimeout == nil {
		return 0
	}
	return *o.Server.CallTimeout
}

// MayInstall reports whether starting a server may download it first, as package
// runners such as npx do.
func MayInstall(server *config.Server) bool {
	return server.URL == "" && isRunner(server.Command, server.Args)
}

// isRunner reports whether a command may have to install what it runs.
func isRunner(command string, args []string) bool {
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	switch process.Name(command) {
	case "npx", "npm", "uvx", "uv", "bunx", "pnpx", "pipx", "docker", "podman", "deno":
		return true
	case "bun":
		return first == "x"
	case "pnpm", "yarn":
		return first == "dlx"
	case "cmd": // cmd /c npx …, as Windows guides tell people to write
		return len(args) > 1 && strings.EqualFold(first, "/c") && isRunner(args[1], args[2:])
	}
	return false
}
