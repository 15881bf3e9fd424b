package toolbox

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Two runs of one server may need the same port or the same file. So a server is not started before its last run has ended, whether it was
// replaced, its toolbox was closed, or its entry was removed and put back.

// ending cancels l and returns its stop function, which must be called before another link takes its place: it stops the predecessor of l,
// waits at most limit for the calls in flight, and ends l. The caller holds m.mu.
func (l *link) ending(limit time.Duration) func(context.Context) {
	earlier := l.attempt.before
	if !l.settled() {
		l.attempt.giveUp()
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

// makeRoom waits for the end of what ran before this attempt. It does so once.
func (m *Manager) makeRoom(ctx context.Context, l *link) {
	m.mu.Lock()
	before := l.attempt.before
	m.mu.Unlock()
	if before == nil {
		return
	}
	before(ctx)
	m.mu.Lock()
	l.attempt.before = nil
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

// after returns before with the end of the links of the same server that have left their box added. The caller holds m.mu.
func (m *Manager) after(at ServerID, before func(context.Context)) func(context.Context) {
	for _, l := range m.leaving[at] {
		first, then := before, l.ending(restartDrain)
		before = func(ctx context.Context) {
			if first != nil {
				first(ctx)
			}
			then(ctx)
		}
	}
	return before
}

// end stops the attempt or the session and returns when the server's processes are gone, also those of the one before. It
// reports whether a connected server was disconnected. It can be called several times.
func (l *link) end(ctx context.Context) bool {
	l.attempt.cancel()
	<-l.attempt.ready
	if l.attempt.before != nil { // and stays so: it never began
		l.attempt.before(ctx)
	}
	if l.session == nil {
		return false
	}
	was := l.connected()
	// The error of closing helps nobody here: the server is gone either way.
	_ = l.session.Close(ctx)
	if was {
		l.said.end.Do(func() { l.journal.say(words.New("toolbox.ended")) })
	}
	return was
}
