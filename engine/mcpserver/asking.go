package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// asking passes requests and notifications between the servers and the client. It implements [toolbox.Client].
type asking struct {
	log       *slog.Logger
	peer      *peer
	conn      *conn
	manager   *toolbox.Manager
	announcer *announcer
	exchanges *exchanges
	streams   *streams
	levels    *levels
	limit     time.Duration // see [Options.AskLimit]

	mu          sync.Mutex
	lastAsk     uint64
	asked       map[string]*asked                    // our requests that the client has not answered, by raw id
	clientTasks map[toolbox.ServerID]map[string]bool // ids of the client's tasks, by the server that started them
}

var _ toolbox.Client = (*asking)(nil)

// Capabilities returns the client's capabilities, as sent.
func (a *asking) Capabilities() json.RawMessage { return a.peer.declared() }

// Modern reports whether the client uses 2026-07-28.
func (a *asking) Modern() bool { return a.peer.modern() }

// Ask passes a request of a server to the client. A client that uses 2026-07-28 gets it in the answer to its own
// request; other clients get a request.
func (a *asking) Ask(ctx context.Context, from toolbox.ServerID, method string,
	params json.RawMessage) (json.RawMessage, error) {
	q := question{askable: askableOf(method), from: from, params: params}
	if q.method == "" {
		return nil, &downstream.RPCError{Code: jsonrpc.CodeMethodNotFound,
			Message: fmt.Sprintf("method '%s' is not supported by this client", downstream.Clean(method, 100))}
	}
	if err := cmp.Or(q.badPage(), q.foreignTask(a)); err != nil {
		return nil, err
	}
	q.params = withAsker(from, method, q.params)
	if limit := a.limit; limit > 0 {
		q.limit = limit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, q.limit, words.NewError("workbench.client_silent", "Limit", q.limit))
	defer cancel()
	if x := a.exchanges.of(ctx, from); x != nil || !a.peer.legacy.Load() {
		return a.exchanges.ask(ctx, q, x)
	}
	return a.askLegacy(ctx, q)
}

// asked is a request of ours that the client has not answered.
type asked struct {
	answer chan jsonrpc.Message
	from   toolbox.ServerID
	token  json.RawMessage // the server's progress token, nil if there is none
}

// askLegacy sends a request to the client and waits for the answer.
func (a *asking) askLegacy(ctx context.Context, q question) (json.RawMessage, error) {
	a.mu.Lock()
	if err := q.refusal(a.peer.declared()); err != nil {
		a.mu.Unlock()
		return nil, err
	}
	a.lastAsk++
	id := `"workbench-` + strconv.FormatUint(a.lastAsk, 10) + `"`
	waiting := &asked{answer: make(chan jsonrpc.Message, 1), from: q.from}
	a.asked[id] = waiting
	params := q.params
	if meta := jsonrpc.Split(jsonrpc.Lookup(params, "_meta")); jsonrpc.ValueOf(meta, jsonrpc.ProgressToken) != nil {
		// The token is replaced, since two servers may use the same.
		waiting.token = jsonrpc.ValueOf(meta, jsonrpc.ProgressToken)
		meta = jsonrpc.With(meta, jsonrpc.ProgressToken, json.RawMessage(id))
		params = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(params), "_meta", jsonrpc.AppendObject(nil, meta)))
	}
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		delete(a.asked, id)
		a.mu.Unlock()
	}()
	if params == nil {
		params = json.RawMessage("{}")
	}
	if !a.conn.fits(len(params) + aroundResult) {
		return nil, invalidParams("the request has %d bytes, and the client takes at most %d", len(params), a.peer.most())
	}
	a.conn.write([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":`), jsonrpc.AppendString(nil, q.method),
		[]byte(`,"params":`), params, []byte{'}'})
	select {
	case m := <-waiting.answer:
		if m.Error != nil {
			return nil, downstream.ParseError(m.Error)
		}
		if q.method == "tasks/list" {
			return a.ownTasks(q.from, m.Result), nil
		}
		a.noteClientTask(q.from, m.Result)
		return m.Result, nil
	case <-ctx.Done():
		reason := jsonrpc.AppendString(nil, context.Cause(ctx).Error())
		a.conn.write([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`,"reason":`),
			reason, []byte("}}"))
		return nil, context.Cause(ctx)
	case <-a.conn.inputEnded:
		return nil, errClientGone
	}
}

// answered handles the client's answer to a request of ours. It runs on the read loop and keeps m.
func (a *asking) answered(m jsonrpc.Message) {
	a.mu.Lock()
	waiting := a.asked[string(m.ID)]
	delete(a.asked, string(m.ID))
	a.mu.Unlock()
	if waiting == nil {
		a.log.Debug("The client answered something that was not asked", "id", downstream.Clean(string(m.ID), 100))
		return
	}
	if m.Error == nil && (len(m.Result) == 0 || m.Result[0] != '{') {
		m.Error = json.RawMessage(`{"code":-32603,"message":"the client answered with a result that is no object"}`)
	}
	waiting.answer <- m
}

// maxClientTasks limits the remembered tasks of the client for one server.
const maxClientTasks = 1_000

// noteClientTask records that a server has started a task of the client.
func (a *asking) noteClientTask(from toolbox.ServerID, result json.RawMessage) {
	id, ok := toolbox.TaskOf(jsonrpc.Split(result))
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.clientTasks[from]) >= maxClientTasks {
		delete(a.clientTasks, from)
	}
	if a.clientTasks[from] == nil {
		a.clientTasks[from] = map[string]bool{}
	}
	a.clientTasks[from][id] = true
}

// isTaskFor reports whether a server has started a task of the client. No server may see the tasks of others.
func (a *asking) isTaskFor(from toolbox.ServerID, id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.clientTasks[from][id]
}

// foreignTask returns an error if a request is about a task that the server has not started.
func (q question) foreignTask(a *asking) error {
	if q.capability != "tasks" || q.method == "tasks/list" {
		return nil
	}
	if id, _ := jsonrpc.String(jsonrpc.Lookup(q.params, "taskId")); !a.isTaskFor(q.from, id) {
		return invalidParams("the client has no task '%s' for this server", downstream.Clean(id, 100))
	}
	return nil
}

// ownTasks removes other servers' tasks from the client's answer to tasks/list.
func (a *asking) ownTasks(from toolbox.ServerID, result json.RawMessage) json.RawMessage {
	tasks, err := jsonrpc.Elements(jsonrpc.Lookup(result, "tasks"))
	if err != nil {
		return result
	}
	own := slices.DeleteFunc(tasks, func(task json.RawMessage) bool {
		id, _ := jsonrpc.String(jsonrpc.Lookup(task, "taskId"))
		return !a.isTaskFor(from, id)
	})
	return jsonrpc.AppendObject(nil,
		jsonrpc.With(jsonrpc.Split(result), "tasks", jsonrpc.AppendArray(nil, own, jsonrpc.AppendValue)))
}

// passNotification passes a notification of the client to the servers that it concerns.
func (a *asking) passNotification(m jsonrpc.Message) {
	switch m.Method {
	case "notifications/roots/list_changed":
		a.manager.Tell(m.Method, m.Params)
	case "notifications/progress":
		a.mu.Lock()
		waiting := a.asked[string(jsonrpc.Lookup(m.Params, jsonrpc.ProgressToken))]
		a.mu.Unlock()
		if waiting != nil && waiting.token != nil {
			a.manager.TellOne(waiting.from, m.Method,
				jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(m.Params), jsonrpc.ProgressToken, waiting.token)))
		}
	case downstream.TaskStatus:
		id, _ := jsonrpc.String(jsonrpc.Lookup(m.Params, "taskId"))
		a.mu.Lock()
		var to []toolbox.ServerID
		for from, tasks := range a.clientTasks {
			if tasks[id] {
				to = append(to, from)
			}
		}
		a.mu.Unlock()
		for _, server := range to {
			a.manager.TellOne(server, m.Method, m.Params)
		}
	}
}
