package link

import (
	"context"
	"errors"
	"log/slog"
	"net"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// HubOptions say where a [Hub] listens.
type HubOptions struct {
	// Endpoint is where engines look for the app, see [DefaultEndpoint].
	Endpoint string
	// Program is the version of the app, told to engines.
	Program string
	// OnShow is called when a second start of the app asks this one to show its window; see [Show]. It is called from a
	// goroutine of the hub.
	OnShow func()
	Logger *slog.Logger
}

// Hub is the app's side of the link: it knows all engines of the user. Its methods can be called from any goroutine.
type Hub struct{ options HubOptions }

var errNotYet = errors.New("not yet")

// Listen takes the endpoint. It returns [ErrRunning] when another app of the user holds it. The caller must call
// [Hub.Run], which gives it back.
func Listen(options HubOptions) (*Hub, error) { return &Hub{options}, nil }

// Run serves engines until ctx ends, and returns ctx's error when all connections are closed.
func (h *Hub) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Attach serves an engine at the other end of conn, such as the app's own over net.Pipe, as if it had dialled. The hub
// owns conn from then on.
func (h *Hub) Attach(conn net.Conn) {}

// Engines returns the engines that are there, in the order in which they came. The slice must not be changed.
func (h *Hub) Engines() []Engine { return nil }

// Subscribe returns a channel that gets a value after [Hub.Engines] or [Hub.Calls] changed; changes may come as one.
func (h *Hub) Subscribe() (changed <-chan struct{}, cancel func()) {
	return make(chan struct{}), func() {}
}

// Calls returns the last calls of all engines, 2,000 at most, oldest first. A call that has ended stands in the place
// where it began. The slice must not be changed.
func (h *Hub) Calls() []Call { return nil }

// SubscribeLog returns a channel that gets the log lines of all servers from now on. A reader that is slow misses lines,
// which the next one tells; [Hub.Log] has them.
func (h *Hub) SubscribeLog() (lines <-chan LogLine, cancel func()) {
	return make(chan LogLine), func() {}
}

// Restart starts a server anew, whatever its state, and returns when it is connected, or an error that says why not.
func (h *Hub) Restart(ctx context.Context, engine EngineID, toolbox, server string) error {
	return errNotYet
}

// OpenToolbox connects the servers of a toolbox. It returns an error when none could be.
func (h *Hub) OpenToolbox(ctx context.Context, engine EngineID, toolbox string) error {
	return errNotYet
}

// CloseToolbox ends the servers of a toolbox.
func (h *Hub) CloseToolbox(ctx context.Context, engine EngineID, toolbox string) error {
	return errNotYet
}

// Tools returns all tools of a server, also those that clients may not see; none before it was connected.
func (h *Hub) Tools(ctx context.Context, engine EngineID, toolbox, server string) ([]status.Tool, error) {
	return nil, errNotYet
}

// Log returns the last lines of a server's log, oldest first.
func (h *Hub) Log(ctx context.Context, engine EngineID, toolbox, server string) ([]status.LogLine, error) {
	return nil, errNotYet
}

// SetPaused pauses all engines, also those that come later, or lets all go on. Engines go on by themselves when the app
// ends.
func (h *Hub) SetPaused(paused bool) {}

// Paused tells what was set last.
func (h *Hub) Paused() bool { return false }

// Reread has all engines read the configuration again at once. They also do it by themselves when the file changes.
func (h *Hub) Reread() {}
