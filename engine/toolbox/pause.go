package toolbox

// SetPaused ends all servers, and refuses calls and opening with a sentence that says so, or takes that back: then what
// was open is connected again. It does not wait for the servers. Open toolboxes stay open, so that clients keep their
// tools and read why these don't work.
func (m *Manager) SetPaused(paused bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.paused == paused {
		return
	}
	m.paused = paused
	m.permissions.clear() // the person may have paused us to take them back
	for name, b := range m.open {
		for _, l := range b.all() {
			if in[heldState](l) || in[restingState](l) {
				continue
			}
			if paused {
				m.park(l)
				continue
			}
			if toolbox, ok := m.config.Toolbox(name); ok {
				if server, ok := toolbox.Server(l.entry.Name); ok && !server.Disabled {
					m.ensure(name, server)
				}
			}
		}
	}
	m.log.Info("Paused by the user", "paused", paused)
	m.touch()
}

// park ends a link that stays in its box. The caller holds m.mu.
func (m *Manager) park(l *link) {
	l.park()
	finish := l.ending(0)
	m.running.Go(func() { finish(m.lifetime) })
}
