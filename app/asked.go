package app

import (
	"context"
)

// asked is what is asked of the app from outside its window: by another start of it, or by the system. Who asks does not wait, and may
// do so on any goroutine and before there is a window.
type asked struct{ show, quit chan struct{} }

func newAsked() *asked { return &asked{make(chan struct{}, 1), make(chan struct{}, 1)} }

func (a *asked) toShow() { ring(a.show) }
func (a *asked) toQuit() { ring(a.quit) }

// ring leaves it at one when there is one already.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// heed does what is asked, until the context ends, and then ends the app. It says when it has heard something.
func (d *controller) heed(ctx context.Context, asked *asked, heard func()) {
	for {
		select {
		case <-ctx.Done():
			d.leave.begin()
			d.tasks.Do(d.end) // there is nobody to ask
			return
		case <-asked.show:
			heard()
			d.tasks.Do(d.open)
		case <-asked.quit:
			heard()
			d.tasks.Do(d.quit)
		}
	}
}
