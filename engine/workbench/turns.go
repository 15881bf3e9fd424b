package workbench

import "sync"

// turns has those who want the same thing wait for each other, in the order in which they came.
type turns struct {
	mu   sync.Mutex
	last map[string]chan struct{} // closed when the last one that came is done
}

// take returns what to wait for, and what to call when done with key. It never waits itself.
func (t *turns) take(key string) (wait func(), done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[string]chan struct{}{}
	}
	before, mine := t.last[key], make(chan struct{})
	t.last[key] = mine
	wait = func() {
		if before != nil {
			<-before
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
