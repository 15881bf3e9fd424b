package toolbox

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// If no server of a toolbox could be connected and it has only one, the error names it. Otherwise the error
// lists all.
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

// A call that the client repeats with an answer is allowed once. It is not allowed without the answer or the
// state, or with another state.
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
	// If the server gave no state, a new call without an answer does not count as a continuation.
	p := &permissions{}
	p.keep(id, downstream.Call{Arguments: arguments, TakesInput: true}, given, json.RawMessage(`{"resultType":"input_required"}`))
	if p.continues(id, downstream.Call{Arguments: arguments}).entry != nil {
		t.Error("a new call passed as one that was allowed")
	}
	if p.continues(id, downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses}}).entry == nil {
		t.Error("the answer of an allowed call was not accepted")
	}
}

// Old lines of a journal make room for new ones, but no earlier than necessary.
func TestJournalIsBounded(t *testing.T) {
	j := &journal{watchers: &watchers{}}
	for i := range 10_000 {
		j.add(status.LogLine{Text: fmt.Sprintf("line %05d", i)})
		size := 0
		for _, line := range j.lines {
			size += costOf(line)
		}
		if size > maxJournal || size != j.bytes {
			t.Fatalf("after %d lines there are %d bytes, and %d are counted", i+1, size, j.bytes)
		}
		if last := j.lines[len(j.lines)-1].Text; last != fmt.Sprintf("line %05d", i) {
			t.Fatalf("the last line is %q", last)
		}
	}
	if room := maxJournal / costOf(status.LogLine{Text: "line 00000"}); len(j.lines) != room {
		t.Errorf("%d lines are left, and %d have room", len(j.lines), room)
	}
}

// The name of a variable or header may be beside its value, as "name" or "key".
func TestNamedValuesAreMasked(t *testing.T) {
	for _, name := range []string{"name", "key"} {
		value := json.RawMessage(`{"` + name + `":"API_TOKEN","value":"hunter2hunter2"}`)
		if got := string(appendMasked(nil, "", value, 0)); strings.Contains(got, "hunter2") {
			t.Errorf("%s becomes %s", value, got)
		}
	}
	value := json.RawMessage(`{"other":"API_TOKEN","value":"plain words"}`)
	if got := string(appendMasked(nil, "", value, 0)); !strings.Contains(got, "plain words") {
		t.Errorf("%s becomes %s", value, got)
	}
}

// The code in the envelope of a failed call distinguishes the caller's mistakes from other failures.
func TestCodeOf(t *testing.T) {
	for code, want := range map[int64]contract.Code{
		jsonrpc.CodeInvalidParams: contract.InvalidInput, jsonrpc.CodeInvalidRequest: contract.InvalidInput,
		jsonrpc.CodeInternalError: contract.InternalError, jsonrpc.CodeMethodNotFound: contract.InternalError,
	} {
		if got := codeOf(&downstream.RPCError{Code: code}); got != want {
			t.Errorf("%d is %s, want %s", code, got, want)
		}
	}
	if got := codeOf(downstream.ErrSignIn); got != contract.AuthRequired {
		t.Errorf("a sign-in is %s", got)
	}
	if got := codeOf(io.EOF); got != contract.Unavailable {
		t.Errorf("the end of a connection is %s", got)
	}
}

// Values that are nested too deeply are not shown, in arrays as in objects.
func TestDepthIsBounded(t *testing.T) {
	for _, pair := range [][2]string{{"[", "]"}, {`{"x":`, "}"}} {
		deep := func(depth int) string {
			value := json.RawMessage(strings.Repeat(pair[0], depth) + `"inside"` + strings.Repeat(pair[1], depth))
			return string(appendMasked(nil, "", value, 0))
		}
		if got := deep(maxDepth); !strings.Contains(got, "inside") {
			t.Errorf("at depth %d: %s", maxDepth, got)
		}
		if got := deep(maxDepth + 1); strings.Contains(got, "inside") {
			t.Errorf("at depth %d: %s", maxDepth+1, got)
		}
	}
}

// Instructions are passed on whole up to a length. Longer ones are cut between characters.
func TestInstructionsOf(t *testing.T) {
	for length, whole := range map[int]bool{maxInstructions: true, maxInstructions + 1: false} {
		text := strings.Repeat("x", length)
		got := instructionsOf(downstream.Info{Instructions: text})
		if (got == text) != whole || len(got) > maxInstructions {
			t.Errorf("of %d bytes %d are passed on", length, len(got))
		}
	}
}
