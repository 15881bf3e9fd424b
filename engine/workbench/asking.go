package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// JSON-RPC codes of our own refusals.
const (
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
)

// How long a client may take to answer what a server asks, by who has to think: its program, a model, or a person.
const (
	askProgram = 30 * time.Second
	askModel   = 5 * time.Minute
	askPerson  = 10 * time.Minute
)

// askable is what the engine knows of a request that servers may make.
type askable struct {
	method     string
	capability string // what the client must have declared
	limit      time.Duration
}

// askables is the table of the requests that servers may make of the client.
var askables = [...]askable{
	{"sampling/createMessage", "sampling", askModel},
	{"elicitation/create", "elicitation", askPerson},
	{"roots/list", "roots", askProgram},
	{"tasks/get", "tasks", askProgram},
	{"tasks/list", "tasks", askProgram},
	{"tasks/cancel", "tasks", askProgram},
	{"tasks/result", "tasks", askPerson},
}

// clientSide is the client as its servers see it. It implements [toolbox.Client].
type clientSide struct{ *Server }

var _ toolbox.Client = clientSide{}

// Capabilities returns what the client has declared, as it was sent.
func (c clientSide) Capabilities() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.capabilities
}

// Modern reports whether the client has spoken 2026-07-28.
func (c clientSide) Modern() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.capabilities != nil && !c.legacy.Load()
}

// Ask passes a request of a server on to the client: as a request, or, where the client speaks 2026-07-28, in the answer to
// the request for which the server needs it.
func (c clientSide) Ask(ctx context.Context, from toolbox.ServerID, method string, params json.RawMessage) (json.RawMessage, error) {
	q := question{from: from, method: method, params: params}
	for _, known := range askables {
		if known.method == method {
			q.askable = known
		}
	}
	if q.askable.method == "" {
		return nil, &downstream.RPCError{Code: codeMethodNotFound, Message: fmt.Sprintf("method '%s' is not supported by this client", downstream.Clean(method, 100))}
	}
	if err := q.badPage(); err != nil {
		return nil, err
	}
	if limit := c.options.AskLimit; limit > 0 {
		q.limit = limit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, q.limit, fmt.Errorf("the client did not answer within %v", q.limit))
	defer cancel()
	if c.legacy.Load() {
		return c.askLegacy(ctx, q)
	}
	return c.askModern(ctx, q)
}

// question is a request of a server on its way to the client.
type question struct {
	askable
	from   toolbox.ServerID
	method string
	params json.RawMessage
}

// refusal returns why a client with these capabilities cannot be asked, nil when it can.
func (q question) refusal(capabilities json.RawMessage) error {
	declared := jsonrpc.Lookup(capabilities, q.capability)
	if len(declared) == 0 || declared[0] != '{' {
		return &downstream.RPCError{Code: codeMethodNotFound, Message: fmt.Sprintf("the client does not support %s (%s)", q.capability, q.askable.method)}
	}
	if q.capability != "elicitation" {
		return nil
	}
	// A client that declares no mode has the one that there was first: forms.
	modes := jsonrpc.Split(declared)
	mode, _ := jsonrpc.String(jsonrpc.Lookup(q.params, "mode"))
	if mode == "" {
		mode = "form"
	}
	if member(modes, mode) == nil && !(mode == "form" && member(modes, "url") == nil) {
		return &downstream.RPCError{Code: codeInvalidParams, Message: fmt.Sprintf("the client does not support elicitation of the mode '%s'", downstream.Clean(mode, 40))}
	}
	return nil
}

// badPage refuses to send a person to an address that is no page on the web: what a browser does with "javascript:" or
// "file:" is not what the person agrees to.
func (q question) badPage() error {
	if mode, _ := jsonrpc.String(jsonrpc.Lookup(q.params, "mode")); q.method != "elicitation/create" || mode != "url" {
		return nil
	}
	if address, _ := jsonrpc.String(jsonrpc.Lookup(q.params, "url")); !isWebPage(address) {
		return invalidParams("url must begin with https:// or http://, and '%s' does not", downstream.Clean(address, 100))
	}
	return nil
}

// isWebPage reports whether an address is that of a page on the web.
func isWebPage(address string) bool {
	page, err := url.Parse(address)
	return err == nil && (page.Scheme == "https" || page.Scheme == "http") && page.Host != ""
}

// asked is a request of ours that the client has not answered yet.
type asked struct {
	answer chan jsonrpc.Message
	from   toolbox.ServerID
	token  json.RawMessage // the server's progress token, nil when it has none
}

// askLegacy makes a request of the client.
func (s *Server) askLegacy(ctx context.Context, q question) (json.RawMessage, error) {
	s.mu.Lock()
	if err := q.refusal(s.capabilities); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	s.lastAsk++
	id := `"workbench-` + strconv.FormatUint(s.lastAsk, 10) + `"`
	a := &asked{answer: make(chan jsonrpc.Message, 1), from: q.from}
	s.asked[id] = a
	params := q.params
	if meta := jsonrpc.Split(jsonrpc.Lookup(params, "_meta")); member(meta, progressToken) != nil {
		// Two servers may use the same token.
		a.token = member(meta, progressToken)
		meta = withMember(meta, progressToken, json.RawMessage(id))
		params = jsonrpc.AppendObject(nil, withMember(jsonrpc.Split(params), "_meta", jsonrpc.AppendObject(nil, meta)))
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
	}()
	if params == nil {
		params = json.RawMessage("{}")
	}
	s.write([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":`), jsonrpc.AppendString(nil, q.askable.method), []byte(`,"params":`), params, []byte{'}'})
	select {
	case m := <-a.answer:
		if m.Error != nil {
			return nil, downstream.ParseError(m.Error)
		}
		s.noteClientTask(q.from, m.Result)
		return m.Result, nil
	case <-ctx.Done():
		reason := jsonrpc.AppendString(nil, context.Cause(ctx).Error())
		s.write([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`,"reason":`), reason, []byte("}}"))
		return nil, context.Cause(ctx)
	case <-s.unheard:
		return nil, errClientGone
	}
}

// answered takes up the client's answer to a request of ours. It runs on the read loop; the message is the callee's.
func (s *Server) answered(m jsonrpc.Message) {
	s.mu.Lock()
	a := s.asked[string(m.ID)]
	delete(s.asked, string(m.ID))
	s.mu.Unlock()
	if a == nil {
		s.log.Debug("The client answered something that was not asked", "id", downstream.Clean(string(m.ID), 100))
		return
	}
	if m.Error == nil && (len(m.Result) == 0 || m.Result[0] != '{') {
		m.Error = json.RawMessage(`{"code":-32603,"message":"the client answered with a result that is no object"}`)
	}
	a.answer <- m
}

// maxClientTasks is how many tasks of the client are remembered.
const maxClientTasks = 1_000

// noteClientTask remembers which server a task of the client is for.
func (s *Server) noteClientTask(from toolbox.ServerID, result json.RawMessage) {
	id, ok := jsonrpc.String(jsonrpc.Lookup(jsonrpc.Lookup(result, "task"), "taskId"))
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.clientTasks) >= maxClientTasks {
		clear(s.clientTasks) // the servers ask by themselves, too
	}
	s.clientTasks[id] = from
}

// passNotification passes a notification of the client on to the servers that it concerns.
func (s *Server) passNotification(m jsonrpc.Message) {
	switch m.Method {
	case "notifications/roots/list_changed":
		s.manager.Tell(m.Method, m.Params)
	case "notifications/progress":
		s.mu.Lock()
		a := s.asked[string(jsonrpc.Lookup(m.Params, progressToken))]
		s.mu.Unlock()
		if a != nil && a.token != nil {
			s.manager.TellOne(a.from, m.Method, jsonrpc.AppendObject(nil, withMember(jsonrpc.Split(m.Params), progressToken, a.token)))
		}
	case "notifications/tasks/status":
		id, _ := jsonrpc.String(jsonrpc.Lookup(m.Params, "taskId"))
		s.mu.Lock()
		from, ok := s.clientTasks[id]
		s.mu.Unlock()
		if ok {
			s.manager.TellOne(from, m.Method, m.Params)
		}
	}
}
