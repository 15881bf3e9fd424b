package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNoTask means that no server has given the client a task of this id.
const ErrNoTask = words.Code("toolbox.no_task")

// listPatience is how long a server may take to list its tasks. After that they are left out.
const listPatience = 3 * time.Second

// taskPause is how long a server that did not list its tasks in time isn't asked for them.
const taskPause = 90 * time.Second

// maxTaskPages is how many pages of its tasks a server may have.
const maxTaskPages = 100

// Tasks knows which task belongs to which server.
type Tasks struct {
	life   *life
	boxes  *boxes
	router *router
	owners *owners
}

// Request passes a request about a task, such as tasks/get, to the server that has it. call has the method and what
// else the client sent. The error is [ErrNoTask], or as [Manager.Request] tells.
func (t *Tasks) Request(ctx context.Context, id string, call downstream.Call) (json.RawMessage, error) {
	server, ok := t.owners.of(id)
	if !ok || !t.boxes.isOpen(server.Toolbox) {
		return nil, ErrNoTask
	}
	call.Params = append(call.Params, taskID(id))
	return t.router.request(ctx, server, call)
}

// List returns the tasks of all servers of open toolboxes that can list them, as the servers sent them.
func (t *Tasks) List(ctx context.Context) []json.RawMessage {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	links := t.boxes.connected("tasks", "list")
	lists := make([][]json.RawMessage, len(links))
	each(links, func(i int, l *link) {
		if time.Now().UnixNano() >= l.noTasks.Load() {
			lists[i] = t.listOf(ctx, l)
		}
	})
	return slices.Concat(lists...)
}

// listOf returns the tasks of one server.
func (t *Tasks) listOf(ctx context.Context, l *link) (list []json.RawMessage) {
	call := downstream.Call{Method: "tasks/list"}
	for range maxTaskPages {
		result, err := l.session.Call(ctx, call)
		if err != nil {
			l.journal.say(words.New("toolbox.tasks_left_out", "Why", err))
			if errors.Is(err, context.DeadlineExceeded) {
				l.noTasks.Store(time.Now().Add(taskPause).UnixNano())
			}
			return list
		}
		tasks, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "tasks"))
		for _, task := range tasks {
			id, _ := jsonrpc.String(jsonrpc.Lookup(task, "taskId"))
			if !t.owners.add(id, l.id()) {
				l.noteForeignTasks()
				continue
			}
			if list = append(list, task); len(list) == maxOwners {
				l.journal.say(words.New("toolbox.tasks_cut", "Limit", maxOwners))
				return list
			}
		}
		cursor := jsonrpc.Lookup(result, "nextCursor")
		if text, ok := jsonrpc.String(cursor); !ok || text == "" {
			return list
		}
		call.Params = []jsonrpc.Member{{Name: "cursor", Value: cursor}}
	}
	l.journal.say(words.New("toolbox.tasks_pages", "Pages", maxTaskPages))
	return list
}

// TaskOf returns the id of the task that a result says has begun.
func TaskOf(result json.RawMessage) (id string, ok bool) {
	return jsonrpc.String(jsonrpc.Lookup(jsonrpc.Lookup(result, "task"), "taskId"))
}

// begun remembers the server of the task that a result says has begun.
func (t *Tasks) begun(l *link, result json.RawMessage) error {
	id, ok := TaskOf(result)
	if ok && !t.owners.add(id, l.id()) {
		l.noteForeignTasks()
		return words.NewError("toolbox.task_id")
	}
	return nil
}

// callAs calls a tool that can only be called as a task, and waits for the result of the task.
func (t *Tasks) callAs(ctx context.Context, l *link, call downstream.Call) (json.RawMessage, error) {
	call.Params = append(call.Params, jsonrpc.Member{Name: "task", Value: json.RawMessage("{}")})
	result, err := l.session.Call(ctx, call)
	if err != nil {
		return nil, err
	}
	id, ok := TaskOf(result)
	if !ok {
		return result, nil // there is no task, the server has answered at once
	}
	// The answer to tasks/result comes when the task has ended.
	result, err = l.session.Call(ctx, downstream.Call{Method: "tasks/result", Params: []jsonrpc.Member{taskID(id)}})
	if err != nil && ctx.Err() != nil {
		t.life.running.Go(func() {
			ctx, cancel := context.WithTimeout(t.life.ctx, time.Second)
			defer cancel()
			_, _ = l.session.Call(ctx, downstream.Call{Method: "tasks/cancel", Params: []jsonrpc.Member{taskID(id)}})
		})
	}
	return result, downstream.Ran(err)
}

func taskID(id string) jsonrpc.Member {
	return jsonrpc.Member{Name: "taskId", Value: jsonrpc.AppendString(nil, id)}
}
