package toolbox

import (
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The error of a toolbox of which no server could be connected names the server if there is only one, and tells of all.
func TestAllFailed(t *testing.T) {
	failure := func(server string) *Error {
		return newError(contract.Unavailable, contract.Details{Toolbox: "dev", Server: server}, nil, words.New("toolbox.tool_unread"))
	}
	if e := allFailed([]*Error{failure("a")}); e.Details.Server != "a" || len(e.Hints) != 0 {
		t.Errorf("one: %+v", e)
	}
	if e := allFailed([]*Error{failure("a"), failure("b"), failure("c")}); e.Details.Server != "" || e.Details.Toolbox != "dev" || len(e.Hints) != 2 {
		t.Errorf("three: %+v", e)
	}
}

// A call that the client makes again with an answer is allowed once: not without an answer or a state, nor with another one.
func TestContinuedCalls(t *testing.T) {
	id := ToolID{"dev", "a", "write"}
	const state = `"s1"`
	arguments := json.RawMessage(`{"x":1}`)
	given := permission{entry: &config.Server{Name: "a"}}
	kept := func() *permissions {
		p := &permissions{}
		p.keep(id, downstream.Call{Arguments: arguments, TakesInput: true}, given, json.RawMessage(`{"resultType":"input_required","requestState":"s1"}`))
		return p
	}
	responses := jsonrpc.Member{Name: "inputResponses", Value: json.RawMessage(`{}`)}
	in := func(state string) jsonrpc.Member {
		return jsonrpc.Member{Name: "requestState", Value: json.RawMessage(state)}
	}
	for name, c := range map[string]struct {
		call downstream.Call
		want bool
	}{
		"an answer and the state": {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses, in(state)}}, true},
		"the state alone":         {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{in(state)}}, true},
		"an answer alone":         {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses}}, false},
		"neither":                 {downstream.Call{Arguments: arguments}, false},
		"another state":           {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses, in(`"s2"`)}}, false},
		"other arguments":         {downstream.Call{Arguments: json.RawMessage(`{"x":2}`), Params: []jsonrpc.Member{responses, in(state)}}, false},
	} {
		p := kept()
		if got := p.continues(id, c.call); (got.entry != nil) != c.want {
			t.Errorf("%s: allowed: %v", name, got.entry != nil)
		}
		if c.want && p.continues(id, c.call).entry != nil {
			t.Errorf("%s: allowed twice", name)
		}
	}
	// A server that gives no state: what is new and has none is no continuation.
	p := &permissions{}
	p.keep(id, downstream.Call{Arguments: arguments, TakesInput: true}, given, json.RawMessage(`{"resultType":"input_required"}`))
	if p.continues(id, downstream.Call{Arguments: arguments}).entry != nil {
		t.Error("a new call passed as one that was allowed")
	}
	if p.continues(id, downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses}}).entry == nil {
		t.Error("the answer of an allowed call was not taken")
	}
}
