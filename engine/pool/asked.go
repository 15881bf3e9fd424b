package pool

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// asked is a request of an engine that has no answer yet.
type asked struct {
	jsonrpc.Message
	size   int
	ctx    context.Context // ends when the engine cancels the request or has left
	cancel context.CancelCauseFunc
}

// request handles a request of the engine. It does not block.
func (a *attachment) request(m jsonrpc.Message, size int) {
	switch m.Method {
	case "ping":
		a.out.tell(result(m.ID, json.RawMessage("{}")))
		return
	case "server/discover": // to engines, every shared server is one of the older era
		a.out.tell(failure(m.ID, &downstream.RPCError{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}))
		return
	}
	r := &asked{Message: m, size: size}
	r.ctx, r.cancel = context.WithCancelCause(a.ctx)
	if !a.admit(r) {
		r.cancel(nil)
		a.out.tell(failure(m.ID, &downstream.RPCError{Code: jsonrpc.CodeInternalError,
			Message: "Too many requests are unanswered"}))
		return
	}
	a.turns <- r // there is room, since at most as many are admitted
}

// admit records a request, and reports false if there are too many.
func (a *attachment) admit(r *asked) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := string(r.ID)
	if a.requests[id] != nil || len(a.requests) >= maxUnanswered || a.held > 0 && a.held+r.size > maxHeld {
		return false
	}
	a.requests[id] = r
	a.held += r.size
	return true
}

// done ends a request: another one may take its place.
func (a *attachment) done(r *asked) {
	r.cancel(nil)
	a.mu.Lock()
	delete(a.requests, string(r.ID))
	a.held -= r.size
	a.mu.Unlock()
	a.move()
}

// takeTurns sends the requests to the server, in the order in which they came. The next one is begun when the one
// before was sent, not when it was answered.
func (a *attachment) takeTurns() {
	for {
		var r *asked
		select {
		case r = <-a.turns:
		case <-a.ctx.Done():
			return
		}
		select {
		case a.slots <- struct{}{}:
		case <-r.ctx.Done():
			a.done(r)
			continue
		}
		begun := make(chan struct{})
		sent := sync.OnceFunc(func() { close(begun) })
		a.work.Go(func() {
			defer func() { <-a.slots }()
			defer a.done(r)
			defer sent()
			a.answer(r, sent)
		})
		select {
		case <-begun:
		case <-a.ctx.Done():
			return
		}
	}
}

// answer answers a request. It calls sent when the next one may be sent. A request whose answer will never come gets
// none: the engine is told about the end of the server, and what that means for its requests.
func (a *attachment) answer(r *asked, sent func()) {
	session, err := a.server.acquire(r.ctx)
	if err != nil {
		return // the engine has cancelled or left, or the server is over
	}
	defer a.server.release()
	value, err := a.perform(r, session, sent)
	var refused *downstream.RPCError
	switch {
	case err == nil:
		a.out.send(result(r.ID, value))
	case r.ctx.Err() != nil, errors.Is(err, downstream.ErrStopped), errors.Is(err, downstream.ErrClosed):
	case errors.As(err, &refused):
		a.out.send(failure(r.ID, refused))
	default:
		a.out.send(failure(r.ID, &downstream.RPCError{Code: jsonrpc.CodeInternalError, Message: err.Error()}))
	}
}

// perform does what a request asks for and returns the result.
func (a *attachment) perform(r *asked, session *downstream.Session, sent func()) (json.RawMessage, error) {
	nothing := json.RawMessage("{}")
	uri, _ := jsonrpc.String(jsonrpc.Lookup(r.Params, "uri"))
	switch r.Method {
	case "initialize":
		a.out.tell([]byte(linePid + strconv.Itoa(session.Info().Pid) + "\n"))
		return introduction(session.Info()), nil
	case "logging/setLevel":
		level, _ := jsonrpc.String(jsonrpc.Lookup(r.Params, "level"))
		sent()
		return nothing, a.server.levels.set(r.ctx, a.server, session, a, level)
	case "resources/subscribe":
		sent()
		return nothing, a.server.watched.subscribe(r.ctx, session, a, uri)
	case "resources/unsubscribe":
		sent()
		return nothing, a.server.watched.unsubscribe(r.ctx, session, a, uri)
	case "tools/call", "prompts/get", "resources/read", "completion/complete", "tasks/result":
		a.calling.Add(1)
		defer a.calling.Add(-1)
	}
	if err := a.server.tasks.refuse(a, r.Message); err != nil {
		return nil, err
	}
	answer, err := session.Call(context.WithValue(r.ctx, ofAttachment{}, a), a.call(r, sent))
	var refused *downstream.RPCError
	if r.Method == "tools/list" && errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound {
		// Servers of an early version list their tools in the answer to initialize alone.
		tools := jsonrpc.AppendArray(nil, session.Tools(), func(dst []byte, tool downstream.Item) []byte {
			return append(dst, tool.Definition...)
		})
		return jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "tools", Value: tools}}), nil
	}
	if err != nil {
		return nil, err
	}
	return a.server.tasks.answered(a, r.Message, jsonrpc.AppendObject(nil, answer)), nil
}

// call returns the call that passes a request on.
func (a *attachment) call(r *asked, sent func()) downstream.Call {
	members := jsonrpc.Split(r.Params)
	meta := jsonrpc.ValueOf(members, "_meta")
	members = slices.DeleteFunc(members, func(m jsonrpc.Member) bool { return m.Name == "_meta" })
	call := downstream.Call{Method: r.Method, Params: members, Meta: jsonrpc.Split(meta), Sent: sent,
		Relisted: func() {}}
	if token := jsonrpc.Lookup(meta, jsonrpc.ProgressToken); token != nil {
		call.Progress = func(params json.RawMessage) {
			params = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(params), jsonrpc.ProgressToken, token))
			a.out.tell(notification("notifications/progress", params))
		}
	}
	return call
}

// introduction returns the answer to initialize: what the server has said in its one handshake.
func introduction(info downstream.Info) json.RawMessage {
	text := func(name, value string) jsonrpc.Member {
		return jsonrpc.Member{Name: name, Value: jsonrpc.AppendString(nil, value)}
	}
	version, capabilities := info.ProtocolVersion, info.Capabilities
	if info.Modern {
		version = mcp.ProtocolVersion20251125
	}
	if capabilities == nil {
		capabilities = json.RawMessage("{}")
	}
	about := []jsonrpc.Member{text("name", info.Name), text("version", info.Version)}
	if info.Title != "" {
		about = append(about, text("title", info.Title))
	}
	members := []jsonrpc.Member{text("protocolVersion", version), {Name: "capabilities", Value: capabilities},
		{Name: "serverInfo", Value: jsonrpc.AppendObject(nil, about)}}
	if info.Instructions != "" {
		members = append(members, text("instructions", info.Instructions))
	}
	return jsonrpc.AppendObject(nil, members)
}
