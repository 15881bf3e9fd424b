package toolbox

import (
	"context"
	"slices"
	"time"
)

// One address, one file: a server may need what the one before it has. So it is not started before that one is gone, whether that is
// replaced, was in a toolbox that has been closed, or was taken out of the configuration and put back.

// leave gives up an attempt, and returns what has to be done before another link may take the place of this one, whose calls in flight get
// so long: it ends, and before it what it was to wait for itself, in the time that was left to that. The caller holds m.mu.
func (l *link) leave(limit time.Duration) func(context.Context) {
	earlier := l.before
	if !l.settled() {
		l.giveUp()
	} else if earlier != nil {
		return earlier // it never began, as when everything is paused
	}
	return func(ctx context.Context) {
		if earlier != nil {
			earlier(ctx)
		}
		drain(ctx, l, limit)
		endAll(ctx, []*link{l})
	}
}

// makeRoom does what has to be done before an attempt, and forgets it: what came before a link is of no use after that.
func (m *Manager) makeRoom(ctx context.Context, l *link) {
	m.mu.Lock()
	before := l.before
	m.mu.Unlock()
	if before == nil {
		return
	}
	before(ctx)
	m.mu.Lock()
	l.before = nil
	m.mu.Unlock()
}

// depart remembers a link that is no longer in any box, until [Manager.departed]. The caller holds m.mu.
func (m *Manager) depart(l *link) {
	at := ServerID{l.toolbox, l.entry.Name}
	m.leaving[at] = append(m.leaving[at], l)
}

// departed forgets links whose servers are gone.
func (m *Manager) departed(links ...*link) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range links {
		at := ServerID{l.toolbox, l.entry.Name}
		m.leaving[at] = slices.DeleteFunc(m.leaving[at], func(other *link) bool { return other == l })
		if len(m.leaving[at]) == 0 {
			delete(m.leaving, at)
		}
	}
}

// after adds to what a new link has to wait for the end of those that have left their box. The caller holds m.mu.
func (m *Manager) after(at ServerID, before func(context.Context)) func(context.Context) {
	for _, l := range m.leaving[at] {
		first, then := before, l.leave(restartDrain)
		before = func(ctx context.Context) {
			if first != nil {
				first(ctx)
			}
			then(ctx)
		}
	}
	return before
}
