package toolbox

import (
	"context"
	"log/slog"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// DefaultDeadline is the default of [Options.Deadline]. It is less than 60 s, after which clients give up
// (contract.md, section 5).
const DefaultDeadline = 45 * time.Second

// Options configures a [Manager]. The zero value works.
type Options struct {
	// Lookup finds the values of ${VAR} and ${keyring:NAME}. The zero value finds nothing.
	Lookup config.Lookup
	// Environ is the environment that servers inherit, in the form of os.Environ; nil means that of this process.
	Environ []string
	// EnvironFor, if not nil, returns the environment for a command instead of Environ. It may block: only the server
	// that is being started waits for it.
	EnvironFor func(ctx context.Context, command string) []string
	// Start starts the process of a server; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Share attaches to a server that several engines share; see package pool. Its error says why
	// the server cannot be shared now. Nil means that each server runs for this engine alone.
	Share func(context.Context, downstream.Sharing) (downstream.Peer, error)
	// ShareKey identifies the process that Share would attach to. Nil means that nobody asks.
	ShareKey func(downstream.Sharing) string
	// App returns the name of the app that uses the engine, for the logs of servers that it shares; nil means "".
	App func() string
	// Deadline is how long opening a toolbox, or a call that opens one, waits for servers; 0 means [DefaultDeadline].
	Deadline time.Duration
	// Answering is how long the person may take to allow a call, unless the server's entry has a time limit for calls; 0
	// means Deadline.
	Answering time.Duration
	// Tokens has the access tokens for remote servers; see [downstream.Options].
	Tokens downstream.Tokens
	// Version is the version of the program, which servers are told.
	Version string
	// Approve returns an error if an entry must not be started in a toolbox. It may block. If it is nil, all entries
	// may be started.
	Approve func(ctx context.Context, toolbox string, entry *config.Server) error
	// Changed is called when the items of a kind in open toolboxes may have changed, one call at a time. It must not
	// call the Manager.
	Changed func(kind downstream.Kind)
	// Pins stores the approved definitions of tools, so that changes are noticed; nil means that they are not.
	Pins *pin.Store
	// Client answers the requests of servers; nil means that these are refused.
	Client Client
	// Ask asks the person whether to allow a call. Its error says why there is no answer. It must return soon after ctx
	// ends. If it is nil, calls that need the person's permission fail.
	Ask func(ctx context.Context, q status.Question) (status.Answer, error)
	// Called is called after each call, except those that the person did not allow. took does not include the time for
	// which the person was asked. Opened is called with the result of each [Manager.Open]. Neither may block. Both may
	// be nil.
	Called func(id ToolID, took time.Duration, failed bool)
	Opened func(*Opened)
	// Exposed returns the name under which clients see a tool in dynamic mode, or "" if they do not see it. Nil means
	// that they see none.
	Exposed func(ToolID) string
	Logger  *slog.Logger
}
