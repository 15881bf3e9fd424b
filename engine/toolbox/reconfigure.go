package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// drainTimeout bounds how long a server that left the configuration may go on with calls in flight.
const drainTimeout = 30 * time.Second

// SetConfig applies a changed configuration and touches only what has changed. A server whose entry is the same, or differs only in
// whether the person is asked first, keeps its process and session. A changed one is restarted as by [Manager.Restart], if it was open and
// the user has not stopped it. One that was removed or disabled is stopped when its calls in flight are answered. A new one waits to be
// opened. A running server whose changed entry is not approved goes on with its old entry.
func (m *Manager) SetConfig(cfg *config.Config) {
	m.configuring.Lock()
	defer m.configuring.Unlock()
	m.setConfig(cfg)
}

func (m *Manager) setConfig(cfg *config.Config) {
	unapproved := m.unapproved(cfg)
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
			goesOn := server != nil && l.entry.SameProcess(server) && (l.connected() || l.inForce.SameGuarded(server))
			switch {
			case server == nil || server.Disabled:
				delete(b.links, serverName)
				m.retire(l)
			case in[restingState](l) && (!toolbox.Open || unapproved[server] || !goesOn):
				delete(b.links, serverName) // and keepOpen sees to it
				if len(b.links) == 0 && !toolbox.Open {
					delete(m.open, name)
				}
			case unapproved[server] && l.wasUp:
				m.know(l, l.tools.known, server)
				l.waits = true
			case goesOn:
				// Filters and the like are read from the configuration in force, not from the link.
				m.know(l, l.tools.known, server)
				l.inForce, l.waits = server, false
			case in[heldState](l):
				b.links[serverName] = m.keepHeld(l, server)
				m.retire(l)
			default:
				l.waits = false
				l.leave(errReconfigured)
				m.record(name, serverName).falls = 0
				m.start(b, name, server, l, l.ending(restartDrain))
			}
		}
	}
	for at, r := range m.records {
		server, ok := entryOf(cfg, at)
		before, _ := entryOf(old, at)
		switch {
		case !ok:
			delete(m.records, at)
		case before == nil || !sameApproval(before, server):
			r.problem = nil // it belonged to the old entry
		}
	}
	m.touch()
	if m.keeping {
		m.running.Go(func() { m.keepOpen(m.lifetime) })
	}
	m.mu.Unlock()
	m.changed(kinds(links...))
}

// approvalPatience is how long a change waits until it is known which entries are approved. The others are taken for not approved then, until
// [Manager.Reconsider].
const approvalPatience = 2 * time.Second

// unapproved returns the changed entries of servers that have a link and that must not be started.
func (m *Manager) unapproved(cfg *config.Config) map[*config.Server]bool {
	if m.options.Approve == nil {
		return nil
	}
	m.mu.Lock()
	var changed []placed
	for name, b := range m.open {
		for serverName, l := range b.links {
			if entry, ok := entryOf(cfg, ServerID{name, serverName}); ok && !sameApproval(l.inForce, entry) {
				changed = append(changed, placed{name, entry})
			}
		}
	}
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(m.lifetime, approvalPatience)
	defer cancel()
	found := map[*config.Server]bool{}
	for _, at := range changed {
		found[at.entry] = !m.approved(ctx, at.toolbox, at.entry)
	}
	return found
}

// sameApproval reports whether neither a person nor a server has to do anything when one entry takes the place of the other. Another program must not
// change who is asked first and which apps see a server, although no server is started again for it.
func sameApproval(a, b *config.Server) bool { return a.SameProcess(b) && a.SameGuarded(b) }

// Reconsider takes up that other entries are approved now: those that were not started for that reason are, and those that run as they were are
// restarted with what the file says.
func (m *Manager) Reconsider() {
	m.configuring.Lock()
	defer m.configuring.Unlock()
	m.setConfig(m.Config())
	m.mu.Lock()
	var again []*link
	for _, b := range m.open {
		for _, l := range b.links {
			if p := l.problem(); p != nil && p.Kind == status.KindApproval {
				again = append(again, l)
			}
		}
	}
	for _, r := range m.records {
		if r.problem != nil && r.problem.Kind == status.KindApproval {
			r.problem = nil // its toolbox is not open, and the next opening finds problems anew
		}
	}
	m.touch()
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(m.lifetime, approvalPatience)
	defer cancel()
	for _, l := range again {
		if !m.approved(ctx, l.toolbox, l.entry) {
			continue
		}
		m.mu.Lock()
		if server := m.configured(l); server != nil && !server.Disabled && m.current(l) && !m.paused && !m.closed {
			m.ensure(l.toolbox, server)
		}
		m.mu.Unlock()
	}
}

// notApproved says that a server was not started because its entry waits for a person.
type notApproved struct{ error }

func (e notApproved) Text() words.Text { return words.Of(e.error) }
func (e notApproved) Unwrap() error    { return e.error }

// entryOf returns the entry of a server in a configuration.
func entryOf(cfg *config.Config, at ServerID) (*config.Server, bool) {
	toolbox, ok := cfg.Toolbox(at.Toolbox)
	if !ok {
		return nil, false
	}
	return toolbox.Server(at.Server)
}

// retire ends a link that is no longer in any box, after its calls in flight. The caller holds m.mu.
func (m *Manager) retire(l *link) {
	l.leave(errReconfigured)
	m.depart(l)
	finish := l.ending(drainTimeout)
	m.running.Go(func() {
		finish(m.lifetime) // a shutdown does not wait for calls
		m.departed(l)
	})
}
