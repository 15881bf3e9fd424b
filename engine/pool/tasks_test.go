package pool

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestTasks: an engine sees, asks for and hears of its own tasks alone. While one is in progress, the server does not
// rest.
func TestTasks(t *testing.T) {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	var c count
	h := startTestHost(t, Options{Start: c.start, Idle: 200 * time.Millisecond})
	status := `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"a1","status":"completed"}}`
	o := h.options(t, fakeserver.Script{
		Capabilities: raw(`{"tools":{},"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}`),
		Tools:        []json.RawMessage{fakeserver.Tool("a"), fakeserver.Tool("b")},
		Answers: map[string]json.RawMessage{
			"tools/call a":    raw(`{"task":{"taskId":"a1","status":"working"}}`),
			"tools/call b":    raw(`{"task":{"taskId":"b1","status":"working"}}`),
			"tasks/list":      raw(`{"tasks":[{"taskId":"a1"},{"taskId":"b1"},{"taskId":"c1"}]}`),
			"tasks/get a1":    raw(`{"taskId":"a1","status":"working"}`),
			"tasks/result a1": raw(`{"content":[]}`),
			"tasks/cancel b1": raw(`{"taskId":"b1","status":"cancelled"}`)},
		SayOn: map[string][]string{"tasks/result": {status}}})
	var mu sync.Mutex
	heard := map[string]int{}
	engine := func(name string) *downstream.Session {
		own := o
		own.OnNotification = func(string, json.RawMessage) {
			mu.Lock()
			defer mu.Unlock()
			heard[name]++
		}
		return h.connect(t, own)
	}
	a, b := engine("a"), engine("b")
	about := func(s *downstream.Session, method, id string) (json.RawMessage, error) {
		call := downstream.Call{Method: method}
		if id != "" {
			call.Params = []jsonrpc.Member{{Name: "taskId", Value: raw(`"` + id + `"`)}}
		}
		answer, err := s.Call(t.Context(), call)
		return raw(whole(answer)), err
	}
	for name, s := range map[string]*downstream.Session{"a": a, "b": b} {
		if _, err := s.Call(t.Context(), downstream.Call{Tool: name,
			Params: []jsonrpc.Member{{Name: "task", Value: raw("{}")}}}); err != nil {
			t.Fatal(err)
		}
		if list, err := about(s, "tasks/list", ""); err != nil || string(list) != `{"tasks":[{"taskId":"`+name+`1"}]}` {
			t.Errorf("%s sees %s, %v", name, list, err)
		}
	}
	before, _ := c.running() // it may have rested before the first call
	if _, err := about(a, "tasks/get", "a1"); err != nil {
		t.Error(err)
	}
	for _, method := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
		var refused *downstream.RPCError
		if got, err := about(b, method, "a1"); !errors.As(err, &refused) || refused.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s of the task of another engine gives %s, %v", method, got, err)
		}
	}
	if _, err := about(a, "tasks/result", "a1"); err != nil {
		t.Error(err)
	}
	await(t, "the status", func() bool { mu.Lock(); defer mu.Unlock(); return heard["a"] == 1 })
	if _, err := echo(t.Context(), b, "{}"); err != nil { // what came before has been read
		t.Error(err)
	}
	mu.Lock()
	if heard["b"] != 0 {
		t.Error("the other engine heard of the task")
	}
	mu.Unlock()
	if started, running := c.running(); started != before || running != 1 {
		t.Errorf("while a task is in progress, %d processes were started, and %d run", started-before, running)
	}
	if _, err := about(b, "tasks/cancel", "b1"); err != nil {
		t.Error(err)
	}
	await(t, "rest", func() bool { _, running := c.running(); return running == 0 })
}
