package task

import (
	"cmp"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// leavePatience is how long Fyne may take to end. On a busy machine, very rarely, Fyne does not end at all: after its
// loop is over, it waits for a function in the queue of that loop, which nothing runs any more. The window and the
// tray are gone by then, so without this limit the process would stay forever without being seen.
const leavePatience = 10 * time.Second

// Departure ends the program, even if Fyne does not end.
type Departure struct {
	patience time.Duration
	without  func() // ends the program without Fyne

	mu    sync.Mutex
	timer *time.Timer // calls without; nil until Begin
	back  bool        // Fyne has ended
}

// NewDeparture returns a Departure. If Fyne does not end within patience, the Departure calls finish, which ends
// everything else, and then exit. A patience of zero means the usual one.
func NewDeparture(patience time.Duration, finish, exit func()) *Departure {
	d := &Departure{patience: cmp.Or(patience, leavePatience)}
	d.without = func() {
		finish()
		d.mu.Lock()
		defer d.mu.Unlock()
		if !d.back {
			exit()
		}
	}
	return d
}

// Begin is called before Fyne is told to end. It can be called on any goroutine, and several times. On a nil
// Departure, it does nothing.
func (d *Departure) Begin() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil && !d.back {
		d.timer = background.After(d.patience, d.without)
	}
}

// End is called when Fyne has ended.
func (d *Departure) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.back = true
	if d.timer != nil {
		d.timer.Stop()
	}
}
