package toolbox

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Only a call that asks for a task starts one.
func TestOtherParametersBeginNoTask(t *testing.T) {
	result := json.RawMessage(`{"content":[],"task":{"taskId":"t1","status":"working","ttl":null,"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z"}}`)
	m := newManager(t, oneToolbox("dev",
		fake("s", fakeserver.Script{Tools: []json.RawMessage{fakeserver.Tool("a")},
			Results: map[string]json.RawMessage{"a": result}})), Options{})
	for _, test := range []struct {
		member string
		known  bool
	}{{"_meta", false}, {"task", true}} {
		call := downstream.Call{Arguments: json.RawMessage("{}"),
			Params: []jsonrpc.Member{{Name: test.member, Value: json.RawMessage("{}")}}}
		if _, err := m.Call(t.Context(), ToolID{"dev", "s", "a"}, call); err != nil && !errors.Is(err, t.Context().Err()) {
			t.Fatal(err)
		}
		if got := m.Tasks.owners.belongs("t1", ServerID{"dev", "s"}); got != test.known {
			t.Errorf("with %s the client knows of a task: %v", test.member, got)
		}
	}
}
