package task

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// nap returns how long Fyne's goroutine waits at a time. On Windows, this goroutine reads the clicks on the tray, so a
// click may take this long to arrive. On Linux, it answers other programs that paste what was copied in the window.
func nap() time.Duration {
	if runtime.GOOS == "windows" {
		return 100 * time.Millisecond
	}
	return 250 * time.Millisecond
}

// settling is how long the window must be hidden before memory that is no longer used is given back to the system.
const settling = 2 * time.Second

// rest saves processor time and memory while the window is hidden in the tray.
//
// Fyne asks the system for events and checks what to draw 60 times a second, even if no window is open. That takes 1 %
// of a core, day and night. Between begin and end, rest keeps Fyne's goroutine waiting most of the time, and wakes it
// at once when the program has work for it. Its methods can be called on any goroutine.
type rest struct {
	do     func(func())  // queues a function for Fyne's goroutine
	events Events        // what a nap waits for; nil: for nothing
	awake  chan struct{} // gets a value when the goroutine is needed

	mu   sync.Mutex
	stop chan struct{}    // closed by end; nil while not resting
	work background.Group // the goroutines that begin has started

	napMu   sync.Mutex
	waiting bool // a nap waits for events
}

// Events are the system's events. On macOS a click on the tray reaches the program only while it asks for them.
type Events interface {
	Await(most time.Duration) // waits for an event and handles all that are there; called on the goroutine of the window
	Wake()                    // ends Await; called on any goroutine while Await may run
}

// newRest returns a rest for Fyne's goroutine. do queues a function for that goroutine.
func newRest(do func(func()), events Events) *rest {
	return &rest{do: do, events: events, awake: make(chan struct{}, 1)}
}

// begin starts the rest, and gives memory back if the rest lasts long enough.
func (r *rest) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		return
	}
	stop := make(chan struct{})
	r.stop = stop
	r.work.Go(func() { r.run(stop) })
	r.work.Go(func() {
		select {
		case <-time.After(settling):
			debug.FreeOSMemory()
		case <-stop:
		}
	})
}

// end ends the rest and, with it, the current nap.
func (r *rest) end() {
	r.mu.Lock()
	stop := r.stop
	r.stop = nil
	r.mu.Unlock()
	if stop != nil {
		close(stop)
		r.wake()
	}
}

// close ends the rest for good and waits for its goroutines.
func (r *rest) close() {
	r.end()
	r.work.Wait()
}

// wake ends the current nap, so that Fyne's goroutine runs the queued functions now.
func (r *rest) wake() {
	select {
	case r.awake <- struct{}{}:
	default:
	}
	r.napMu.Lock()
	defer r.napMu.Unlock()
	if r.waiting {
		r.events.Wake()
	}
}

// nap keeps Fyne's goroutine waiting.
func (r *rest) nap(stop <-chan struct{}) {
	if r.events == nil {
		select {
		case <-time.After(nap()):
		case <-r.awake:
		case <-stop:
		}
		return
	}
	r.setWaiting(true) // from now on, wake ends the nap
	defer r.setWaiting(false)
	select {
	case <-r.awake:
	case <-stop:
	default:
		r.events.Await(nap())
	}
}

func (r *rest) setWaiting(waiting bool) {
	r.napMu.Lock()
	defer r.napMu.Unlock()
	r.waiting = waiting
}

// run queues one nap after another until stop is closed.
func (r *rest) run(stop <-chan struct{}) {
	for {
		done := make(chan struct{})
		r.do(func() {
			defer close(done)
			r.nap(stop)
		})
		select {
		case <-done:
		case <-stop:
			return
		}
	}
}
