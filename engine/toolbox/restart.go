package toolbox

import "context"

// Restart starts a server anew: one that is connected ends first, and what it has not answered in two seconds fails;
// one that failed, stopped or was never started is started now, without the others of its toolbox. Calls that come
// meanwhile wait. It returns when the server is connected, or an [*Error] that says why it is not. When ctx ends
// before, the server goes on starting.
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

// replace puts a new link in the place of a server's old one.
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
