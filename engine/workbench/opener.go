package workbench

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// opener opens toolboxes, and keeps those open that are always open.
type opener struct {
	manager *toolbox.Manager
	peer    *peer
	opening atomic.Int32 // under way
	waited  atomic.Bool  // toolboxes that are always open were waited for
	started sync.Map     // the capabilities for which resting servers were started, with a channel that is closed then
}

// open opens a toolbox while announcements are held back.
func (o *opener) open(ctx context.Context, name string, report func(toolbox.Progress)) (*toolbox.Opened, error) {
	o.opening.Add(1)
	defer o.opening.Add(-1)
	return o.manager.Open(ctx, name, report)
}

// openPatience is how long the first list of tools waits for servers of always open toolboxes whose tools are not
// known, because not every client asks again. A client with less patience gets the tools that are known by then.
const openPatience = 5 * time.Second

// awaitOpen has the toolboxes that are always open kept open. The first time, it waits for their servers.
func (o *opener) awaitOpen(ctx context.Context) {
	o.opening.Add(1) // one announcement for all
	defer o.opening.Add(-1)
	o.manager.KeepOpen(ctx)
	o.manager.AwaitOpen(ctx, o.patience())
	o.waited.Store(true)
}

// mustAwaitOpen reports whether a request is to wait for [Server.awaitOpen].
func (o *opener) mustAwaitOpen() bool {
	return !o.waited.Load() && alwaysOpen(o.manager.Config())
}

// awaitLists has the servers of toolboxes that are always open started which have lists of a capability, and waits for
// them, once in a session. Otherwise the first lists would lack their prompts and resources. It reports whether it
// waited.
func (o *opener) awaitLists(ctx context.Context, capability string) (waited bool) {
	if !alwaysOpen(o.manager.Config()) {
		return false
	}
	there := make(chan struct{})
	if other, under := o.started.LoadOrStore(capability, there); under { // many clients ask for several lists at once
		select {
		case <-other.(chan struct{}):
		case <-ctx.Done():
		}
		return false
	}
	defer close(there)
	if o.mustAwaitOpen() {
		o.awaitOpen(ctx)
	}
	o.opening.Add(1)
	o.manager.StartResting(capability)
	o.manager.AwaitOpen(ctx, o.patience())
	o.opening.Add(-1)
	return true
}

// patience is how long the first lists wait for servers.
func (o *opener) patience() time.Duration {
	if c := o.peer.client.Load(); c.Patience > 0 {
		return c.Patience
	}
	return openPatience
}

// alwaysOpen reports whether there is a toolbox that is always open.
func alwaysOpen(cfg *config.Config) bool {
	return slices.ContainsFunc(cfg.Toolboxes, func(t *config.Toolbox) bool { return t.Open })
}
