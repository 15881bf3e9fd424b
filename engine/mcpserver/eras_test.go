package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// A client that has sent initialize may also make requests of 2026-07-28. The answer then contains what the
// server asks, as far as the request declares that the client can do it.
func TestBothErasOnOneConnection(t *testing.T) {
	script := rich(t)
	script.AskOnCall = "elicitation/create"
	c := dial(t, echoToolbox(script), Options{})
	c.greetWith(`{"elicitation":{}}`)
	c.open("dev")
	for capabilities, want := range map[string]string{
		`{"elicitation":{}}`: `"resultType":"input_required"`,
		`{}`:                 "the client does not support elicitation",
	} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, modern(use("echo", "{}"), capabilities))
		if _, m := c.before("1"); !strings.Contains(string(m.Result), want) {
			t.Errorf("with %s came %s %s %s, want %s", capabilities, m.Method, m.Result, m.Error, want)
		}
	}
}

// If a server asks something while a resource is read, the answer contains the question, as for a tool.
func TestQuestionWhileReading(t *testing.T) {
	const capabilities = `{"elicitation":{}}`
	script := rich(t)
	script.AskOn, script.AskOnCall, script.AskParams = "resources/read a:1", "elicitation/create",
		json.RawMessage(`{"message":"?"}`)
	c := dial(t, echoToolbox(script), Options{})
	c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, capabilities))
	m := c.ask("resources/read", modern(`{"uri":"a:1"}`, capabilities))
	questions := jsonrpc.Split(jsonrpc.Lookup(m.Result, "inputRequests"))
	if len(questions) != 1 || string(questions[0].Value) != `{"method":"elicitation/create","params":{"message":"[dev/s] ?","_meta":{"workbench/server":{"toolbox":"dev","server":"s"}}}}` {
		t.Fatalf("the first answer: %s %s", m.Result, m.Error)
	}
	again := fmt.Sprintf(`{"uri":"a:1","inputResponses":{"%s":{"action":"accept","n":1.50}},"requestState":%s}`,
		questions[0].Name, jsonrpc.Lookup(m.Result, "requestState"))
	if m := c.ask("resources/read", modern(again, capabilities)); !strings.Contains(string(m.Result),
		`{"contents":[{"uri":"a:1","text":"A"}],"resultType":"complete"`) {
		t.Errorf("the last answer: %s %s", m.Result, m.Error)
	}
	if text := heard(t, script); !strings.Contains(text, `"result":{"action":"accept","n":1.50}`) {
		t.Errorf("the server received\n%s", text)
	}
}

// A client is asked only for what it has declared, including modes, tools and tasks.
func TestParametersThatTheClientDoesNotSupport(t *testing.T) {
	for _, ask := range []struct{ method, params, capabilities, refusal string }{
		{"elicitation/create", `{"mode":["url"],"url":"https://x"}`, `{"elicitation":{"form":{}}}`, "mode must be a string"},
		{"elicitation/create", `{"mode":"url","url":"https://x"}`, `{"elicitation":{"form":{}}}`,
			"does not support elicitation.url"},
		{"elicitation/create", `{"message":"?"}`, `{"elicitation":{"url":{}}}`, "does not support elicitation.form"},
		{"sampling/createMessage", `{"messages":[],"tools":[{"name":"x","inputSchema":{"type":"object"}}]}`,
			`{"sampling":{}}`, "does not support sampling.tools"},
		{"sampling/createMessage", `{"messages":[],"task":{}}`, `{"sampling":{}}`,
			"does not support tasks.requests.sampling.createMessage"},
		{"tasks/list", `{}`, `{"tasks":{}}`, "does not support tasks.list"},
	} {
		script := rich(t)
		script.AskOnCall, script.AskParams = ask.method, json.RawMessage(ask.params)
		c := dial(t, echoToolbox(script), Options{})
		c.greetWith(ask.capabilities)
		c.open("dev")
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
		if _, m := c.before("1"); !strings.Contains(string(m.Result), ask.refusal) {
			t.Errorf("%s with %s: %s %s %s, want %s", ask.method, ask.params, m.Method, m.Result, m.Error, ask.refusal)
		}
	}
}

// A version of the initialize era in _meta does not replace initialize.
func TestOldVersionInMeta(t *testing.T) {
	c := dial(t, echoToolbox(rich(t)), Options{})
	for version, code := range map[string]string{`"2025-11-25"`: "-32022", `7`: "-32602", `"nonsense"`: "-32602"} {
		for _, method := range []string{"tools/list", "resources/list", "tools/call"} {
			if m := c.ask(method, `{"_meta":{"io.modelcontextprotocol/protocolVersion":`+version+
				`}}`); !strings.Contains(string(m.Error), `"code":`+code) {
				t.Errorf("%s with %s: %s %s, want %s", method, version, m.Result, m.Error, code)
			}
		}
	}
}
