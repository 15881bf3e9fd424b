package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// commandPatience bounds a command to an engine. Starting a server may download it first.
const commandPatience = 5 * time.Minute

// commands are what the user has engines do. None of them waits: what comes of it is seen in the state of the servers.
type commands struct {
	hub    *ipc.Hub
	failed func(error) // told of what the state of the servers does not show

	ctx    context.Context // ends with the app
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

func newCommands(hub *ipc.Hub, failed func(error)) *commands {
	ctx, cancel := context.WithCancel(context.Background())
	return &commands{hub: hub, failed: failed, ctx: ctx, cancel: cancel}
}

// Close ends what is under way and waits for it.
func (c *commands) Close() {
	c.cancel()
	c.wg.Wait()
}

func (c *commands) do(command func(ctx context.Context) error) {
	c.wg.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, commandPatience)
		defer cancel()
		// That a server could not be started is its state. What is left is about engines, and one that has ended meanwhile
		// is no news either.
		if err := command(ctx); errors.Is(err, ipc.ErrOtherVersion) {
			c.failed(err)
		}
	})
}

// ownEngine is the app's own.
func (c *commands) ownEngine() (ipc.EngineID, bool) {
	for _, engine := range c.hub.Engines() {
		if engine.Own {
			return engine.ID, true
		}
	}
	return 0, false
}

// started tells of a server whether its engine has started it, and held whether the user has stopped it there.
func started(server status.Server) bool {
	return server.State != status.NotStarted && server.State != status.Disabled
}
func held(server status.Server) bool { return server.State == status.NotStarted && server.Held }

// known tells whether an engine has something to say of a server, such as its log.
func known(server status.Server) bool { return started(server) || held(server) }

// engines are those in which a server is so, and which can be told what to do about it. Those with another configuration may have
// one of the same name, which is not meant.
func (c *commands) engines(now *snapshot, at toolboxes.Choice, so func(status.Server) bool) []ipc.EngineID {
	return enginesWith(now, at, so, model.Engine.InReach)
}

// logging are the engines that have a log of a server. One that does not answer stays among them, so that what it has said can
// still be read.
func (c *commands) logging(now *snapshot, at toolboxes.Choice) []ipc.EngineID {
	return enginesWith(now, at, known, func(engine model.Engine) bool { return !engine.Elsewhere })
}

func enginesWith(now *snapshot, at toolboxes.Choice, so func(status.Server) bool, which func(model.Engine) bool) []ipc.EngineID {
	var found []ipc.EngineID
	for _, engine := range now.live.Engines {
		if !which(engine) {
			continue
		}
		for _, server := range engine.Servers {
			if server.Toolbox != at.Toolbox || server.Name != at.Server || !so(server) {
				continue
			}
			if id, ok := engineID(engine.ID); ok {
				found = append(found, id)
			}
		}
	}
	return found
}

// restart starts a server anew in all engines that have it, else as start does.
func (c *commands) restart(now *snapshot, at toolboxes.Choice) {
	engines := c.engines(now, at, started)
	if len(engines) == 0 {
		c.start(now, at)
	}
	c.restartIn(engines, at)
}

// start starts a server where the user has stopped it, so that whoever had it has it back, else in the app's own engine.
func (c *commands) start(now *snapshot, at toolboxes.Choice) {
	engines := c.engines(now, at, held)
	if own, ok := c.ownEngine(); ok && len(engines) == 0 {
		engines = append(engines, own)
	}
	c.restartIn(engines, at)
}

func (c *commands) restartIn(engines []ipc.EngineID, at toolboxes.Choice) {
	for _, engine := range engines {
		c.do(func(ctx context.Context) error { return c.hub.Restart(ctx, engine, at.Toolbox, at.Server) })
	}
}

// stop ends a server in all engines that have it, until it is started or its toolbox is opened again.
func (c *commands) stop(now *snapshot, at toolboxes.Choice) {
	for _, engine := range c.engines(now, at, started) {
		c.do(func(ctx context.Context) error { return c.hub.Stop(ctx, engine, at.Toolbox, at.Server) })
	}
}

// openToolbox opens a toolbox in the app's own engine, closeToolbox closes it.
func (c *commands) openToolbox(name string) {
	if engine, ok := c.ownEngine(); ok {
		c.do(func(ctx context.Context) error { return c.hub.OpenToolbox(ctx, engine, name) })
	}
}

func (c *commands) closeToolbox(name string) {
	if engine, ok := c.ownEngine(); ok {
		c.do(func(ctx context.Context) error { return c.hub.CloseToolbox(ctx, engine, name) })
	}
}
