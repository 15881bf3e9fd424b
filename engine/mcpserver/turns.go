package mcpserver

import (
	"context"
	"sync"
)

// turns makes goroutines with the same key run one after the other, in the order of their calls of take.
type turns struct {
	mu   sync.Mutex
	last map[string]chan struct{} // by key, the channel that the last goroutine closes when it is done
}

// take queues for a key and does not block. The caller calls wait before its work and done after it. wait returns when
// the earlier goroutines are done or when ctx ends.
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
