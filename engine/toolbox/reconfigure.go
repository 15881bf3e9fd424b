package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// SetConfig applies a new configuration. It touches only servers whose entries have changed:
//
//   - If the entry starts the same process, the process and session are kept.
//   - If it starts another one, the server is restarted as by [Manager.Restart], unless it was not started or the user
//     has stopped it.
//   - If the changed entry is not approved, a running server keeps its old entry.
//   - A server that was removed or disabled is ended when its calls in flight are answered, after 30 seconds at the
//     latest.
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
				delete(b.links, serverName) // alwaysOpen.open makes a new one if needed
				if len(b.links) == 0 && !toolbox.Open {
					delete(m.boxes.open, name)
				}
			case unapproved[server] && l.wasUp:
				m.pins.know(l, l.tools.known, server)
				l.awaitsApproval = true
			case goesOn:
				// Other fields, such as filters, are read from the configuration in force.
				m.pins.know(l, l.tools.known, server)
				l.inForce, l.awaitsApproval = server, false
			case in[heldState](l):
				b.links[serverName] = m.super.keepHeld(l, server)
				m.super.retire(l)
			default:
				l.awaitsApproval = false
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
			r.problem = nil // it was about the old entry
		}
	}
	m.boxes.touch()
	if m.boxes.keeping {
		m.life.running.Go(func() { m.alwaysOpen.open(m.life.ctx) })
	}
	m.boxes.mu.Unlock()
	m.report.changed(kinds(links...))
}

// approvalPatience is how long a change of the configuration waits for approvals. Entries not approved by then count
// as not approved, until [Manager.Reconsider].
const approvalPatience = 2 * time.Second

// unapproved returns the changed entries of servers with links that are not approved.
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

// Reconsider applies changed approvals: it starts servers that waited for one, and restarts running servers whose
// changed entries were approved.
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
			r.problem = nil // its toolbox is closed, and opening it will find out again
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
