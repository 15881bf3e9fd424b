package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// drainTimeout bounds how long a server that left the configuration may go on with calls in flight.
const drainTimeout = 30 * time.Second

// retire ends a link that is no longer in any box, after its calls in flight. The caller holds boxes.mu.
func (s *supervisor) retire(l *link) {
	l.leave(errReconfigured)
	s.leaving.depart(l)
	finish := l.ending(drainTimeout)
	s.life.running.Go(func() {
		finish(s.life.ctx) // a shutdown does not wait for calls
		s.leaving.departed(l)
	})
}

// park ends a link that stays in its box. The caller holds boxes.mu.
func (s *supervisor) park(l *link) {
	l.park()
	finish := l.ending(0)
	s.life.running.Go(func() { finish(s.life.ctx) })
}

// keepHeld returns a link for a server that stays stopped although its entry has changed. After a person has
// stopped a server, changes of its settings must not start it. The caller holds boxes.mu.
func (s *supervisor) keepHeld(old *link, server *config.Server) *link {
	l := newHeldLink(old.toolbox, server, old.journal, s.life.log)
	s.pins.inherit(l, old)
	return l
}

// restingLink returns a link without a session. The caller holds boxes.mu.
func (s *supervisor) restingLink(at toolboxEntry) *link {
	return newRestingLink(at.toolbox, at.entry, s.boxes.record(at.toolbox, at.entry.Name).journal, s.life.log)
}

// restingBox returns a box with the tools of another one, whose servers are about to end. The caller holds boxes.mu.
func (s *supervisor) restingBox(b *box) *box {
	next := &box{links: map[string]*link{}}
	for name, old := range b.links {
		switch {
		case in[restingState](old):
			next.links[name] = old
		case old.tools.known != nil:
			l := s.restingLink(toolboxEntry{old.toolbox, old.inForce})
			l.about.title, l.about.version = old.about.title, old.about.version
			s.pins.inherit(l, old)
			next.links[name] = l
		}
	}
	return next
}
