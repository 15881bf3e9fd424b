package engines

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// shutdownPatience is how long the servers of the app's own engine may take to end when the app ends. Then they are
// killed.
const shutdownPatience = 8 * time.Second

// LocalOptions configure the app's own engine.
type LocalOptions struct {
	Name    string                                       // its name as shown to the user
	Path    string                                       // the path of the configuration file
	Version string                                       // the version of the program
	Lookup  config.Lookup                                // returns the values of ${VAR} and ${keyring:NAME}
	Environ *environ.Environ                             // gives servers the environment of the user's shell; may be nil
	Start   func(process.Spec) (*process.Process, error) // starts the process of a server; nil means [process.Start]
	SignIns *signin.Store                                // may be nil
	Pins    *pin.Store                                   // may be nil
	Logger  *slog.Logger                                 // may be nil
	Logs    *logs.Writer                                 // keeps the logs of the servers and of this engine; may be nil
	// Approvals say what may be started. If nil, everything may be started.
	Approvals *approval.Approvals
}

// Local is the engine inside the app. It runs servers that the user starts or tries in the window. It is connected to
// the hub like any other engine, so the rest of the window treats it as one of them.
type Local struct {
	Manager   *toolbox.Manager // runs the servers
	Questions *Questions       // passes the questions of servers to the user

	about  ipc.About
	logger *slog.Logger
	logs   *logs.Writer
	config atomic.Pointer[config.Config]
}

// keepPatience is how long the app waits at its end until the last log lines are written.
const keepPatience = time.Second

// NewLocal returns the app's own engine. It has no servers before Follow is called.
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
	boxes := toolbox.Options{Lookup: options.Lookup, Version: options.Version, Logger: options.Logger,
		Client: l.Questions, Start: options.Start,
		Pins: options.Pins, Ask: allow}
	if options.SignIns != nil {
		boxes.Tokens = options.SignIns
	}
	if options.Approvals != nil {
		boxes.Approve = options.Approvals.In(options.Path)
	}
	if options.Environ != nil {
		boxes.EnvironFor = options.Environ.For
	}
	l.Manager = toolbox.NewManager(empty, boxes)
	l.Questions.notes = l.Manager
	return l
}

// allow allows all calls: in the app's own engine only the user makes calls, with a button.
func allow(context.Context, status.Question) (status.Answer, error) { return status.AllowOnce, nil }

// Follow applies a configuration. It does nothing for nil or for the current one.
func (l *Local) Follow(now *config.Config) {
	if now != nil && l.config.Swap(now) != now {
		l.Manager.SetConfig(now)
	}
}

// attacher is the part of an [ipc.Hub] that the app's own engine needs.
type attacher interface{ Attach(conn net.Conn) }

// Run connects the engine to the hub until the context is cancelled, then ends all servers, and returns the context's
// error.
func (l *Local) Run(ctx context.Context, hub attacher) error {
	agent := ipc.NewAgent(ipc.AgentOptions{About: l.about, Source: l.Manager, Logger: l.logger,
		// called again if the connection to the hub is lost, for example after sleep
		Dial: func(context.Context) (net.Conn, error) {
			ours, theirs := net.Pipe()
			hub.Attach(theirs)
			return ours, nil
		}})
	defer l.Manager.Watch(l.logs.Server, nil)()
	var wg background.Group
	wg.Go(func() { _ = agent.Run(ctx) }) // it ends with the context and returns only its error
	<-ctx.Done()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
	defer cancel()
	l.Manager.Shutdown(patience)
	l.logs.Close(keepPatience)
	wg.Wait()
	return ctx.Err()
}

// call calls a tool for "Try it". Questions of the server go to the user. If the server wants the user to visit pages
// first, call calls the tool again after the visits. progress is called on other goroutines, whenever the server
// reports progress.
func (l *Local) call(ctx context.Context, id toolbox.ToolID, arguments json.RawMessage,
	progress func(done, total float64, message string)) (json.RawMessage, error) {
	try := l.Questions.Begin(ctx, id)
	defer l.Questions.End(try)
	for {
		result, err := l.Manager.Call(try.ctx, id,
			downstream.Call{Arguments: arguments, Progress: func(params json.RawMessage) {
				var told struct {
					Progress, Total float64
					Message         string
				}
				if json.Unmarshal(params, &told) == nil { // ignore progress in any other form
					progress(told.Progress, told.Total, told.Message)
				}
			}})
		if err == nil {
			return jsonrpc.AppendObject(nil, result), nil
		}
		pages := requiredPages(err)
		if len(pages) == 0 {
			return nil, err
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
