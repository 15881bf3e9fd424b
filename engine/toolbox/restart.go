package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// restartDrain is how long calls in flight may go on when their server is restarted, by the user or because its entry has changed. It is
// short, because a server is often restarted when it does not answer, and because the next calls wait.
const restartDrain = 2 * time.Second

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
		return m.failure(l)
	}
	return nil
}

// replace puts a new link in the place of a server's old one.
func (m *Manager) replace(toolbox, server string) (*link, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	entry, err := m.startable(toolbox, server)
	if err != nil {
		return nil, err
	}
	b := m.box(toolbox)
	old := b.links[server]
	var before func(context.Context)
	if old != nil {
		old.leave(errRestarted)
		before = old.ending(restartDrain)
	}
	m.record(toolbox, server).falls = 0
	m.log.Info("Restarting server", "toolbox", toolbox, "server", server)
	return m.start(b, toolbox, entry, old, before), nil
}

// drain returns when the calls in flight are answered, after the limit, or when ctx ends.
func drain(ctx context.Context, l *link, limit time.Duration) {
	pause.Until(ctx, l.calls.Wait, limit) // the wait ends with the calls, and they with the session, which is closed next
}
