// Package task runs what takes a while beside the window, and brings what comes of it back to the goroutine of the window.
package task

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long the end of the app waits for what is in the background. The keychain may wait for the user.
const patience = 2 * time.Second

// Tasks is what the window has under way. Its methods can be called on any goroutine.
type Tasks struct {
	ctx     context.Context // ends with the app
	cancel  context.CancelFunc
	window  func(func()) // runs a function on the goroutine of the window
	stopped atomic.Bool
	rest    *rest
	work    sync.WaitGroup
}

// New gives tasks that are brought to the goroutine of the window by a function, such as fyne.Do.
func New(window func(func())) *Tasks {
	t := &Tasks{window: window, rest: newRest(window)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Context ends with the app.
func (t *Tasks) Context() context.Context { return t.ctx }

// Join returns a context that ends with ctx and with the app. Stop is to be called when the context is no longer needed.
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
		// After its end Fyne runs what it is given at once, on whatever goroutine; by then there is nothing to draw on.
		if !t.stopped.Load() {
			f()
		}
	})
	t.rest.wake()
}

// Rest has the goroutine of the window wait for as long as it has nothing to do, until Rouse. It is called when the window is hidden.
func (t *Tasks) Rest() { t.rest.begin() }

// Rouse ends a Rest. It is called when the window is shown.
func (t *Tasks) Rouse() { t.rest.end() }

// Stop makes everything that is still on its way to the window harmless.
func (t *Tasks) Stop() {
	t.stopped.Store(true)
	t.rest.close()
}

// Background runs something that may take a while, on a goroutine that the end of the app waits for.
func (t *Tasks) Background(work func()) { t.work.Go(work) }

// After has work done in the background, and done told on the goroutine of the window how it ended.
func (t *Tasks) After(work func() error, done func(error)) {
	t.Background(func() {
		err := work()
		t.Do(func() { done(err) })
	})
}

// Ask has something found out in the background, and done told on the goroutine of the window.
func Ask[T any](t *Tasks, find func() (T, error), done func(T, error)) {
	t.Background(func() {
		found, err := find()
		t.Do(func() { done(found, err) })
	})
}

// Later does something on the goroutine of the window when a time has passed, unless it is stopped before.
func (t *Tasks) Later(wait time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(wait, func() { t.Do(f) })
	return func() { timer.Stop() }
}

// Cancel ends Context.
func (t *Tasks) Cancel() { t.cancel() }

// Await waits for what is in the background, but not for long.
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

// Wait waits for what is in the background, however long that takes.
func (t *Tasks) Wait() { t.work.Wait() }
