package mcpserver

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// opener opens toolboxes, and waits for those that are always open.
type opener struct {
	manager *toolbox.Manager
	peer    *peer
	opening atomic.Int32 // current openings, during which nothing is announced
	waited  atomic.Bool  // awaitOpen has returned
	started sync.Map     // by capability, a channel that is closed when awaitLists has returned
}

// open opens a toolbox. Nothing is announced meanwhile.
func (o *opener) open(ctx context.Context, name string, report func(toolbox.Progress)) (*toolbox.Opened, error) {
	o.opening.Add(1)
	defer o.opening.Add(-1)
	return o.manager.Open(ctx, name, report)
}

// openPatience is how long the first list of tools waits for the servers of always open toolboxes whose tools are not
// known. It waits because some clients do not request the list again.
const openPatience = 5 * time.Second

// awaitOpen opens the toolboxes that are always open, and waits for their servers.
func (o *opener) awaitOpen(ctx context.Context) {
	o.opening.Add(1) // so that there is one announcement for all
	defer o.opening.Add(-1)
	o.manager.KeepOpen(ctx)
	o.manager.AwaitOpen(ctx, o.patience())
	o.waited.Store(true)
}

// mustAwaitOpen reports whether a request must call awaitOpen first.
func (o *opener) mustAwaitOpen() bool {
	return !o.waited.Load() && alwaysOpen(o.manager.Config())
}

// awaitLists starts the servers of always open toolboxes that have lists of a capability, and waits for them.
// Otherwise the first lists would lack their prompts or resources. It does so once for each capability, and reports
// whether this call did.
func (o *opener) awaitLists(ctx context.Context, capability string) (waited bool) {
	if !alwaysOpen(o.manager.Config()) {
		return false
	}
	there := make(chan struct{})
	if other, loaded := o.started.LoadOrStore(capability, there); loaded { // many clients ask for several lists at once
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

// patience returns how long the first lists wait for servers.
func (o *opener) patience() time.Duration {
	if c := o.peer.client.Load(); c.Patience > 0 {
		return c.Patience
	}
	return openPatience
}

// alwaysOpen reports whether a toolbox is always open.
func alwaysOpen(cfg *config.Config) bool {
	return slices.ContainsFunc(cfg.Toolboxes, func(t *config.Toolbox) bool { return t.Open })
}
