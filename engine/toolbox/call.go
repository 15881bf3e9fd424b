package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Call passes a call to the tool's server and returns the result as the server sent it. A toolbox
// that is configured but not open is opened first; the call waits for its own server alone.
// The call's Tool is taken from id.
//
// It returns an [*Error] for every failure but the end of ctx.
func (m *Manager) Call(ctx context.Context, id ToolID, call downstream.Call) (json.RawMessage, error) {
	begun := m.clock()
	n := m.recorder.note(id, call.Arguments)
	result, err := m.call(ctx, id, call)
	failed := err == nil && downstream.Failed(result)
	m.recorder.end(n, result, failed, err)
	m.count(id, m.clock().Sub(begun), failed, err)
	return result, err
}

// clock returns the time when somebody counts calls, and saves itself the work otherwise.
func (m *Manager) clock() time.Time {
	if m.options.Called == nil {
		return time.Time{}
	}
	return time.Now()
}

// count reports a call that has ended to the counter of calls. A cancelled call does not count as failed.
func (m *Manager) count(id ToolID, took time.Duration, failed bool, err error) {
	if m.options.Called != nil {
		m.options.Called(id, took, failed || err != nil && !errors.Is(err, context.Canceled))
	}
}

func (m *Manager) call(ctx context.Context, id ToolID, call downstream.Call) (json.RawMessage, error) {
	given := m.permissions.continues(id, call)
	for renewed := false; ; {
		l, release, err := m.acquire(ctx, id)
		if err != nil {
			return nil, err
		}
		tool := find(l.session.Tools(), id.Tool)
		if tool == nil {
			release()
			return nil, toolNotFound(id, toolNames(m.offered(l, l.entry)))
		}
		if why := m.whyWithheld(l, id.Tool); why != nil {
			release()
			return nil, callFailed(id, contract.Unavailable, why)
		}
		if !m.mustAsk(id, l, tool) || given.covers(l, tool) {
			result, err := m.deliver(ctx, id, l, tool, call)
			release()
			if !renewed && mayRepeat(ctx, err) {
				renewed = true
				continue
			}
			m.permissions.keep(id, call, given, result)
			return result, err
		}
		release() // the person may take a while, and the server may have to go meanwhile
		call.Passed()
		if given, err = m.askPerson(ctx, id, l, tool, call); err != nil {
			return nil, err
		}
	}
}

// deliver passes a call to a connected server.
func (m *Manager) deliver(ctx context.Context, id ToolID, l *link, tool *downstream.Item, call downstream.Call) (json.RawMessage, error) {
	call.Tool = id.Tool
	asTask := slices.ContainsFunc(call.Params, func(m jsonrpc.Member) bool { return m.Name == "task" })
	var result json.RawMessage
	var err error
	if tool.TaskOnly && !asTask {
		result, err = m.callAsTask(ctx, l, call)
	} else {
		result, err = l.session.Call(ctx, call)
	}
	if err == nil && asTask {
		err = m.begunTask(l, result)
	}
	if err == nil {
		result = definition.MendResult("tools/call", nil, result)
		m.linked.see(id.On(), result)
		return withOwnPages(id.On(), result), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, m.explain(l, id, err)
}

// mayRepeat reports whether a request can be made again in a new session, since it did not run in the old one.
func mayRepeat(ctx context.Context, err error) bool {
	return errors.Is(err, downstream.ErrNotRun) && ctx.Err() == nil
}

// explain turns a session's error into the one that callers see.
func (m *Manager) explain(l *link, id ToolID, err error) error {
	if rpc := asRPC(err); rpc != nil {
		elicitations, _ := jsonrpc.Elements(jsonrpc.Lookup(rpc.Data, "elicitations")) // of -32042
		for _, e := range elicitations {
			m.noteElicitation(l.id(), e)
		}
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	failed := callFailed(id, codeOf(err), m.reason(l, err))
	if rpc := asRPC(err); rpc != nil && rpc.Code != jsonrpc.CodeVisitURL { // that one has its page in the sentence
		failed.hintData(rpc.Data)
	}
	return failed
}

// acquire returns a connected link for the tool's server, opening the toolbox if need be. The link
// is not taken down by a change of configuration until release is called.
func (m *Manager) acquire(ctx context.Context, id ToolID) (l *link, release func(), err error) {
	// A link can die, or be replaced, between becoming ready and being used: then look again, but
	// not for ever.
	for range 3 {
		server, waiting, err := m.seek(id)
		if err != nil {
			return nil, nil, err
		}
		if err := m.awaitOne(ctx, waiting); err != nil {
			return nil, nil, err
		}
		m.mu.Lock()
		b := m.open[id.Toolbox]
		if b != nil && b.links[server.Name] == waiting && in[connectedState](waiting) && waiting.connected() {
			waiting.calls.Add(1)
			m.mu.Unlock()
			return waiting, waiting.calls.Done, nil
		}
		replaced := b != nil && b.links[server.Name] != waiting
		m.mu.Unlock()
		if waiting.err != nil && !replaced {
			return nil, nil, m.failure(waiting)
		}
		l = waiting
	}
	return nil, nil, m.failure(l)
}

// seek checks id against the configuration and returns the link of its server, on its way if it was
// not connected.
func (m *Manager) seek(id ToolID) (*config.Server, *link, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, callFailed(id, contract.Unavailable, errShutdown)
	}
	toolbox, ok := m.config.Toolbox(id.Toolbox)
	if !ok {
		return nil, nil, toolboxNotFound(id.Toolbox, toolboxNames(m.config))
	}
	server, ok := toolbox.Server(id.Server)
	if !ok || server.Disabled {
		return nil, nil, unusable(toolbox, id, ok)
	}
	if id.Tool != "" && !server.Allows(id.Tool) {
		err := toolNotFound(id, nil)
		err.Hints = nil
		if b := m.open[id.Toolbox]; b != nil && b.links[id.Server] != nil {
			err.hintAvailable("toolbox.available_tools", toolNames(b.links[id.Server].offered(server)))
		}
		return nil, nil, err
	}
	if m.paused {
		return nil, nil, callFailed(id, contract.Unavailable, errPaused)
	}
	if b := m.open[id.Toolbox]; b != nil && in[heldState](b.links[id.Server]) {
		return nil, nil, callFailed(id, contract.Unavailable, errHeld)
	}
	if m.open[id.Toolbox] == nil {
		m.log.Info("Opening toolbox", "toolbox", id.Toolbox, "server", id.Server)
		for _, other := range toolbox.Enabled() {
			m.ensure(id.Toolbox, other)
		}
	}
	return server, m.ensure(id.Toolbox, server), nil
}

// unusable is the error for a server that is not configured or disabled.
func unusable(toolbox *config.Toolbox, id ToolID, disabled bool) *Error {
	err := serverNotFound(id, serverNames(toolbox))
	if disabled {
		err.Hints = append(err.Hints, words.New("toolbox.server_disabled", "Server", id.Server))
	}
	return err
}

// startable returns the entry of a server that can be started, or an error that says why it cannot. The caller holds m.mu.
func (m *Manager) startable(toolbox, server string) (*config.Server, error) {
	if m.closed {
		return nil, errShutdown
	}
	if m.paused {
		return nil, connectFailed(toolbox, server, errPaused)
	}
	t, ok := m.config.Toolbox(toolbox)
	if !ok {
		return nil, toolboxNotFound(toolbox, toolboxNames(m.config))
	}
	entry, ok := t.Server(server)
	if !ok || entry.Disabled {
		return nil, unusable(t, ToolID{Toolbox: toolbox, Server: server}, ok)
	}
	return entry, nil
}

// awaitOne returns when the link has settled, or with an error at the deadline or at the end of ctx.
func (m *Manager) awaitOne(ctx context.Context, l *link) error {
	if l.settled() {
		return nil
	}
	deadline := time.NewTimer(m.options.Deadline)
	defer deadline.Stop()
	select {
	case <-l.attempt.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-deadline.C:
		return connectFailed(l.toolbox, l.entry.Name, words.NewError("toolbox.still_starting", "Time", time.Since(l.attempt.started).Round(time.Second)))
	}
}

// codeOf chooses the envelope's code for a failed call.
func codeOf(err error) contract.Code {
	if rpc := asRPC(err); rpc != nil {
		if rpc.Code == jsonrpc.CodeInvalidParams || rpc.Code == jsonrpc.CodeInvalidRequest {
			return contract.InvalidInput
		}
		return contract.InternalError
	}
	if errors.Is(err, downstream.ErrSignIn) {
		return contract.AuthRequired
	}
	return contract.Unavailable
}

// find returns the item of that name, nil when there is none.
func find(items []downstream.Item, name string) *downstream.Item {
	for i := range items {
		if items[i].Name == name {
			return &items[i]
		}
	}
	return nil
}

func toolNames(tools []downstream.Item) []string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names
}
