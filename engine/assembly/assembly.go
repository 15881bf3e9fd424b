// Package assembly is the engine as clients start it: the MCP server on standard input and output, the follower
// of the configuration file, and the connection to the desktop app. It imports nothing that changes the
// computer; such code is in engine/manage.
package assembly

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// Options are the options of an engine. All are required unless stated otherwise.
type Options struct {
	In      io.Reader // from the client
	Out     io.Writer // to the client
	Logger  *slog.Logger
	Logs    *logs.Writer  // stores the logs of servers; nil: they are not stored
	Usage   *usage.Writer // counts the calls; nil: they are not counted
	Started time.Time     // when the program was started
	Version string        // of the program

	// Follower has the configuration. The caller starts it; several engines can share it.
	Follower *Follower

	SignIns *signin.Store // nil: there are none
	Environ *environ.Environ
	Pins    *pin.Store // nil: changes of servers' tools are not noticed

	// Start starts the process of a server; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)

	// Share attaches to a shared server, and ShareKey identifies its process, see [toolbox.Options]; nil: none is
	// shared.
	Share    func(context.Context, downstream.Sharing) (downstream.Peer, error)
	ShareKey func(downstream.Sharing) string

	Client   Client
	ToolMode config.ToolMode // overrides the configured mode unless it is ""
	Deadline time.Duration   // how long opening a toolbox waits for slow servers

	Endpoint string // where the desktop app listens; "" means [ipc.DefaultEndpoint]
	Alone    bool   // do not connect to the desktop app
}

// Client is what is known about the client before it says anything. All of it may be empty.
type Client struct {
	ID     string // in the entry that the client has
	App    string // the app's name; without it, the client says it
	Folder string // in which it has started the engine
}

// logPatience is how long an engine that ends waits for the disk to store the last lines of its logs and the
// last counts of its calls.
const logPatience = time.Second

// Run runs the engine until the client closes its end or ctx ends, which is no error.
func Run(ctx context.Context, o Options) error {
	follower, document := o.Follower, o.Follower.Document()
	// Clients pass on only a part of the user's environment. The whole one is determined when a server needs it.
	environment := o.Environ
	servers := toolbox.Options{Lookup: config.SystemLookup(), EnvironFor: environment.For, Start: o.Start,
		ShareKey: o.ShareKey, Deadline: o.Deadline}
	var app atomic.Value // the name of the client, a string
	app.Store(client.Called(o.Client.ID, o.Client.App))
	servers.App = func() string { return app.Load().(string) }
	if o.Share != nil {
		servers.Share = func(ctx context.Context, of downstream.Sharing) (downstream.Peer, error) {
			of.App, of.Config = servers.App(), follower.location.Path
			return o.Share(ctx, of)
		}
	}
	servers.Pins = o.Pins
	if o.SignIns != nil {
		servers.Tokens = o.SignIns
	}
	if follower.approvals != nil {
		servers.Approve = follower.approvals.In(follower.location.Path)
	}
	var agent *ipc.Agent
	if !o.Alone {
		servers.Ask = func(ctx context.Context, q status.Question) (status.Answer, error) { return agent.Ask(ctx, q) }
	}
	if o.Usage != nil {
		servers.Called = func(id toolbox.ToolID, took time.Duration, failed bool) {
			o.Usage.Call(id.Toolbox, id.Server, id.Tool, took, failed)
		}
		servers.Opened = func(opened *toolbox.Opened) { countOpened(o.Usage, opened) }
	}
	server := mcpserver.New(document.Config, mcpserver.Options{
		Version:  o.Version,
		ClientID: o.Client.ID,
		App:      o.Client.App,
		ToolMode: o.ToolMode,
		Folder:   o.Client.Folder,
		Identified: func(name, version string) {
			if o.Client.App != "" {
				name, version = o.Client.App, ""
			}
			app.Store(client.Called(o.Client.ID, name))
			agent.SetClient(name, version)
			o.Logs.SetClient(name)
			o.Usage.SetApp(name)
		},
		Toolbox: servers,
		Logger:  o.Logger,
	})
	defer server.Toolboxes().Watch(o.Logs.Server, nil)()
	o.Usage.SetOffered(func() []usage.Toolbox { return offered(server.Toolboxes().Config()) })
	agent = ipc.NewAgent(ipc.AgentOptions{
		Endpoint: o.Endpoint,
		About: ipc.About{Pid: os.Getpid(), Program: o.Version, Config: follower.location.Path, Started: o.Started,
			ClientID: o.Client.ID},
		Source: server.Toolboxes(),
		Reread: follower.Reread,
		Logger: o.Logger,
	})

	beside, stop := context.WithCancel(ctx)
	var running background.Group
	running.Go(func() {
		background.Keep(beside, func() { follower.follow(beside, server, document, o.Logger) })
	})
	if !o.Alone {
		running.Go(func() {
			background.Keep(beside, func() { _ = agent.Run(beside) })
		})
	}
	if out, ok := o.Out.(*os.File); ok {
		process.WidenPipe(out)
	}
	err := server.Run(ctx, o.In, o.Out)
	o.Usage.Close(logPatience)
	o.Logs.Close(logPatience) // before agent ends, since the app then reads the rest of the logs
	stop()
	running.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// offered returns the toolboxes of a configuration, for counting usage.
func offered(cfg *config.Config) []usage.Toolbox {
	toolboxes := make([]usage.Toolbox, len(cfg.Toolboxes))
	for i, t := range cfg.Toolboxes {
		toolboxes[i].Name, toolboxes[i].Open = t.Name, t.Open
		for _, server := range t.Enabled() {
			toolboxes[i].Servers = append(toolboxes[i].Servers, server.Name)
		}
	}
	return toolboxes
}

// countOpened counts that a toolbox was opened, and the size of its tools.
func countOpened(w *usage.Writer, opened *toolbox.Opened) {
	tools, size := 0, 0
	for _, server := range opened.Servers {
		tools += len(server.Tools)
		for i := range server.Tools {
			size += len(server.Tools[i].Definition)
		}
	}
	w.Opened(opened.Toolbox, tools, size)
}
