package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// drainTimeout is how long calls in flight may continue when their server was removed from the configuration.
const drainTimeout = 30 * time.Second

// retire ends a link that was removed from its box, after its calls in flight. It does not wait. The caller holds
// boxes.mu.
func (s *supervisor) retire(l *link) {
	l.leave(errReconfigured)
	s.leaving.depart(l)
	finish := l.ending(drainTimeout)
	s.life.running.Go(func() {
		finish(s.life.ctx) // does not wait for calls after a shutdown
		s.leaving.departed(l)
	})
}

// park ends a link for a pause. It does not wait. The caller holds boxes.mu.
func (s *supervisor) park(l *link) {
	l.park()
	finish := l.ending(0)
	s.life.running.Go(func() { finish(s.life.ctx) })
}

// keepHeld returns a held link for a changed entry: a server that the user has stopped stays stopped. The caller holds
// boxes.mu.
func (s *supervisor) keepHeld(old *link, server *config.Server) *link {
	l := newHeldLink(old.toolbox, server, old.journal, s.life.log)
	s.pins.inherit(l, old)
	return l
}

// restingLink returns a resting link. The caller holds boxes.mu.
func (s *supervisor) restingLink(at toolboxEntry) *link {
	return newRestingLink(at.toolbox, at.entry, s.boxes.record(at.toolbox, at.entry.Name).journal, s.life.log)
}

// restingBox returns a box with resting links for the servers of b, which are about to be ended. The caller holds
// boxes.mu.
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
