package toolbox

// SetPaused pauses or resumes the manager. While it is paused, no server runs, and calls and opening fail with an
// error that says so. Open toolboxes stay open, so that clients keep their tools. After the pause, their servers are
// started again. SetPaused does not wait for servers.
func (m *Manager) SetPaused(paused bool) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	if m.boxes.closed || m.boxes.paused == paused {
		return
	}
	m.boxes.paused = paused
	m.permissions.consents.clear() // the person may have paused us to withdraw them
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
