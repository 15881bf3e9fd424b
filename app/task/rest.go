package task

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// nap is how long Fyne's goroutine waits at a time. It is how long a click on the tray may take to arrive where the system tells
// Fyne of it, which Windows does.
const nap = 100 * time.Millisecond

// settling is the time after which the memory that only the window needed is given back. A window that comes back sooner needs it.
const settling = 2 * time.Second

// rest makes the program cheap while its window is hidden in the tray.
//
// Fyne asks the system for events and looks for something to draw 60 times a second, whether there is a window or not. That
// takes 1 % of a core, day and night. Between begin and end, a rest keeps Fyne's goroutine waiting for most of the time, and
// gives it back at once when the program has something to do there. Its methods can be called on any goroutine.
type rest struct {
	do    func(func())  // queues a function for Fyne's goroutine
	awake chan struct{} // gets a value when the goroutine is wanted

	mu   sync.Mutex
	stop chan struct{} // closed by end; nil while there is no rest
	work sync.WaitGroup
}

// newRest returns a rest of the goroutine that do queues functions for.
func newRest(do func(func())) *rest { return &rest{do: do, awake: make(chan struct{}, 1)} }

// begin begins the rest. macOS tells the program of clicks on the tray only while Fyne asks for events, so there it does nothing
// but give memory back.
func (r *rest) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		return
	}
	stop := make(chan struct{})
	r.stop = stop
	if runtime.GOOS != "darwin" {
		r.work.Go(func() { r.run(stop) })
	}
	r.work.Go(func() {
		select {
		case <-time.After(settling):
		case <-stop:
			return
		}
		forgotten := make(chan struct{})
		r.do(func() {
			defer close(forgotten)
			forgetFonts()
		})
		select {
		case <-forgotten:
			debug.FreeOSMemory()
		case <-stop:
		}
	})
}

// end ends the rest: a nap that is under way ends at once.
func (r *rest) end() {
	r.mu.Lock()
	stop := r.stop
	r.stop = nil
	r.mu.Unlock()
	if stop != nil {
		close(stop)
	}
}

// close ends the rest for good and waits for what it has under way.
func (r *rest) close() {
	r.end()
	r.work.Wait()
}

// wake has Fyne's goroutine do what is queued for it now.
func (r *rest) wake() {
	select {
	case r.awake <- struct{}{}:
	default:
	}
}

// run queues one nap after the other until stop is closed.
func (r *rest) run(stop <-chan struct{}) {
	for {
		done := make(chan struct{})
		r.do(func() {
			defer close(done)
			select {
			case <-time.After(nap):
			case <-r.awake:
			case <-stop:
			}
		})
		select {
		case <-done:
		case <-stop:
			return
		}
	}
}
