package toolbox

// SetPaused ends all servers, and refuses calls and opening with a sentence that says so, or takes that back: then
// what was open is connected again. It does not wait for the servers. Open toolboxes stay open, so that clients keep
// their tools and read why these don't work.
func (m *Manager) SetPaused(paused bool) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	if m.boxes.closed || m.boxes.paused == paused {
		return
	}
	m.boxes.paused = paused
	m.permissions.given.clear() // the person may have paused us to take them back
	for name, b := range m.boxes.open {
		for _, l := range b.all() {
			if in[heldState](l) || in[restingState](l) {
				continue
			}
			if paused {
				m.super.park(l)
				continue
			}
			if toolbox, ok := m.boxes.config.Toolbox(name); ok {
				if server, ok := toolbox.Server(l.entry.Name); ok && !server.Disabled {
					m.super.ensure(name, server)
				}
			}
		}
	}
	m.life.log.Info("Paused by the user", "paused", paused)
	m.boxes.touch()
}
