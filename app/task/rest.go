package task

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// nap returns how long Fyne's goroutine waits at a time. On Windows, this goroutine reads the clicks on the tray, so a click may take this long to
// arrive. On Linux, it answers other programs that paste what was copied in the window.
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
// Fyne asks the system for events and checks what to draw 60 times a second, even if no window is open. That takes 1 % of a core, day and night.
// Between begin and end, rest keeps Fyne's goroutine waiting most of the time, and wakes it at once when the program has work for it. Its methods can
// be called on any goroutine.
type rest struct {
	do    func(func())  // queues a function for Fyne's goroutine
	awake chan struct{} // gets a value when the goroutine is needed

	mu   sync.Mutex
	stop chan struct{}    // closed by end; nil while not resting
	work background.Group // the goroutines that begin has started
}

// newRest returns a rest for Fyne's goroutine. do queues a function for that goroutine.
func newRest(do func(func())) *rest { return &rest{do: do, awake: make(chan struct{}, 1)} }

// begin starts the rest, and gives memory back if the rest lasts long enough. On macOS, it only gives memory back: Fyne's goroutine must not wait,
// because clicks on the tray reach the program only while Fyne asks for events.
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
}

// run queues one nap after another until stop is closed.
func (r *rest) run(stop <-chan struct{}) {
	for {
		done := make(chan struct{})
		r.do(func() {
			defer close(done)
			select {
			case <-time.After(nap()):
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
