package background

import (
	"sync"
	"time"
)

// Batches writes what is collected in memory to the disk at intervals, so that nobody waits for the disk. Its
// goroutine starts with the first [Batches.Wake].
type Batches struct {
	write                 func() (ok bool)
	first, usual, trouble time.Duration

	wake    chan struct{} // holds a value when there is something to write
	closing chan struct{}
	writing Group

	mu      sync.Mutex
	running bool
	closed  bool
}

// NewBatches returns Batches that call write, one call at a time: a while after Wake, first for the first call and
// usual for later ones, or trouble after write has returned false. In that case it is called again without Wake.
func NewBatches(write func() (ok bool), first, usual, trouble time.Duration) *Batches {
	return &Batches{write: write, first: first, usual: usual, trouble: trouble, wake: make(chan struct{}, 1),
		closing: make(chan struct{})}
}

// Wake says that there is something to write. It returns at once.
func (b *Batches) Wake() {
	b.mu.Lock()
	if !b.running && !b.closed {
		b.running = true
		b.writing.Go(b.run)
	}
	b.mu.Unlock()
	b.again()
}

func (b *Batches) again() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Close writes what is left. It returns when that is done, or after patience, if the disk does not answer.
func (b *Batches) Close(patience time.Duration) {
	b.mu.Lock()
	if !b.closed {
		b.closed = true
		close(b.closing)
	}
	b.mu.Unlock()
	done := make(chan struct{})
	Go(func() {
		defer close(done)
		b.writing.Wait()
	})
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
	}
}

func (b *Batches) run() {
	interval := b.first
	for {
		select {
		case <-b.wake:
		case <-b.closing:
		}
		timer := time.NewTimer(interval)
		select {
		case <-timer.C:
		case <-b.closing:
			timer.Stop()
			contained(func() { b.write() })
			return
		}
		ok := false
		contained(func() { ok = b.write() })
		if interval = b.usual; !ok {
			interval = b.trouble
			b.again()
		}
	}
}
