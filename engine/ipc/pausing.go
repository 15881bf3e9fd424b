package ipc

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// resumeGrace is how long an engine stays paused after the connection to the app that paused it is lost, in
// case the app comes back.
const resumeGrace = 2 * time.Second

// pausing holds whether the app has paused an engine. Only an app of the same version can end the pause, so
// the engine continues by itself if there has been no such app for a while.
type pausing struct {
	source Source

	mu     sync.Mutex // held while the source is told, so that the last call is the one that counts
	paused bool
	grace  *time.Timer // runs while there is no app; nil while there is one
}

// set pauses the engine, or lets it continue.
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

// lost records that the app is gone.
func (p *pausing) lost() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var grace *time.Timer
	grace = background.After(resumeGrace, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.grace == grace {
			p.change(false)
		}
	})
	p.grace = grace
}

// found records that an app is there that can end the pause, or that the engine ends.
func (p *pausing) found() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.grace != nil {
		p.grace.Stop()
		p.grace = nil
	}
}
