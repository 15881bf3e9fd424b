package ipc

import (
	"sync"
	"time"
)

// resumeGrace is how long an engine stays paused when the connection to the app that paused it is lost, for the case that it comes back.
const resumeGrace = 2 * time.Second

// pausing keeps whether the app has paused an engine. Only an app of the same version can let the engine go on, so the engine goes on by
// itself when there has been no such app for a while.
type pausing struct {
	source Source

	mu     sync.Mutex // held while the engine is told, so that what it hears last is what counts
	paused bool
	grace  *time.Timer // runs while there is no app; nil when there is
}

// set pauses the engine, or lets it go on.
func (p *pausing) set(paused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change(paused)
}

func (p *pausing) change(paused bool) {
	if p.paused != paused {
		p.paused = paused
		p.source.SetPaused(paused)
	}
}

// lost says that the app is gone.
func (p *pausing) lost() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var grace *time.Timer
	grace = time.AfterFunc(resumeGrace, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.grace == grace {
			p.change(false)
		}
	})
	p.grace = grace
}

// found notes that an app can let the engine go on, or that the engine ends.
func (p *pausing) found() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.grace != nil {
		p.grace.Stop()
		p.grace = nil
	}
}
