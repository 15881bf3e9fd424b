package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Stop ends a server on the user's behalf and holds it: nothing starts it by itself, and calls fail with a sentence
// that says so, while clients keep its tools. What it has not answered in two seconds fails. Restart starts it again,
// and so does opening its toolbox, anew or once more. It returns when the server is gone, at once for one that was
// not started.
func (m *Manager) Stop(ctx context.Context, toolbox, server string) error {
	finish, err := m.hold(toolbox, server)
	if finish != nil {
		finish(ctx)
	}
	return err
}

// hold takes the link of a server out of use, and returns what ends it if there is one.
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
