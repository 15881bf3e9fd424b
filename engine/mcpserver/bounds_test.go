package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Tasks are declared only to clients of 2025-11-25: no other version has them in its core.
func TestTasksAreDeclaredByVersion(t *testing.T) {
	s := New(&config.Config{}, Options{})
	for version, want := range map[string]bool{mcp.ProtocolVersion20251125: true, "2025-06-18": false,
		"2024-11-05": false} {
		capabilities := jsonrpc.Lookup(s.identity.initializeResult(version), "capabilities")
		if got := jsonrpc.Lookup(capabilities, "tasks") != nil; got != want {
			t.Errorf("for %s tasks are declared: %v", version, got)
		}
	}
}

// The completion of a toolbox's name has at most 100 values, as the protocol requires.
func TestCompletionHas100Values(t *testing.T) {
	for toolboxes, want := range map[int]int{99: 99, 100: 100, 101: 100} {
		cfg := &config.Config{}
		for i := range toolboxes {
			cfg.Toolboxes = append(cfg.Toolboxes, &config.Toolbox{Name: fmt.Sprintf("box-%03d", i)})
		}
		s := New(cfg, Options{})
		answer := completeOwn(s.manager.Config(),
			[]jsonrpc.Member{{Name: "argument", Value: []byte(`{"name":"toolbox","value":"box"}`)}})
		if got := strings.Count(string(jsonrpc.ValueOf(answer, "completion")), `"box-`); got != want {
			t.Errorf("of %d toolboxes %d are there", toolboxes, got)
		}
	}
}

// The number of a client's remembered tasks is limited for each server. Beyond the limit, all are forgotten.
func TestClientTasksAreRemembered(t *testing.T) {
	s := New(&config.Config{}, Options{})
	from, other := toolbox.ServerID{Toolbox: "dev", Server: "a"}, toolbox.ServerID{Toolbox: "dev", Server: "b"}
	s.asking.noteClientTask(other, []byte(`{"task":{"taskId":"x"}}`))
	for i := range maxClientTasks {
		s.asking.noteClientTask(from, fmt.Appendf(nil, `{"task":{"taskId":"t%d"}}`, i))
		if len(s.asking.clientTasks[from]) != i+1 {
			t.Fatalf("after %d tasks %d are remembered", i+1, len(s.asking.clientTasks[from]))
		}
	}
	s.asking.noteClientTask(from, []byte(`{"task":{"taskId":"one more"}}`))
	if len(s.asking.clientTasks[from]) != 1 || !s.asking.clientTasks[from]["one more"] ||
		!s.asking.clientTasks[other]["x"] {
		t.Errorf("%d tasks of the server are left, and %v of another server", len(s.asking.clientTasks[from]),
			s.asking.clientTasks[other])
	}
}

// Requests are refused if too many bytes are unanswered. A single request is never refused, however large it
// is.
func TestTooManyUnanswered(t *testing.T) {
	s := New(&config.Config{}, Options{})
	try := func(size int) bool {
		done := 0
		r := &request{id: []byte("1"), params: make([]byte, size), reply: func(...[]byte) {}, done: func() { done++ }}
		refused := s.requests.refuseTooMany(r)
		if refused != (done == 1) {
			t.Errorf("a request was refused: %v; done was called %d times", refused, done)
		}
		return refused
	}
	if try(2 * maxUnanswered) {
		t.Error("a large request was refused although none was waiting")
	}
	first := &request{id: []byte("2"), params: make([]byte, 1<<20)}
	s.requests.track(first)
	room := maxUnanswered - s.requests.unanswered - (&request{}).weight()
	if try(room) || !try(room+1) {
		t.Error("the limit is not where requests begin to be refused")
	}
	s.requests.untrack(first)
	if s.requests.unanswered != 0 || try(2*maxUnanswered) {
		t.Errorf("%d bytes are left", s.requests.unanswered)
	}
}

// The level that a client sets for log messages is sent to the servers at once if it differs from the
// previous one, and only then.
func TestWantedLevel(t *testing.T) {
	s := New(&config.Config{}, Options{})
	for _, level := range []string{"", "info", "info", "error"} {
		done := s.levels.want(context.Background(), era{level: level})
		want := int64(1)
		if level == "" {
			want = 0
		}
		if got := int64(s.levels.wanting.Load()); got != want {
			t.Errorf("%q: %d requests want messages", level, got)
		}
		if now := s.levels.level.Load(); level != "" && (now == nil || *now != level) {
			t.Errorf("%q is not the level", level)
		}
		done()
	}
}
