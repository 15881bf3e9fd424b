package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// A client asks its model again as soon as it has the answer of open_toolbox. If it does not have the new tools by
// then, the model does not see them. So in dynamic mode the answer waits until the client has been notified of the
// change, has requested the list of tools, and has got it (contract.md, section 4).

const (
	// DefaultListWait is how long an answer waits at most until the client has the changed list of tools.
	DefaultListWait = time.Second

	// defaultPause is the pause after a list was written, for clients of which nothing else is known.
	defaultPause = 20 * time.Millisecond
)

// pauseFor returns how long a client takes to use a list after it was written.
func pauseFor(c *client.Client) time.Duration {
	if c.Pause <= 0 {
		return defaultPause
	}
	return c.Pause
}

// delivery records which changes of the tools the client was notified of, and which of them it has got in a list.
type delivery struct {
	mu      sync.Mutex
	told    uint64 // the number of notifications
	toldAt  time.Time
	given   uint64 // the last of these changes that was in a list
	givenAt time.Time
	arrived chan struct{} // closed when given grows
}

func newDelivery() *delivery { return &delivery{arrived: make(chan struct{})} }

// tell records that the client is notified of a change.
func (d *delivery) tell() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told++
	d.toldAt = time.Now()
}

// current returns the number of the last change, which a list made now contains.
func (d *delivery) current() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told
}

// give records that a list with a change was written.
func (d *delivery) give(change uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if change <= d.given {
		return
	}
	d.given, d.givenAt = change, time.Now()
	close(d.arrived)
	d.arrived = make(chan struct{})
}

// wait returns when the client has the list with the last change and pause has passed since. It waits at most limit,
// and returns when ctx or the session ends.
func (d *delivery) wait(ctx context.Context, ended <-chan struct{}, limit, pause time.Duration) {
	latest := time.Now().Add(limit)
	for {
		d.mu.Lock()
		until, arrived := earlier(latest, d.toldAt.Add(limit)), d.arrived
		if d.given == d.told {
			until, arrived = earlier(until, d.givenAt.Add(pause)), nil
		}
		d.mu.Unlock()
		left := time.Until(until)
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-arrived:
			timer.Stop()
		case <-timer.C: // checked again, since there may have been another change
		case <-ctx.Done():
			timer.Stop()
			return
		case <-ended:
			timer.Stop()
			return
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
