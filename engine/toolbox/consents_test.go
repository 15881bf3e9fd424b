package toolbox

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestPermissionCovers: a permission is for the tool as it was, of the server as it was.
func TestPermissionCovers(t *testing.T) {
	l := &link{entry: &config.Server{Name: "s", Transport: config.TransportStdio, Command: "x"}}
	tool := &downstream.Item{Name: "a", Definition: fakeserver.Tool("a")}
	given := permission{l.entry, tool.Definition, time.Now().Add(time.Hour)}
	if !given.covers(l, tool) {
		t.Error("it does not cover what it was given for")
	}
	if given.covers(l, &downstream.Item{Name: "a", Definition: annotated("a", `{"destructiveHint":true}`)}) {
		t.Error("it covers another definition")
	}
	if given.covers(&link{entry: &config.Server{Name: "s", Transport: config.TransportStdio, Command: "y"}}, tool) {
		t.Error("it covers another program")
	}
	if given.until = time.Now(); given.covers(l, tool) || (permission{}).covers(l, tool) {
		t.Error("it covers what it is not for")
	}
}

func TestAllowForAnHour(t *testing.T) {
	tools := []json.RawMessage{fakeserver.Tool("a"), fakeserver.Tool("b")}
	script := fakeserver.Script{Tools: tools}
	other := script
	other.Tools = []json.RawMessage{annotated("a", `{"destructiveHint":true}`), fakeserver.Tool("b")}
	cfg := func(script fakeserver.Script) *config.Config {
		return oneToolbox("dev", asking(fake("s", script)), asking(fake("s2", script)))
	}
	p := says(status.AllowHour)
	m := newManager(t, cfg(script), Options{Ask: p.ask})
	call := func(server, tool string, asked int, why string) {
		t.Helper()
		before := p.times()
		if _, err := m.Call(t.Context(), ToolID{"dev", server, tool}, downstream.Call{}); err != nil {
			t.Fatal(err)
		}
		if got := p.times() - before; got != asked {
			t.Errorf("%s: asked %d times, want %d", why, got, asked)
		}
	}
	call("s", "a", 1, "the first call")
	call("s", "a", 0, "within the hour")
	call("s", "b", 1, "another tool")
	call("s2", "a", 1, "another server")
	m.SetConfig(cfg(other))
	call("s", "a", 1, "a tool that says something else now")
	call("s", "a", 0, "within the hour of that")

	m.permissions.consents.mu.Lock()
	for id, given := range m.permissions.consents.tools {
		given.until = time.Now()
		m.permissions.consents.tools[id] = given
	}
	m.permissions.consents.mu.Unlock()
	call("s", "a", 1, "after the hour")
	m.SetPaused(true)
	m.SetPaused(false)
	call("s", "a", 1, "after a pause")
}

// A server of version 2026-07-28 may answer a call with questions. The client then repeats the call with the
// answers; this is still the same call.
func TestCallThatGoesOnIsAskedOnce(t *testing.T) {
	rounds := []json.RawMessage{
		json.RawMessage(`{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"s1"}`),
		json.RawMessage(`{"resultType":"complete","content":[]}`),
	}
	p := says(status.AllowOnce)
	m := newManager(t, oneToolbox("dev",
		asking(fake("s", fakeserver.Script{Modern: true, Tools: []json.RawMessage{fakeserver.Tool("a")},
			Rounds: map[string][]json.RawMessage{"a": rounds}}))), Options{Ask: p.ask})
	id := ToolID{"dev", "s", "a"}
	first := downstream.Call{Arguments: json.RawMessage(`{"x":1}`), TakesInput: true,
		Capabilities: json.RawMessage(`{"elicitation":{}}`)}
	result, err := m.Call(t.Context(), id, first)
	if err != nil || string(jsonrpc.ValueOf(result, "requestState")) != `"s1"` {
		t.Fatalf("%s, %v", result, err)
	}
	second := first
	second.Params = []jsonrpc.Member{{Name: "requestState", Value: json.RawMessage(`"s1"`)},
		{Name: "inputResponses", Value: json.RawMessage(`{"q":{"action":"accept"}}`)}}
	changed := second
	changed.Arguments = json.RawMessage(`{"x":2}`)
	for i, about := range []struct {
		call  downstream.Call
		asked int
	}{{changed, 2}, {second, 2}, {second, 3}} {
		if _, err := m.Call(t.Context(), id, about.call); err != nil || p.times() != about.asked {
			t.Errorf("call %d: %v, asked %d times, want %d", i, err, p.times(), about.asked)
		}
	}
}

// A call that the client repeats with an answer is allowed once. It is not allowed without the answer or the
// state, or with another state.
func TestContinuedCalls(t *testing.T) {
	id := ToolID{"dev", "a", "write"}
	const state = `"s1"`
	arguments := json.RawMessage(`{"x":1}`)
	given := permission{entry: &config.Server{Name: "a"}}
	kept := func() *consents {
		p := &consents{}
		p.keep(id, &downstream.Call{Arguments: arguments, TakesInput: true}, given,
			jsonrpc.Split([]byte(`{"resultType":"input_required","requestState":"s1"}`)))
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
		"an answer and the state": {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses, in(state)}},
			true},
		"the state alone": {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{in(state)}}, true},
		"an answer alone": {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses}}, false},
		"neither":         {downstream.Call{Arguments: arguments}, false},
		"another state": {downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses, in(`"s2"`)}},
			false},
		"other arguments": {downstream.Call{Arguments: json.RawMessage(`{"x":2}`),
			Params: []jsonrpc.Member{responses, in(state)}}, false},
	} {
		p := kept()
		if got := p.continues(id, &c.call); (got.entry != nil) != c.want {
			t.Errorf("%s: allowed: %v", name, got.entry != nil)
		}
		if c.want && p.continues(id, &c.call).entry != nil {
			t.Errorf("%s: allowed twice", name)
		}
	}
	// If the server gave no state, a new call without an answer does not count as a continuation.
	p := &consents{}
	p.keep(id, &downstream.Call{Arguments: arguments, TakesInput: true}, given,
		jsonrpc.Split([]byte(`{"resultType":"input_required"}`)))
	if p.continues(id, &downstream.Call{Arguments: arguments}).entry != nil {
		t.Error("a new call passed as one that was allowed")
	}
	if p.continues(id, &downstream.Call{Arguments: arguments, Params: []jsonrpc.Member{responses}}).entry == nil {
		t.Error("the answer of an allowed call was not accepted")
	}
}

// The number of calls that may be continued is limited. Beyond the limit, all are forgotten.
func TestMostContinuedCalls(t *testing.T) {
	var p consents
	call := func(i int) *downstream.Call {
		return &downstream.Call{Arguments: json.RawMessage(fmt.Sprint(i)), TakesInput: true}
	}
	for i := range maxContinued {
		p.keep(ToolID{}, call(i), permission{entry: &config.Server{}}, jsonrpc.Split([]byte(`{"resultType":"input_required"}`)))
		if len(p.continued) != i+1 {
			t.Fatalf("after %d calls %d are remembered", i+1, len(p.continued))
		}
	}
	p.keep(ToolID{}, call(maxContinued), permission{entry: &config.Server{}},
		jsonrpc.Split([]byte(`{"resultType":"input_required"}`)))
	if len(p.continued) != 1 {
		t.Errorf("after one too many %d are remembered", len(p.continued))
	}
}
