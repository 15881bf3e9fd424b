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

// Task passes a request about a task, such as tasks/get, to the server that has it. call has the method and what else the
// client sent. The error is [ErrNoTask], or as [Manager.Request] tells.
func (m *Manager) Task(ctx context.Context, id string, call downstream.Call) (json.RawMessage, error) {
	server, ok := m.tasks.of(id)
	if !ok || !m.isOpen(server.Toolbox) {
		return nil, ErrNoTask
	}
	call.Params = append(call.Params, taskID(id))
	return m.Request(ctx, server, call)
}

// Tasks returns the tasks of all servers of open toolboxes that can list them, as the servers sent them.
func (m *Manager) Tasks(ctx context.Context) []json.RawMessage {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	links := m.connected("tasks", "list")
	lists := make([][]json.RawMessage, len(links))
	each(links, func(i int, l *link) {
		if time.Now().UnixNano() >= l.noTasks.Load() {
			lists[i] = m.tasksOf(ctx, l)
		}
	})
	return slices.Concat(lists...)
}

// tasksOf returns the tasks of one server.
func (m *Manager) tasksOf(ctx context.Context, l *link) (list []json.RawMessage) {
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
			if !m.tasks.add(id, l.id()) {
				l.tellsOfStrangeTasks()
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

// begunTask remembers the server of the task that a result says has begun.
func (m *Manager) begunTask(l *link, result json.RawMessage) error {
	id, ok := TaskOf(result)
	if ok && !m.tasks.add(id, l.id()) {
		l.tellsOfStrangeTasks()
		return words.NewError("toolbox.task_id")
	}
	return nil
}

// tellsOfStrangeTasks notes in the journal, once, that the server names tasks of another server.
func (l *link) tellsOfStrangeTasks() {
	l.said.tasks.Do(func() { l.journal.say(words.New("toolbox.stray_tasks")) })
}

// hasTask reports whether the client knows of a task, and the task is this server's.
func (m *Manager) hasTask(server ServerID, id string) bool {
	owner, ok := m.tasks.of(id)
	return ok && owner == server
}

// callAsTask calls a tool that can only be called as a task, and waits for the result of the task.
func (m *Manager) callAsTask(ctx context.Context, l *link, call downstream.Call) (json.RawMessage, error) {
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
		m.running.Go(func() {
			ctx, cancel := context.WithTimeout(m.lifetime, time.Second)
			defer cancel()
			_, _ = l.session.Call(ctx, downstream.Call{Method: "tasks/cancel", Params: []jsonrpc.Member{taskID(id)}})
		})
	}
	return result, downstream.Ran(err)
}

func taskID(id string) jsonrpc.Member {
	return jsonrpc.Member{Name: "taskId", Value: jsonrpc.AppendString(nil, id)}
}
