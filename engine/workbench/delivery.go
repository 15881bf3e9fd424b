package workbench

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// An agent asks its model again as soon as it has the answer of open_toolbox. If it does not have the new tools by
// then, the next request lacks them. So in dynamic mode the answer waits until the client has been told of the change,
// has asked for the tools and has got them (contract.md, section 4).

const (
	// DefaultListWait is how long an answer waits for the client to be given the changed tools.
	DefaultListWait = time.Second

	// defaultPause is how long an unknown client gets to take up a list that it was given.
	defaultPause = 20 * time.Millisecond
)

// pauseFor returns how long a client gets to take up a list that it was given.
func pauseFor(c *client.Client) time.Duration {
	if c.Pause <= 0 {
		return defaultPause
	}
	return c.Pause
}

// delivery knows which lists of tools the client was told of, and which it was given.
type delivery struct {
	mu      sync.Mutex
	told    uint64 // how often the client was told of a change
	toldAt  time.Time
	given   uint64 // the last of these changes that was in a list given to the client
	givenAt time.Time
	arrived chan struct{} // closed when given grows
}

func newDelivery() *delivery { return &delivery{arrived: make(chan struct{})} }

// tell notes that the client is being told of a change.
func (h *delivery) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told++
	h.toldAt = time.Now()
}

// current returns the change that a list made now contains.
func (h *delivery) current() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.told
}

// give notes that a list with the given change was written to the client.
func (h *delivery) give(change uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if change <= h.given {
		return
	}
	h.given, h.givenAt = change, time.Now()
	close(h.arrived)
	h.arrived = make(chan struct{})
}

// wait returns when the client has the newest list that it was told of, and pause has passed since. It returns after
// limit at the latest, and at once when ctx or the session ends.
func (h *delivery) wait(ctx context.Context, ended <-chan struct{}, limit, pause time.Duration) {
	latest := time.Now().Add(limit)
	for {
		h.mu.Lock()
		until, arrived := earlier(latest, h.toldAt.Add(limit)), h.arrived
		if h.given == h.told {
			until, arrived = earlier(until, h.givenAt.Add(pause)), nil
		}
		h.mu.Unlock()
		left := time.Until(until)
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-arrived:
			timer.Stop()
		case <-timer.C: // the wait is over, unless the client was told of another change meanwhile
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
