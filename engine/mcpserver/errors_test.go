package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestErrorData: what a server's JSON-RPC error says beside its message reaches the model.
func TestErrorData(t *testing.T) {
	long := strings.Repeat("y", 100_000)
	c := connect(t, echoToolbox(fakeserver.Script{
		Tools: []json.RawMessage{fakeserver.Tool("fails"), fakeserver.Tool("plain"), fakeserver.Tool("long")},
		Errors: map[string]json.RawMessage{
			"fails": json.RawMessage(`{"code":-32050,"message":"special","data":{"fields":{"start":"must be a date"}, "retryAfter":7}}`),
			"plain": json.RawMessage(`{"code":-32050,"message":"special","data":null}`),
			"long":  json.RawMessage(`{"code":-32050,"message":"special","data":"` + long + `"}`),
		},
	}), Options{})
	call := func(tool string) string {
		return string(c.ask("tools/call", use(tool, "{}")).Result)
	}
	if got := call("fails"); !strings.Contains(got,
		`special (code -32050)"},{"type":"text","text":"Data of the error: {\"fields\":{\"start\":\"must be a date\"},\"retryAfter\":7}"}`) {
		t.Error(got)
	}
	if got := call("plain"); strings.Contains(got, "Data") {
		t.Error(got)
	}
	if got := call("long"); !strings.Contains(got, "Data of the error: ") || len(got) > 10_000 {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
}

// TestReasonsForCancellingPass: a server hears why the client has taken back its call.
func TestReasonsForCancellingPass(t *testing.T) {
	for _, method := range []string{"tools/call", "prompts/get"} {
		script := rich(t)
		script.DelayMs = 1_000_000
		script.RawAnswers = map[string][]string{"prompts/get ask": {}}
		c := connect(t, echoToolbox(script), Options{})
		c.open("dev")
		params := use("echo", "{}")
		if method == "prompts/get" {
			params = `{"name":"dev__s__ask"}`
		}
		c.send(`{"jsonrpc":"2.0","id":2,"method":%q,"params":%s}`, method, params)
		await := func(what string) {
			t.Helper()
			for deadline := time.Now().Add(time.Minute); !strings.Contains(heard(t, script),
				what); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%s: the server did not get %s", method, what)
				}
			}
		}
		await(`"` + method + `"`)
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"the user \"pressed\" Esc"}}`)
		await(`the user \"pressed\" Esc`)
	}
}
