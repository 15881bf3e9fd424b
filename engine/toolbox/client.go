package toolbox

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Client is the other side of the servers: the client of this engine, or the person at the window. Its methods are
// called from several goroutines.
type Client interface {
	// Capabilities returns what servers are told that the client can do, a JSON object, or nil for nothing. It is asked
	// whenever a server is started.
	Capabilities() json.RawMessage
	// Modern reports whether the client speaks 2026-07-28, so that servers which do as well need not be translated. It is
	// asked whenever a server is started.
	Modern() bool
	// Ask answers a request of a server, such as sampling/createMessage. A [*downstream.RPCError] passes as it is. ctx ends
	// when the server no longer waits. If the call that the request belongs to is known, ctx is derived from that call's
	// context.
	Ask(ctx context.Context, from ServerID, method string, params json.RawMessage) (json.RawMessage, error)
	// Hear gets a notification of a server. It is called on the goroutine that reads from the server and must not block;
	// params are valid until it returns. Updates come under the URIs that were subscribed to.
	Hear(from ServerID, method string, params json.RawMessage)
}

// asksTold is how many of a server's requests the journal notes one by one. After that it notes one of every asksTold.
const asksTold = 50

// dialOptions are those members of a session's options that connect it with the client.
func (m *Manager) dialOptions(l *link, o downstream.Options) downstream.Options {
	o.Check = checkDefinition
	o.OnListChanged = func(kind downstream.Kind) { m.refresh(l, kind) }
	o.OnLog = l.journal.heard
	client := m.options.Client
	if client == nil {
		return o
	}
	from := l.id()
	o.Capabilities = client.Capabilities()
	o.PreferModern = client.Modern()
	o.OnRequest = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		n := l.said.asks.Add(1)
		tell := n <= asksTold || n%asksTold == 0 // it may go on for ever
		if tell {
			l.journal.say(words.New("toolbox.asks_client", "Method", method, "Number", n))
		}
		m.noteElicitation(from, params)
		result, err := client.Ask(ctx, from, method, params)
		if err != nil && tell {
			l.journal.say(words.New("toolbox.client_silent", "Method", method, "Why", err))
		}
		return result, err
	}
	o.OnNotification = func(method string, params json.RawMessage) {
		switch method {
		case downstream.TaskStatus:
			if id, _ := jsonrpc.String(jsonrpc.Lookup(params, "taskId")); !m.hasTask(from, id) {
				l.tellsOfStrangeTasks()
				return
			}
		case downstream.ElicitationComplete:
			if id, _ := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId")); !m.isElicitation(from, id) {
				return // it belongs to another server
			}
		}
		if method != downstream.ResourceUpdated {
			client.Hear(from, method, params)
			return
		}
		uri, _ := jsonrpc.String(jsonrpc.Lookup(params, "uri"))
		names := m.subscriptions.of(from, uri)
		if len(names) == 0 {
			l.said.updates.Do(func() { l.journal.say(words.New("toolbox.stray_updates")) })
		}
		for _, name := range names {
			client.Hear(from, method, withURI(params, name))
		}
	}
	return o
}

// noteElicitation remembers which server an elicitation with an id belongs to.
func (m *Manager) noteElicitation(from ServerID, params json.RawMessage) {
	if id, ok := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId")); ok {
		m.elicitations.add(id, from)
	}
}

func (m *Manager) isElicitation(from ServerID, id string) bool {
	owner, ok := m.elicitations.of(id)
	return ok && owner == from
}

// greet tells a server that was just connected what the client has said before. Settings that the server does not support
// are skipped.
func (m *Manager) greet(l *link) {
	m.tellLevel(l)
	for _, uri := range m.subscriptions.uris(l.id()) {
		if err := l.session.Subscribe(m.lifetime, uri); err != nil {
			l.journal.say(words.New("toolbox.subscription_refused", "URI", downstream.Clean(uri, maxName), "Why", err))
		}
	}
}

// levelPatience is how long a server may take to hear of a level before the client is told that it is done.
const levelPatience = 2 * time.Second

// SetLevel makes all servers, also those connected later, send messages of this level and above. It waits for a server that
// does not answer only the first time, and for levelPatience at most.
func (m *Manager) SetLevel(ctx context.Context, level string) {
	m.mu.Lock()
	m.level = level
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, levelPatience)
	defer cancel()
	each(m.connected("logging"), func(_ int, l *link) {
		heard := make(chan struct{})
		m.running.Go(func() {
			defer close(heard)
			m.tellLevel(l)
		})
		if l.level.deaf.Load() {
			return
		}
		select {
		case <-heard:
		case <-ctx.Done():
			l.level.deaf.Store(true)
		}
	})
}

// tellLevel tells one server of the level that is wanted now.
func (m *Manager) tellLevel(l *link) {
	l.level.telling.Lock() // so that the last one told is the last one wanted
	defer l.level.telling.Unlock()
	m.mu.Lock()
	level := m.level
	m.mu.Unlock()
	if level == "" {
		return
	}
	if err := l.session.SetLevel(m.lifetime, level); err != nil {
		l.journal.say(words.New("toolbox.level_refused", "Why", err))
	}
}

// Tell sends a notification to all connected servers. params may be nil.
func (m *Manager) Tell(method string, params json.RawMessage) {
	for _, l := range m.connected() {
		l.session.Notify(method, params)
	}
}

// TellOne sends a notification to one server, if it is connected.
func (m *Manager) TellOne(to ServerID, method string, params json.RawMessage) {
	if l := m.linkOf(to); l != nil {
		l.session.Notify(method, params)
	}
}

// Request passes a request to a server of an open toolbox, connecting it again if it has died, and returns its result
// as it was sent, or as clients take it. Errors are a [*downstream.RPCError] with which the server answered, ctx's, and an [*Error].
func (m *Manager) Request(ctx context.Context, to ServerID, call downstream.Call) (result json.RawMessage, err error) {
	err = m.onLink(ctx, to, call.Method, func(l *link) error {
		result, err = l.session.Call(ctx, call)
		return err
	})
	if err != nil {
		return nil, err
	}
	result = definition.MendResult(call.Method, call.Params, result)
	m.linked.see(to, result)
	return withOwnPages(to, result), nil
}

// onLink calls f with a connected server, and once more with its new session if the server has forgotten the old one.
// method is that of the request which f makes.
func (m *Manager) onLink(ctx context.Context, to ServerID, method string, f func(*link) error) error {
	for renewed := false; ; renewed = true {
		l, release, err := m.acquire(ctx, ToolID{Toolbox: to.Toolbox, Server: to.Server})
		if err != nil {
			return err
		}
		err = f(l)
		release()
		switch {
		case err == nil:
			return nil
		case renewed || !mayRepeat(ctx, err):
			return m.requestFailed(l, method, err)
		}
	}
}

// Modern reports whether a server is connected that speaks 2026-07-28, any server for the zero ID.
func (m *Manager) Modern(server ServerID) bool {
	return slices.ContainsFunc(m.connected(), func(l *link) bool {
		return (server == ServerID{} || l.id() == server) && l.session.Info().Modern
	})
}

// requestFailed turns a session's error into the one that callers of [Manager.Request] see.
func (m *Manager) requestFailed(l *link, method string, err error) error {
	if rpc := asRPC(err); rpc != nil {
		return rpc
	}
	if isContext(err) {
		return err
	}
	return newError(codeOf(err), contract.Details{Toolbox: l.toolbox, Server: l.entry.Name}, err,
		words.New("toolbox.request_failed", "Method", method, "Server", l.entry.Name, "Toolbox", l.toolbox, "Why", m.reason(l, err)))
}

// checkDefinition judges what servers list (contract.md, section 6).
func checkDefinition(kind downstream.Kind, definition json.RawMessage) error {
	switch kind {
	case downstream.Tools:
		return contract.ValidateTool(definition)
	case downstream.Resources:
		return contract.ValidateResource(definition)
	}
	return nil
}
