package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// SetConfig applies a changed configuration and touches only what has changed. A server whose entry is the same, or
// differs only in whether the person is asked first, keeps its process and session. A changed one is restarted as by
// [Manager.Restart], if it was open and the user has not stopped it. One that was removed or disabled is stopped when
// its calls in flight are answered. A new one waits to be opened. A running server whose changed entry is not
// approved goes on with its old entry.
func (m *Manager) SetConfig(cfg *config.Config) {
	m.configuring.Lock()
	defer m.configuring.Unlock()
	m.setConfig(cfg)
}

func (m *Manager) setConfig(cfg *config.Config) {
	unapproved := m.unapproved(cfg)
	m.boxes.mu.Lock()
	if m.boxes.closed {
		m.boxes.mu.Unlock()
		return
	}
	old := m.boxes.config
	m.boxes.config = cfg
	var links []*link
	for name, b := range m.boxes.open {
		toolbox, ok := cfg.Toolbox(name)
		if !ok {
			delete(m.boxes.open, name)
		}
		for serverName, l := range b.links {
			links = append(links, l)
			var server *config.Server
			if ok {
				server, _ = toolbox.Server(serverName)
			}
			goesOn := server != nil && l.entry.SameProcess(server) && (l.connected() || l.inForce.SameApproval(server))
			switch {
			case server == nil || server.Disabled:
				delete(b.links, serverName)
				m.super.retire(l)
			case in[restingState](l) && (!toolbox.Open || unapproved[server] || !goesOn):
				delete(b.links, serverName) // and keepOpen sees to it
				if len(b.links) == 0 && !toolbox.Open {
					delete(m.boxes.open, name)
				}
			case unapproved[server] && l.wasUp:
				m.pins.know(l, l.tools.known, server)
				l.waits = true
			case goesOn:
				// Filters and the like are read from the configuration in force, not from the link.
				m.pins.know(l, l.tools.known, server)
				l.inForce, l.waits = server, false
			case in[heldState](l):
				b.links[serverName] = m.super.keepHeld(l, server)
				m.super.retire(l)
			default:
				l.waits = false
				l.leave(errReconfigured)
				m.boxes.record(name, serverName).crashes = 0
				m.super.start(b, name, server, l, l.ending(restartDrain))
			}
		}
	}
	for at, r := range m.boxes.records {
		server, ok := entryOf(cfg, at)
		before, _ := entryOf(old, at)
		switch {
		case !ok:
			delete(m.boxes.records, at)
		case before == nil || !sameApproval(before, server):
			r.problem = nil // it belonged to the old entry
		}
	}
	m.boxes.touch()
	if m.boxes.keeping {
		m.life.running.Go(func() { m.alwaysOpen.open(m.life.ctx) })
	}
	m.boxes.mu.Unlock()
	m.announce.changed(kinds(links...))
}

// approvalPatience is how long a change waits until it is known which entries are approved. The others are taken for
// not approved then, until [Manager.Reconsider].
const approvalPatience = 2 * time.Second

// unapproved returns the changed entries of servers that have a link and that must not be started.
func (m *Manager) unapproved(cfg *config.Config) map[*config.Server]bool {
	if m.options.Approve == nil {
		return nil
	}
	m.boxes.mu.Lock()
	var changed []toolboxEntry
	for name, b := range m.boxes.open {
		for serverName, l := range b.links {
			if entry, ok := entryOf(cfg, ServerID{name, serverName}); ok && !sameApproval(l.inForce, entry) {
				changed = append(changed, toolboxEntry{name, entry})
			}
		}
	}
	m.boxes.mu.Unlock()
	ctx, cancel := context.WithTimeout(m.life.ctx, approvalPatience)
	defer cancel()
	found := map[*config.Server]bool{}
	for _, at := range changed {
		found[at.entry] = !m.pins.approve.allows(ctx, at.toolbox, at.entry)
	}
	return found
}

// Reconsider takes up that other entries are approved now: those that were not started for that reason are, and those
// that run as they were are restarted with what the file says.
func (m *Manager) Reconsider() {
	m.configuring.Lock()
	defer m.configuring.Unlock()
	m.setConfig(m.Config())
	m.boxes.mu.Lock()
	var again []*link
	for _, b := range m.boxes.open {
		for _, l := range b.links {
			if p := l.problem(); p != nil && p.Kind == status.KindApproval {
				again = append(again, l)
			}
		}
	}
	for _, r := range m.boxes.records {
		if r.problem != nil && r.problem.Kind == status.KindApproval {
			r.problem = nil // its toolbox is not open, and the next opening finds problems anew
		}
	}
	m.boxes.touch()
	m.boxes.mu.Unlock()
	ctx, cancel := context.WithTimeout(m.life.ctx, approvalPatience)
	defer cancel()
	for _, l := range again {
		if !m.pins.approve.allows(ctx, l.toolbox, l.entry) {
			continue
		}
		m.boxes.mu.Lock()
		if server := m.boxes.restartable(l); server != nil {
			m.super.ensure(l.toolbox, server)
		}
		m.boxes.mu.Unlock()
	}
}
