package toolbox

import "context"

// Restart starts a server, and ends it first if it is running. Calls in flight fail after two seconds, and new calls
// wait. The other servers of the toolbox are not started. Restart returns when the server is connected, or an [*Error]
// if it cannot be connected. If ctx ends first, the server continues to start.
func (m *Manager) Restart(ctx context.Context, toolbox, server string) error {
	m.options.Lookup.PersonActed()
	l, err := m.replace(toolbox, server)
	if err != nil {
		return err
	}
	select {
	case <-l.attempt.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if l.err != nil {
		return m.boxes.failure(l)
	}
	return nil
}

// replace starts a new link for a server in place of its old one.
func (m *Manager) replace(toolbox, server string) (*link, error) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	entry, err := m.boxes.startable(toolbox, server)
	if err != nil {
		return nil, err
	}
	b := m.boxes.box(toolbox)
	old := b.links[server]
	var before func(context.Context)
	if old != nil {
		old.leave(errRestarted)
		before = old.ending(restartDrain)
	}
	m.boxes.record(toolbox, server).crashes = 0
	m.life.log.Info("Restarting server", "toolbox", toolbox, "server", server)
	return m.super.start(b, toolbox, entry, old, before), nil
}
