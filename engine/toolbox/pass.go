package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Call passes a call to the tool's server and returns the result as the server sent it. A toolbox
// that is configured but not open is opened first; the call waits for its own server alone.
// The call's Tool is taken from id.
//
// It returns an [*Error] for every failure but the end of ctx.
func (m *Manager) Call(ctx context.Context, id ToolID, call downstream.Call) (json.RawMessage, error) {
	begun := time.Now()
	n := m.recorder.note(id, call.Arguments)
	result, waited, err := m.calls.call(ctx, id, call)
	failed := err == nil && downstream.Failed(result)
	m.recorder.end(n, result, waited, failed, err)
	if m.options.Called != nil && !words.Is(err, errAsksFirst) { // a cancelled call does not count as failed
		m.options.Called(id, time.Since(begun)-waited, failed || err != nil && !errors.Is(err, context.Canceled))
	}
	return result, err
}

// Request passes a request to a server of an open toolbox, connecting it again if it has died, and returns its result
// as it was sent, or as clients take it. Errors are a [*downstream.RPCError] with which the server answered, ctx's,
// and an [*Error].
func (m *Manager) Request(ctx context.Context, to ServerID, call downstream.Call) (json.RawMessage, error) {
	return m.router.request(ctx, to, call)
}

// SetLevel makes all servers, also those connected later, send messages of this level and above. It waits for a
// server that does not answer only the first time, and for levelPatience at most.
func (m *Manager) SetLevel(ctx context.Context, level string) { m.client.setLevel(ctx, level) }

// Tell sends a notification to all connected servers. params may be nil.
func (m *Manager) Tell(method string, params json.RawMessage) {
	for _, l := range m.boxes.connected() {
		l.session.Notify(method, params)
	}
}

// TellOne sends a notification to one server, if it is connected.
func (m *Manager) TellOne(to ServerID, method string, params json.RawMessage) {
	if l := m.boxes.linkOf(to); l != nil {
		l.session.Notify(method, params)
	}
}

// Modern reports whether a server is connected that speaks 2026-07-28, any server for the zero ID.
func (m *Manager) Modern(server ServerID) bool {
	return slices.ContainsFunc(m.boxes.connected(), func(l *link) bool {
		return (server == ServerID{} || l.id() == server) && l.session.Info().Modern
	})
}

// KeepOpen opens all toolboxes that are always open, now and after each change of the configuration. It returns when
// the known tools of their servers are listed; servers whose tools are not known are still starting then.
func (m *Manager) KeepOpen(ctx context.Context) {
	m.boxes.mu.Lock()
	m.boxes.keeping = true
	m.boxes.mu.Unlock()
	m.alwaysOpen.open(ctx)
}

// AwaitOpen returns when each server of the toolboxes that are always open has connected, failed, or rests, and after
// patience at the latest.
func (m *Manager) AwaitOpen(ctx context.Context, patience time.Duration) {
	m.alwaysOpen.await(ctx, patience)
}

// StartResting starts the resting servers that have lists of a capability besides tools, or may have. Only of tools it is
// known what they were in an earlier run.
func (m *Manager) StartResting(capability string) { m.alwaysOpen.startFor(capability) }

// Log returns the last lines of a server's log, 64 KiB at most, oldest first: what it wrote and what we did with it,
// over all its starts. It is empty for a server that was never started.
func (m *Manager) Log(toolbox, server string) []status.LogLine {
	if j := m.boxes.journalOf(ServerID{toolbox, server}); j != nil {
		return j.snapshot()
	}
	return nil
}

// Note adds a line of our own to a server's log. A server that was never started has none.
func (m *Manager) Note(id ServerID, text words.Text) {
	if j := m.boxes.journalOf(id); j != nil {
		j.say(text)
	}
}

// Watch has the functions called with every line that is added to a server's log, and with the calls that pass
// through, until cancel; a call comes once while it runs, unless it is quick, and once when it has ended. The
// functions are called from several goroutines, must return at once and must not call back into the Manager. Either
// may be nil.
func (m *Manager) Watch(line func(toolbox, server string, line status.LogLine),
	call func(status.Call)) (cancel func()) {
	return m.recorder.watch(&watcher{line, call})
}
