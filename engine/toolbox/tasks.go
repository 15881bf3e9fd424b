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

// ErrNoTask means that no server has given the client a task with this id.
const ErrNoTask = words.Code("toolbox.no_task")

// listPatience is how long servers may take to list their tasks. Tasks that come later are left out.
const listPatience = 3 * time.Second

// taskPause is how long a server that did not list its tasks in time is not asked again.
const taskPause = 90 * time.Second

// maxTaskPages limits the pages of a server's list of tasks.
const maxTaskPages = 100

// Tasks passes requests about tasks to the servers that have them.
type Tasks struct {
	life   *life
	boxes  *boxes
	router *router
	owners *owners
}

// Request sends a request about a task, such as tasks/get, to the server of the task. The taskId is added to call. The
// error is [ErrNoTask], or one of [Manager.Request].
func (t *Tasks) Request(ctx context.Context, id string, call downstream.Call) ([]jsonrpc.Member, error) {
	server, ok := t.owners.of(id)
	if !ok || !t.boxes.isOpen(server.Toolbox) {
		return nil, ErrNoTask
	}
	call.Params = append(call.Params, taskID(id))
	return t.router.request(ctx, server, call)
}

// List returns the tasks of all servers of open toolboxes that can list them, as sent.
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
		tasks, _ := jsonrpc.Elements(jsonrpc.ValueOf(result, "tasks"))
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
		cursor := jsonrpc.ValueOf(result, "nextCursor")
		if text, ok := jsonrpc.String(cursor); !ok || text == "" {
			return list
		}
		call.Params = []jsonrpc.Member{{Name: "cursor", Value: cursor}}
	}
	l.journal.say(words.New("toolbox.tasks_pages", "Pages", maxTaskPages))
	return list
}

// TaskOf returns the id of the task in the result of a request that has become a task.
func TaskOf(result []jsonrpc.Member) (id string, ok bool) {
	return jsonrpc.String(jsonrpc.Lookup(jsonrpc.ValueOf(result, "task"), "taskId"))
}

// record notes the server of the task in a result.
func (t *Tasks) record(l *link, result []jsonrpc.Member) error {
	id, ok := TaskOf(result)
	if ok && !t.owners.add(id, l.id()) {
		l.noteForeignTasks()
		return words.NewError("toolbox.task_id")
	}
	return nil
}

// callAsTask calls a tool that can only be called as a task, and waits for the result of the task.
func (t *Tasks) callAsTask(ctx context.Context, l *link, call downstream.Call) ([]jsonrpc.Member, error) {
	call.Params = append(call.Params, jsonrpc.Member{Name: "task", Value: json.RawMessage("{}")})
	result, err := l.session.Call(ctx, call)
	if err != nil {
		return nil, err
	}
	id, ok := TaskOf(result)
	if !ok {
		return result, nil // the server has answered without a task
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
