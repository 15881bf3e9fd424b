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

// DefaultDeadline is how long opening a toolbox, or a call that opens one, waits for servers before
// it answers without them. Clients give up after 60 s; this lies below (contract.md, section 5).
const DefaultDeadline = 45 * time.Second

// Options say how a [Manager] connects servers. The zero value works.
type Options struct {
	// Lookup finds the values of ${VAR} and ${keyring:NAME}. The zero value finds nothing.
	Lookup config.Lookup
	// Environ is the environment that servers inherit, as os.Environ returns it; nil means our own.
	Environ []string
	// EnvironFor returns the environment for a command, in place of Environ. It may be nil. It may take a while,
	// since only the server that is about to start waits for it.
	EnvironFor func(ctx context.Context, command string) []string
	// Start starts the process of a server; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Deadline for servers to connect, 0 means [DefaultDeadline].
	Deadline time.Duration
	// Answering is how long the person has to answer a question before a call, unless the entry sets a time limit for
	// calls; 0 means Deadline.
	Answering time.Duration
	// Tokens knows to which remote servers the user has signed in; see [downstream.Options].
	Tokens downstream.Tokens
	// Version of the program, told to servers.
	Version string
	// Approve returns nil when an entry may be started in a toolbox, else why not; nil means that all may. It may
	// take its time.
	Approve func(ctx context.Context, toolbox string, entry *config.Server) error
	// Changed is called, never concurrently with itself, when what open toolboxes have of a kind may have
	// changed. It must not call back into the Manager.
	Changed func(kind downstream.Kind)
	// Pins keep what the tools of servers were, so that a change is noticed; nil: no change is.
	Pins *pin.Store
	// Client answers the requests of servers; nil means that they cannot ask anybody.
	Client Client
	// Ask asks the person whether a call may go on. It returns the answer, or an error that says why there is none,
	// and returns soon after ctx has ended. When it is nil, calls that need the person's permission fail.
	Ask func(ctx context.Context, q status.Question) (status.Answer, error)
	// Called is told of each call that has ended: how long it took without the person's time, and whether it failed.
	// Calls that the person did not allow are left out, since no server has got them. Opened is told what each
	// [Manager.Open] brought. Both must return at once. Nil: nobody wants to know.
	Called func(id ToolID, took time.Duration, failed bool)
	Opened func(*Opened)
	// Exposed returns the name under which clients see a tool in dynamic mode, "" when they don't. Nil means that no
	// tool has one.
	Exposed func(ToolID) string
	Logger  *slog.Logger
}
