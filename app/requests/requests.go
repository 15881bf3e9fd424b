// Package requests collects what is asked of the app from outside its window: by another start of the program, or by
// the system.
package requests

import (
	"context"
	"time"
)

// Requests are requests that wait until [Requests.Handle] handles them. The methods that add a request do not block.
// They can be called on any goroutine, also before there is a window.
type Requests struct {
	show, quit chan struct{}
	opened     chan string

	Now   func() time.Time // returns the current time; New sets it to time.Now
	quiet time.Time        // before this time, opening something does not bring the window to the front
}

// New returns Requests in which nothing waits.
func New() *Requests {
	return &Requests{show: make(chan struct{}, 1), quit: make(chan struct{}, 1), opened: make(chan string, 1),
		Now: time.Now}
}

// Show asks to show the window.
func (r *Requests) Show() { signal(r.show) }

// Quit asks to end the app.
func (r *Requests) Quit() { signal(r.quit) }

// Open asks to open a file or a link; if what is "", it only shows the window. While one request waits, further ones
// are dropped, because a person opens one thing at a time.
func (r *Requests) Open(what string) {
	if what == "" {
		r.Show()
		return
	}
	select {
	case r.opened <- what:
	default:
	}
}

// Program does what requests ask for. Its methods are called on the goroutine of [Requests.Handle].
type Program interface {
	Show()
	Quit()
	// Open opens a file or a link; front reports whether the window may come to the front.
	Open(what string, front bool)
}

// Handle handles requests until ctx ends.
func (r *Requests) Handle(ctx context.Context, program Program) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.show:
			program.Show()
		case what := <-r.opened:
			program.Open(what, r.front())
		case <-r.quit:
			program.Quit()
		}
	}
}

// frontPause is how long the app must have had no request to open something before the next one may bring the window
// to the front.
const frontPause = 5 * time.Second

// front reports whether a request to open something may bring the window to the front now. Without this limit, a web
// page or another program could bring the window to the front all the time.
func (r *Requests) front() bool {
	now := r.Now()
	calm := !now.Before(r.quiet)
	r.quiet = now.Add(frontPause)
	return calm
}

// signal sends a value unless one is waiting already.
func signal(waiting chan<- struct{}) {
	select {
	case waiting <- struct{}{}:
	default:
	}
}
