package link

import (
	"context"
	"log/slog"
	"net"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Source is the engine as the agent sees it; toolbox.Manager is one. Its methods can be called from any goroutine.
type Source interface {
	// Status returns the newest snapshot.
	Status() status.Snapshot
	// Subscribe returns a channel that gets a value after the status changed; changes may come as one.
	Subscribe() (changed <-chan struct{}, cancel func())
	// Watch has the functions called with every log line and every call, until cancel. They must return at once. Either
	// may be nil.
	Watch(line func(toolbox, server string, line status.LogLine), call func(status.Call)) (cancel func())

	// Restart starts a server anew, whatever its state, and returns when it is connected or has failed.
	Restart(ctx context.Context, toolbox, server string) error
	// OpenToolbox connects the servers of a toolbox.
	OpenToolbox(ctx context.Context, toolbox string) error
	// CloseToolbox ends the servers of a toolbox.
	CloseToolbox(ctx context.Context, toolbox string) error
	// Tools returns all tools of a server, also those that clients may not see; none before it was connected.
	Tools(toolbox, server string) []status.Tool
	// Log returns the last lines of a server's log, oldest first.
	Log(toolbox, server string) []status.LogLine
	// SetPaused ends everything and refuses calls, or takes that back.
	SetPaused(paused bool)
}

// AgentOptions say what an [Agent] tells, and to whom.
type AgentOptions struct {
	// Endpoint is where the app listens, see [DefaultEndpoint].
	Endpoint string
	// About is what is known from the beginning; see [Agent.SetClient] for the rest.
	About  About
	Source Source
	// Reread has the configuration read again. Nil means that it cannot be.
	Reread func()
	Logger *slog.Logger
}

// Agent is an engine's side of the link.
type Agent struct {
	options AgentOptions
	mu      sync.Mutex
	about   About
}

// NewAgent returns an agent that does nothing until [Agent.Run] or [Agent.Serve].
func NewAgent(options AgentOptions) *Agent {
	return &Agent{options: options, about: options.About}
}

// SetClient tells who the client is, once it has initialized.
func (a *Agent) SetClient(name, version string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.about.ClientName, a.about.ClientVersion = name, version
}

// Run looks for the app until ctx ends and talks to it whenever it is there. It returns ctx's error.
func (a *Agent) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Serve talks to the app over conn, which it closes, until one side ends it or ctx does. It is for the app's own engine,
// whose other end goes to [Hub.Attach].
func (a *Agent) Serve(ctx context.Context, conn net.Conn) error {
	<-ctx.Done()
	_ = conn.Close()
	return ctx.Err()
}
