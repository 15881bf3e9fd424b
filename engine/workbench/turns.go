package workbench

import (
	"context"
	"sync"
)

// turns makes goroutines with the same key wait for each other, in the order in which they came.
type turns struct {
	mu   sync.Mutex
	last map[string]chan struct{} // by key, the channel that the newest goroutine closes when it is done
}

// take joins the queue for key. The caller calls wait before its work and done after it; take itself does not wait,
// and wait no longer than ctx.
func (t *turns) take(key string) (wait func(ctx context.Context), done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[string]chan struct{}{}
	}
	before, mine := t.last[key], make(chan struct{})
	t.last[key] = mine
	wait = func(ctx context.Context) {
		if before == nil {
			return
		}
		select {
		case <-before:
		case <-ctx.Done():
		}
	}
	return wait, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		close(mine)
		if t.last[key] == mine {
			delete(t.last, key)
		}
	}
}
