package engines

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// shutdownPatience is how long the servers that the window has started may take to end when it ends. They are killed then.
const shutdownPatience = 8 * time.Second

// LocalOptions say what our own engine is and has.
type LocalOptions struct {
	Name    string // by which people know it
	Path    string // of the configuration file
	Version string // of the program
	Lookup  config.Lookup
	Environ *environ.Environ                             // may be nil
	Start   func(process.Spec) (*process.Process, error) // of a server's process; nil means [process.Start]
	SignIns *signin.Store                                // may be nil
	Pins    *pin.Store                                   // may be nil
	Logger  *slog.Logger                                 // may be nil
	Logs    *logs.Writer                                 // keeps what servers and this engine say; may be nil
	// Approvals say what may be started; nil: everything may.
	Approvals *approval.Approvals
}

// Local is the engine inside the app, for servers that are started in the window, "Try it" and trying a server that was just added. It is connected to the
// hub like any other, so that nothing in the window knows the difference.
type Local struct {
	Manager   *toolbox.Manager
	Questions *Questions

	about  ipc.About
	logger *slog.Logger
	logs   *logs.Writer
	config atomic.Pointer[config.Config]
}

// keepPatience is how long the end waits for the disk to take the last lines of logs.
const keepPatience = time.Second

// NewLocal gives our own engine, with no servers until Follow.
func NewLocal(options LocalOptions) *Local {
	if options.Logs != nil {
		handler := logs.Handler(options.Logs)
		if options.Logger != nil {
			handler = slog.NewMultiHandler(options.Logger.Handler(), handler)
		}
		options.Logger = slog.New(handler)
	}
	l := &Local{logs: options.Logs, logger: options.Logger, about: ipc.About{
		Pid: os.Getpid(), Program: options.Version, Config: options.Path, Started: time.Now(),
		ClientID: "workbench", ClientName: options.Name, ClientVersion: options.Version,
	}}
	empty := &config.Config{ToolMode: config.ModeAuto}
	l.config.Store(empty)
	l.Questions = newQuestions()
	boxes := toolbox.Options{Lookup: options.Lookup, Version: options.Version, Logger: options.Logger, Client: l.Questions, Start: options.Start,
		Pins: options.Pins, Ask: allow}
	if options.SignIns != nil {
		boxes.Tokens = options.SignIns
	}
	if options.Approvals != nil {
		boxes.Approve = options.Approvals.Check
	}
	if options.Environ != nil {
		boxes.EnvironFor = options.Environ.For
	}
	l.Manager = toolbox.NewManager(empty, boxes)
	l.Questions.note = l.Manager.Note
	return l
}

// allow lets all calls go on: only the person makes calls here, and has pressed a button for each.
func allow(context.Context, status.Question) (status.Answer, error) { return status.AllowOnce, nil }

// Follow takes up a configuration; nil and the one that is in force change nothing.
func (l *Local) Follow(now *config.Config) {
	if now != nil && l.config.Swap(now) != now {
		l.Manager.SetConfig(now)
	}
}

// attacher is what the own engine needs of a [ipc.Hub].
type attacher interface{ Attach(conn net.Conn) }

// Run serves the hub until the context ends, then ends all servers, and returns the context's error.
func (l *Local) Run(ctx context.Context, hub attacher) error {
	agent := ipc.NewAgent(ipc.AgentOptions{About: l.about, Source: l.Manager, Logger: l.logger,
		Dial: func(context.Context) (net.Conn, error) { // again when the hub is lost, as when the computer slept
			ours, theirs := net.Pipe()
			hub.Attach(theirs)
			return ours, nil
		}})
	defer l.Manager.Watch(l.logs.Server, nil)()
	var wg sync.WaitGroup
	wg.Go(func() { _ = agent.Run(ctx) }) // ends with the context, and says just that
	<-ctx.Done()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
	defer cancel()
	l.Manager.Shutdown(patience)
	l.logs.Close(keepPatience)
	wg.Wait()
	return ctx.Err()
}

// call calls a tool for "Try it". What its server asks meanwhile goes to the person. Progress is told as the server tells it, and on
// other goroutines.
func (l *Local) call(ctx context.Context, id toolbox.ToolID, arguments json.RawMessage, progress func(done, total float64, message string)) (json.RawMessage, error) {
	try := l.Questions.Begin(ctx, id)
	defer l.Questions.End(try)
	for {
		result, err := l.Manager.Call(try.ctx, id, downstream.Call{Arguments: arguments, Progress: func(params json.RawMessage) {
			var told struct {
				Progress, Total float64
				Message         string
			}
			if json.Unmarshal(params, &told) == nil { // a server that tells something else tells nothing
				progress(told.Progress, told.Total, told.Message)
			}
		}})
		pages := requiredPages(err)
		if len(pages) == 0 {
			return result, err
		}
		visited := l.Questions.visit(try, pages)
		switch {
		case try.ctx.Err() != nil:
			return nil, try.ctx.Err()
		case !visited:
			return nil, err
		}
	}
}
