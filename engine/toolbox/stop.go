package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Stop ends a server for the user and holds it: it is started only by Restart, or when its toolbox is opened. Until
// then its calls fail with an error that says so, and clients keep its tools. Calls in flight fail after two seconds.
// Stop returns when the server's processes have ended, or at once if it was not started.
func (m *Manager) Stop(ctx context.Context, toolbox, server string) error {
	finish, err := m.hold(toolbox, server)
	if finish != nil {
		finish(ctx)
	}
	return err
}

// hold puts the link of a server into the state held. It returns a function that ends the link, or nil if there is no
// link.
func (m *Manager) hold(toolbox, server string) (finish func(context.Context), err error) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	if m.boxes.closed {
		return nil, errShutdown
	}
	t, ok := m.boxes.config.Toolbox(toolbox)
	if !ok {
		return nil, toolboxNotFound(toolbox, toolboxNames(m.boxes.config))
	}
	if _, ok := t.Server(server); !ok {
		return nil, unusable(t, ToolID{Toolbox: toolbox, Server: server}, false)
	}
	defer m.boxes.touch()
	r := m.boxes.record(toolbox, server)
	r.problem, r.crashes = nil, 0
	l := m.boxes.link(ServerID{toolbox, server})
	if l == nil {
		return nil, nil
	}
	m.life.log.Info("Stopping server for the user", "toolbox", toolbox, "server", server)
	l.hold()
	l.said.end.Do(func() { l.journal.say(words.New("toolbox.stopped_by_user")) })
	return l.ending(restartDrain), nil
}
