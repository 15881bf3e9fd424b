// Package task runs slow work in the background and brings the results to the goroutine of the window. It also ends
// the program if Fyne does not.
package task

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// patience is how long the program waits for background work when it ends. Some of this work may never end, such as a
// keychain that waits for the user.
const patience = 2 * time.Second

// Tasks is the background work of the window. Its methods can be called on any goroutine.
type Tasks struct {
	ctx     context.Context // ends with the app
	cancel  context.CancelFunc
	stopped atomic.Bool // Stop was called
	rest    *rest
	work    background.Group // the work in the background
}

// New returns Tasks whose results reach the goroutine of the window through a function such as fyne.Do.
func New(window func(func())) *Tasks { return NewWithEvents(window, nil) }

// NewWithEvents is [New] for a system whose events have to be asked for also while the window is hidden.
func NewWithEvents(window func(func()), events Events) *Tasks {
	t := &Tasks{rest: newRest(window, events)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Context returns a context that ends when the app ends.
func (t *Tasks) Context() context.Context { return t.ctx }

// Join returns a context that ends when ctx or the app ends. Call stop when the context is no longer needed.
func (t *Tasks) Join(ctx context.Context) (joined context.Context, stop func()) {
	joined, cancel := context.WithCancel(ctx)
	forget := background.AfterEnd(t.ctx, cancel)
	return joined, func() {
		forget()
		cancel()
	}
}

// Do queues a function for the goroutine of the window. The function does not run if Stop is called before its turn.
func (t *Tasks) Do(f func()) {
	t.rest.do(func() {
		// After Fyne has ended, it runs functions at once on the goroutine of the caller. There is nothing to draw on any
		// more.
		if !t.stopped.Load() {
			f()
		}
	})
	t.rest.wake()
}

// Rest saves processor time and memory until Rouse. Call it when the window is hidden.
func (t *Tasks) Rest() { t.rest.begin() }

// Rouse ends what Rest has begun. Call it when the window is shown.
func (t *Tasks) Rouse() { t.rest.end() }

// Stop ends the use of the window: functions that are still queued for its goroutine do nothing.
func (t *Tasks) Stop() {
	t.stopped.Store(true)
	t.rest.close()
}

// Background runs work on a new goroutine. [Tasks.Await] waits for it.
func (t *Tasks) Background(work func()) { t.work.Go(work) }

// After runs work in the background, and then done with the error of work on the goroutine of the window.
func (t *Tasks) After(work func() error, done func(error)) {
	t.Background(func() {
		err := work()
		t.Do(func() { done(err) })
	})
}

// Ask runs find in the background, and then done with the result of find on the goroutine of the window.
func Ask[T any](t *Tasks, find func() (T, error), done func(T, error)) {
	t.Background(func() {
		found, err := find()
		t.Do(func() { done(found, err) })
	})
}

// Find is like [Ask], for work that cannot fail.
func Find[T any](t *Tasks, find func() T, done func(T)) {
	t.Background(func() {
		found := find()
		t.Do(func() { done(found) })
	})
}

// Later runs f on the goroutine of the window after a time, unless stop is called first.
func (t *Tasks) Later(wait time.Duration, f func()) (stop func()) {
	timer := background.After(wait, func() { t.Do(f) })
	return func() { timer.Stop() }
}

// Cancel ends the context that Context returns.
func (t *Tasks) Cancel() { t.cancel() }

// Await waits for the background work to end, but only for two seconds.
func (t *Tasks) Await() {
	done := make(chan struct{})
	background.Go(func() {
		t.work.Wait()
		close(done)
	})
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// Wait waits for the background work to end, however long that takes.
func (t *Tasks) Wait() { t.work.Wait() }
