package toolbox

import "context"

// OpenToolbox is [Manager.Open] for the desktop app, which sees the result in the status.
func (m *Manager) OpenToolbox(ctx context.Context, toolbox string) error {
	m.options.Lookup.PersonActed()
	_, err := m.Open(ctx, toolbox, nil)
	return err
}

// CloseToolbox is [Manager.Close] for the desktop app.
func (m *Manager) CloseToolbox(ctx context.Context, toolbox string) error {
	_, _, err := m.Close(ctx, toolbox)
	return err
}
