// Package downstream keeps one connection to one MCP server. It starts the server, does the handshake, lists
// its tools, and passes calls and results on as raw JSON.
//
// Everything that a server sends is checked, since it may be hostile. The length of lines is limited, lines that are
// not JSON-RPC are logged and skipped, only malformed tools are left out, and there are time limits for a server that
// does not read, answer or exit (contract.md, section 7).
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

// Options configures a [Session]. Server is required.
type Options struct {
	// Toolbox is the name of the toolbox that the server is in, for the log.
	Toolbox string
	// Server is the server's entry with its references expanded. It isn't changed.
	Server *config.Server
	// Environ is the environment that the server inherits, without the variables of its entry, or for a remote server
	// the one with the user's proxies and certificates; nil means that of this process.
	Environ []string
	// ClientName and ClientVersion go into clientInfo.
	ClientName, ClientVersion string
	// Logger gets one line for each event; nil means no logging.
	Logger *slog.Logger
	// MaxMessage is the largest size of one message in bytes; 0 means [DefaultMaxMessage].
	MaxMessage int
	// HandshakeTimeout, if not 0, replaces all time limits for connecting, including that of the server's entry.
	HandshakeTimeout time.Duration
	// Check returns an error for an invalid definition; nil means that only tools are checked, and only for a name and
	// an inputSchema of type object.
	Check func(kind Kind, definition json.RawMessage) error
	// Tokens provides access tokens for remote servers; nil means that there are none.
	Tokens Tokens
	// Start starts the server's process; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Attach, if not nil, returns a running server in place of starting a process; see [Lost] for how it ends.
	Attach func(context.Context) (Peer, error)
	// Capabilities is a JSON object with the client's capabilities; nil means none.
	Capabilities json.RawMessage
	// PreferModern makes a server of both eras be used in the modern one: server/discover is sent before initialize.
	// It is set for a client of the modern era, so that nothing has to be translated.
	PreferModern bool
	// OnListChanged is called when one of the server's lists has changed, one call at a time. Several changes may give
	// one call. It must not call Close.
	OnListChanged func(Kind)
	// OnRequest answers a request of the server, such as sampling/createMessage. An [*RPCError] is sent to the server
	// unchanged. Each call runs on its own goroutine. ctx ends when the server cancels the request or the session ends.
	// params belongs to OnRequest. If OnRequest is nil, all requests except ping are refused.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// OnNotification, if not nil, is called for log messages, updated resources, the status of tasks, and the end of an
	// elicitation. It runs on the read loop and must not block. params is valid until it returns.
	OnNotification func(method string, params json.RawMessage)
	// OnLog, if not nil, is called for each line of the server's log. It runs on the goroutines that read from the
	// server and must not block. If there are too many lines, some are left out, and a line says how many.
	OnLog func(LogLine)

	secrets *secrets // of Server
	version string   // the version that initialize offers; "" means the newest
}

// remote reports whether the server is at an address.
func (o Options) remote() bool {
	return o.Server.Transport == config.TransportHTTP || o.Server.Transport == config.TransportSSE
}

// withDefaults returns o with defaults for unset fields.
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

// environment returns the server's environment. The variables of its entry come last, so they take precedence.
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

// listTimeout returns the time limit for requesting a list; 0 means none.
func (o Options) listTimeout() time.Duration {
	limit := o.handshakeTimeout()
	if limit == 0 || o.HandshakeTimeout > 0 {
		return limit
	}
	return max(limit, minListTimeout)
}

// callTimeout returns the time limit of a call; 0 means none.
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

// Sharing is what an engine wants of a server that several engines share.
type Sharing struct {
	Of Options
	// Roots is what the server is told when it asks for the folders that the app works in; nil means that it is offered
	// none. Engines with other roots do not share it.
	Roots json.RawMessage
	// Moved is called when the server runs in another process than before. It must not block. It may be nil.
	Moved func()
	// First is called when the server is started, and not just used as it runs already. It must not block. It may be
	// nil.
	First func()
	// App is the name of the app of this engine, and Config the path of its configuration.
	App, Config string
}
