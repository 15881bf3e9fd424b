package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// drainTimeout bounds how long a server that left the configuration may go on with calls in flight.
const drainTimeout = 30 * time.Second

// SetConfig takes up a changed configuration, touching only what changed: a server whose entry says
// the same keeps its process and session; a changed one is restarted, as [Manager.Restart] does it, if it was open and the user has not stopped
// it; one that is gone or disabled is stopped once its calls in flight are answered; a new one waits to be opened.
func (m *Manager) SetConfig(cfg *config.Config) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	old := m.config
	m.config = cfg
	var links []*link
	for name, b := range m.open {
		toolbox, ok := cfg.Toolbox(name)
		if !ok {
			delete(m.open, name)
		}
		for serverName, l := range b.links {
			links = append(links, l)
			var server *config.Server
			if ok {
				server, _ = toolbox.Server(serverName)
			}
			switch {
			case server == nil || server.Disabled:
				delete(b.links, serverName)
				m.retire(l)
			case l.entry.SameProcess(server):
				// Filters and the like are read from the configuration in force, not from the link.
				m.know(l, l.known, server)
			case l.held:
				b.links[serverName] = m.keepHeld(l, server)
				m.retire(l)
			default:
				l.why = errReconfigured
				m.record(name, serverName).falls = 0
				m.start(b, name, server, l, l.leave(restartDrain))
			}
		}
	}
	for at, r := range m.records {
		server, ok := entryOf(cfg, at)
		before, _ := entryOf(old, at)
		switch {
		case !ok:
			delete(m.records, at)
		case before == nil || !before.SameProcess(server):
			r.problem = nil // it was that of another entry
		}
	}
	m.touch()
	m.mu.Unlock()
	m.changed(kinds(links...))
}

// entryOf returns the entry of a server in a configuration.
func entryOf(cfg *config.Config, at ServerID) (*config.Server, bool) {
	toolbox, ok := cfg.Toolbox(at.Toolbox)
	if !ok {
		return nil, false
	}
	return toolbox.Server(at.Server)
}

const errReconfigured = words.Code("toolbox.reconfigured")

// retire ends a link that is no longer in any box, after its calls in flight. The caller holds m.mu.
func (m *Manager) retire(l *link) {
	l.why = errReconfigured
	m.depart(l)
	finish := l.leave(drainTimeout)
	m.running.Go(func() {
		finish(m.lifetime) // in a shutdown there is no time to be polite
		m.departed(l)
	})
}
