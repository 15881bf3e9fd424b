// Package task runs slow work in the background and brings the results to the goroutine of the window. It also ends the program if Fyne does not.
package task

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long the program waits for background work before it ends. The keychain, for example, may wait for the user.
const patience = 2 * time.Second

// Tasks is the background work of the window. Its methods can be called on any goroutine.
type Tasks struct {
	ctx     context.Context // ends with the app
	cancel  context.CancelFunc
	window  func(func()) // runs a function on the goroutine of the window
	stopped atomic.Bool
	rest    *rest
	work    sync.WaitGroup
}

// New returns Tasks whose results reach the goroutine of the window through a function such as fyne.Do.
func New(window func(func())) *Tasks {
	t := &Tasks{window: window, rest: newRest(window)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Context ends with the app.
func (t *Tasks) Context() context.Context { return t.ctx }

// Join returns a context that ends when ctx or the app ends. Call stop when the context is no longer needed.
func (t *Tasks) Join(ctx context.Context) (joined context.Context, stop func()) {
	joined, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(t.ctx, cancel)
	return joined, func() {
		forget()
		cancel()
	}
}

// Do runs a function on the goroutine of the window, unless the window is gone.
func (t *Tasks) Do(f func()) {
	t.window(func() {
		// After its end, Fyne runs functions at once on any goroutine. By then there is nothing to draw on.
		if !t.stopped.Load() {
			f()
		}
	})
	t.rest.wake()
}

// Rest makes the goroutine of the window wait while it has nothing to do, until Rouse. Call it when the window is hidden.
func (t *Tasks) Rest() { t.rest.begin() }

// Rouse ends a Rest. Call it when the window is shown.
func (t *Tasks) Rouse() { t.rest.end() }

// Stop ends the use of the window: functions that are still queued for its goroutine do nothing.
func (t *Tasks) Stop() {
	t.stopped.Store(true)
	t.rest.close()
}

// Background runs work on a new goroutine. [Tasks.Await] waits for it.
func (t *Tasks) Background(work func()) { t.work.Go(work) }

// After runs work in the background, then done with its error on the goroutine of the window.
func (t *Tasks) After(work func() error, done func(error)) {
	t.Background(func() {
		err := work()
		t.Do(func() { done(err) })
	})
}

// Ask runs find in the background, then done with its result on the goroutine of the window.
func Ask[T any](t *Tasks, find func() (T, error), done func(T, error)) {
	t.Background(func() {
		found, err := find()
		t.Do(func() { done(found, err) })
	})
}

// Later runs f on the goroutine of the window after a time, unless stop is called first.
func (t *Tasks) Later(wait time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(wait, func() { t.Do(f) })
	return func() { timer.Stop() }
}

// Cancel ends Context.
func (t *Tasks) Cancel() { t.cancel() }

// Await waits for the background work to end, but not longer than patience.
func (t *Tasks) Await() {
	done := make(chan struct{})
	go func() {
		t.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// Wait waits for the background work to end, however long that takes.
func (t *Tasks) Wait() { t.work.Wait() }
