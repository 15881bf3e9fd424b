package pool

import (
	"encoding/json"
	"maps"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// relatedTask is the member of _meta that says to which task a request of a server belongs.
const relatedTask = "io.modelcontextprotocol/related-task"

// tasks has the tasks of a shared server with the engines that have begun them. An engine sees only its own.
type tasks struct {
	mu sync.Mutex
	by map[string]*task // by id
}

// task is a task of a shared server.
type task struct {
	of   *attachment // which has begun it
	over bool        // it is completed, failed or cancelled
}

// begun records the task that a result has begun, if it has begun one.
func (t *tasks) begun(a *attachment, result json.RawMessage) {
	begun := jsonrpc.Lookup(result, "task")
	id, ok := jsonrpc.String(jsonrpc.Lookup(begun, "taskId"))
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]*task{}
	}
	if len(t.by) >= maxTasks {
		maps.DeleteFunc(t.by, func(_ string, known *task) bool { return known.over })
	}
	if t.by[id] == nil && len(t.by) < maxTasks {
		t.by[id] = &task{of: a, over: ended(begun)}
	}
}

// note records the state of a task.
func (t *tasks) note(state json.RawMessage) {
	id, _ := jsonrpc.String(jsonrpc.Lookup(state, "taskId"))
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.by[id]; known != nil && ended(state) {
		known.over = true
	}
}

// ended reports whether a state of a task is the last one.
func ended(state json.RawMessage) bool {
	status, _ := jsonrpc.String(jsonrpc.Lookup(state, "status"))
	return status == "completed" || status == "failed" || status == "cancelled"
}

// owner returns the engine that has begun the task that params name, or nil.
func (t *tasks) owner(params json.RawMessage) *attachment {
	id, _ := jsonrpc.String(jsonrpc.Lookup(params, "taskId"))
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.by[id]; known != nil {
		return known.of
	}
	return nil
}

// ownOf returns a list of tasks without those of other engines.
func (t *tasks) ownOf(a *attachment, list json.RawMessage) json.RawMessage {
	own := []json.RawMessage{}
	for item := range jsonrpc.Batch(jsonrpc.Lookup(list, "tasks")) {
		if t.owner(item) == a {
			own = append(own, item)
		}
	}
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(list), "tasks",
		jsonrpc.AppendArray(nil, own, jsonrpc.AppendValue)))
}

// leave forgets the tasks of an engine that has left.
func (t *tasks) leave(a *attachment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, known := range t.by {
		if known.of == a {
			delete(t.by, id)
		}
	}
}

// any reports whether a task is in progress.
func (t *tasks) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, known := range t.by {
		if !known.over {
			return true
		}
	}
	return false
}

// refuse returns the error for a request about a task of another engine, or nil.
func (t *tasks) refuse(a *attachment, m jsonrpc.Message) error {
	switch m.Method {
	case "tasks/get", "tasks/result", "tasks/cancel":
		if t.owner(m.Params) != a {
			return &downstream.RPCError{Code: jsonrpc.CodeInvalidParams, Message: "Unknown task"}
		}
	}
	return nil
}

// answered looks at the answer to a request, and returns what the engine gets of it.
func (t *tasks) answered(a *attachment, m jsonrpc.Message, result json.RawMessage) json.RawMessage {
	switch m.Method {
	case "tools/call":
		if jsonrpc.Lookup(m.Params, "task") != nil {
			t.begun(a, result)
		}
	case "tasks/get", "tasks/cancel":
		t.note(result)
	case "tasks/list":
		return t.ownOf(a, result)
	}
	return result
}
