package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Call calls a tool and returns the members of the result, as the server sent them. It opens the toolbox if that is
// closed, and waits only for the server of the tool. call.Tool is set from id.
//
// The error is an [*Error], or the error of ctx.
func (m *Manager) Call(ctx context.Context, id ToolID, call downstream.Call) ([]jsonrpc.Member, error) {
	begun := time.Now()
	n := m.recorder.note(id, call.Arguments)
	result, waited, err := m.calls.call(ctx, id, &call)
	failed := err == nil && downstream.Failed(result)
	m.recorder.end(n, result, waited, failed, err)
	if m.options.Called != nil && !words.Is(err, errAsksFirst) { // a cancelled call has not failed
		m.options.Called(id, time.Since(begun)-waited, failed || err != nil && !errors.Is(err, context.Canceled))
	}
	return result, err
}

// Request sends a request to a server of an open toolbox and returns the members of the result, corrected where
// clients would refuse it. A server that is down is started. The error is a [*downstream.RPCError] from the server,
// the error of ctx, or an [*Error].
func (m *Manager) Request(ctx context.Context, to ServerID, call downstream.Call) ([]jsonrpc.Member, error) {
	return m.router.request(ctx, to, call)
}

// SetLevel sets the lowest level of log messages that servers send, including servers that are connected later. It
// waits for the servers, at most two seconds; it does not wait again for one that took longer.
func (m *Manager) SetLevel(ctx context.Context, level string) { m.client.setLevel(ctx, level) }

// Tell sends a notification to all connected servers. params may be nil.
func (m *Manager) Tell(method string, params json.RawMessage) {
	for _, l := range m.boxes.connected() {
		l.session.Notify(method, params)
	}
}

// TellOne sends a notification to one server. It does nothing if the server is not connected.
func (m *Manager) TellOne(to ServerID, method string, params json.RawMessage) {
	if l := m.boxes.linkOf(to); l != nil {
		l.session.Notify(method, params)
	}
}

// Modern reports whether a server is connected and used in protocol version 2026-07-28. For the zero ID it reports
// whether any server is.
func (m *Manager) Modern(server ServerID) bool {
	return slices.ContainsFunc(m.boxes.connected(), func(l *link) bool {
		return (server == ServerID{} || l.id() == server) && l.session.Info().Modern
	})
}

// KeepOpen opens all toolboxes that are always open, now and after each change of the configuration. It returns when
// their known tools can be listed. Servers whose tools are not known are then still starting.
func (m *Manager) KeepOpen(ctx context.Context) {
	m.boxes.mu.Lock()
	m.boxes.keeping = true
	m.boxes.mu.Unlock()
	m.alwaysOpen.open(ctx)
}

// AwaitOpen waits until each server of the toolboxes that are always open has connected, failed, or rests. It waits at
// most patience.
func (m *Manager) AwaitOpen(ctx context.Context, patience time.Duration) {
	m.alwaysOpen.await(ctx, patience)
}

// StartResting starts the resting servers that have lists of a capability such as "prompts", or may have.
func (m *Manager) StartResting(capability string) { m.alwaysOpen.startFor(capability) }

// Log returns the last lines of a server's log, at most 64 KiB, the oldest first. It has the server's output and our
// remarks, over all runs. It is empty if the server was never started.
func (m *Manager) Log(toolbox, server string) []status.LogLine {
	if j := m.boxes.journalOf(ServerID{toolbox, server}); j != nil {
		return j.snapshot()
	}
	return nil
}

// Note adds a line of our own to a server's log. It does nothing if the server was never started.
func (m *Manager) Note(id ServerID, text words.Text) {
	if j := m.boxes.journalOf(id); j != nil {
		j.say(text)
	}
}

// Watch calls line for each line that is added to a server's log, and call for each call, until cancel. A call is
// reported when it ends and, if it takes a while, also while it runs. The functions are called from several
// goroutines. They must not block or call the Manager. Either may be nil.
func (m *Manager) Watch(line func(toolbox, server string, line status.LogLine),
	call func(status.Call)) (cancel func()) {
	return m.recorder.watch(&watcher{line, call})
}
