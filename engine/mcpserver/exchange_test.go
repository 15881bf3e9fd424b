package mcpserver

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// modern adds to params what every request of 2026-07-28 contains.
func modern(params, capabilities string) string {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	return strings.TrimSuffix(params, "}") + "," + meta + "}"
}

// A server of the initialize era asks a question. A client of 2026-07-28 finds it in the answer, and repeats
// the request with its own answer.
func TestExchange(t *testing.T) {
	const capabilities = `{"elicitation":{"form":{}}}`
	script := rich(t)
	script.AskOnCall, script.AskParams = "elicitation/create", json.RawMessage(`{"message":"?","n":1e400}`)
	c := dial(t, echoToolbox(script), Options{})
	if m := c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`,
		capabilities)); m.Error != nil {
		t.Fatal(string(m.Error))
	}
	call := use("echo", "{}")
	first := c.ask("tools/call", modern(call, capabilities)).Result
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(first, "resultType")); kind != "input_required" {
		t.Fatalf("the first answer: %s", first)
	}
	questions := jsonrpc.Split(jsonrpc.Lookup(first, "inputRequests"))
	if len(questions) != 1 || string(questions[0].Value) != `{"method":"elicitation/create","params":{"message":"[dev/s] ?","n":1e400,"_meta":{"workbench/server":{"toolbox":"dev","server":"s"}}}}` {
		t.Fatalf("the questions: %s", first)
	}
	state := jsonrpc.Lookup(first, "requestState")
	again := func(call string, state json.RawMessage, responses string) jsonrpc.Message {
		return c.ask("tools/call", modern(strings.TrimSuffix(call, "}")+
			fmt.Sprintf(`,"inputResponses":%s,"requestState":%s}`, responses, state), capabilities))
	}
	for _, wrong := range []jsonrpc.Message{
		again(call, json.RawMessage(`"made up"`), `{}`),
		again(use("link", "{}"), state, `{}`), // the state of another request
	} {
		if !strings.Contains(string(wrong.Error), "-32602") {
			t.Errorf("a wrong state: %s %s", wrong.Result, wrong.Error)
		}
	}
	// A client that brings no answer is asked again.
	second := again(call, state, `{}`).Result
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(second, "resultType")); kind != "input_required" {
		t.Fatalf("without an answer: %s", second)
	}
	last := again(call, jsonrpc.Lookup(second, "requestState"),
		`{"`+questions[0].Name+`":{"action":"accept","content":{"x":1.50}}}`).Result
	if !strings.Contains(string(last), `"asked":{"result":{"action":"accept","content":{"x":1.50}}}`) ||
		!strings.Contains(string(last), `"resultType":"complete"`) {
		t.Errorf("the end: %s", last)
	}
	if m := c.ask("tools/call", modern(call, `{}`)); !strings.Contains(string(m.Result),
		"the client does not support elicitation") {
		t.Errorf("a request without the capability: %s %s", m.Result, m.Error)
	}
}

// A question of 2026-07-28 that the client never answers ends with the connection.
func TestExchangeThatIsLeft(t *testing.T) {
	const capabilities = `{"elicitation":{}}`
	script := rich(t)
	script.AskOnCall = "elicitation/create"
	c := dial(t, echoToolbox(script), Options{})
	c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, capabilities))
	if m := c.ask("tools/call", modern(use("echo", "{}"), capabilities)); !strings.Contains(string(m.Result),
		"input_required") {
		t.Fatalf("%s %s", m.Result, m.Error)
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

func TestStreamsOfAModernClient(t *testing.T) {
	script := rich(t)
	script.SayOn = map[string][]string{"tools/call echo": {
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"x"}}`,
	}}
	c := dial(t, echoToolbox(script), Options{})
	c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, `{}`))
	c.send(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":%s}`,
		modern(`{"notifications":{"promptsListChanged":true,"resourceSubscriptions":["a:1","nobody:1"]}}`, `{}`))
	if m := c.receive(); !strings.Contains(string(m.Params), `"resourceSubscriptions":["a:1"]`) {
		t.Errorf("acknowledged with %s %s", m.Method, m.Params)
	}
	call := use("echo", "{}")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, modern(call, `{}`))
	if m := c.awaitMethod("notifications/resources/updated"); string(m.Params) != `{"uri":"a:1","_meta":{"io.modelcontextprotocol/subscriptionId":7}}` {
		t.Errorf("the update came as %s", m.Params)
	}
	// Log messages are sent for requests that ask for them.
	wanting := strings.Replace(modern(call, `{}`), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"error",`, 1)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}`, wanting)
	if m := c.awaitMethod("notifications/message"); string(m.Params) != `{"level":"error","data":"x","logger":"dev/s"}` {
		t.Errorf("the message came as %s", m.Params)
	}
}

// Clients of both eras can use a server that speaks only 2026-07-28. It gets what each request declares.
func TestModernServer(t *testing.T) {
	script := rich(t)
	script.Modern = true
	script.Tools = append(script.Tools, fakeserver.Tool("ask"))
	script.Rounds = map[string][]json.RawMessage{"ask": {
		json.RawMessage(`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"s"}`),
		json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"done"}]}`),
	}}
	t.Run("client of the initialize era", func(t *testing.T) {
		c := dial(t, echoToolbox(script), Options{})
		c.greetWith(`{"elicitation":{}}`)
		c.open("dev")
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("ask", "{}"))
		m := c.awaitMethod("elicitation/create")
		c.send(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"n":1.50}}}`, m.ID)
		if m := c.answer("1"); !strings.Contains(string(m.Result), `"text":"done"`) {
			t.Errorf("the answer: %s %s", m.Result, m.Error)
		}
		if text := heard(t, script); !strings.Contains(text,
			`"inputResponses":{"a":{"action":"accept","content":{"n":1.50}}},"requestState":"s"`) {
			t.Errorf("the server received\n%s", text)
		}
		if m := c.ask("resources/read", `{"uri":"a:1"}`); !strings.Contains(string(m.Result), `"text":"A"`) {
			t.Errorf("a resource: %s %s", m.Result, m.Error)
		}
	})
	t.Run("client of 2026-07-28", func(t *testing.T) {
		const capabilities = `{"elicitation":{"form":{}}}`
		// this server would answer that as well
		script.Initialize = json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{}}`)
		script.RequestLog = filepath.Join(t.TempDir(), "log")
		script.Errors = map[string]json.RawMessage{"link": json.RawMessage(`{"code":-32602,"message":"not my state"}`)}
		c := dial(t, echoToolbox(script), Options{})
		c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, `{}`))
		first := c.ask("tools/call", modern(use("ask", "{}"), capabilities)).Result
		questions := jsonrpc.Split(jsonrpc.Lookup(first, "inputRequests"))
		if len(questions) != 1 || questions[0].Name != "a" || string(jsonrpc.Lookup(first, "requestState")) != `"s"` {
			t.Fatalf("the first answer is not the server's: %s", first)
		}
		if !strings.Contains(string(questions[0].Value), `"message":"[dev/s] ?"`) {
			t.Errorf("the question does not say who asks: %s", questions[0].Value)
		}
		again := strings.TrimSuffix(use("ask", "{}"), "}") +
			fmt.Sprintf(`,"inputResponses":{"%s":{"action":"decline"}},"requestState":%s}`, questions[0].Name,
				jsonrpc.Lookup(first, "requestState"))
		if m := c.ask("tools/call", modern(again, capabilities)); !strings.Contains(string(m.Result), `"text":"done"`) {
			t.Errorf("the last answer: %s %s", m.Result, m.Error)
		}
		if text := heard(t, script); !strings.Contains(text, `"io.modelcontextprotocol/clientCapabilities":`+capabilities) {
			t.Errorf("the server did not get the capabilities of the request:\n%s", text)
		} else if !strings.Contains(text, `"inputResponses":{"a":{"action":"decline"}},"requestState":"s"`) ||
			strings.Contains(text, `"method":"initialize"`) {
			t.Errorf("the server received\n%s", text)
		}
		// If a server refuses a state because it is not its own, that is an error of the protocol, and is not
		// shown to the model.
		if m := c.ask("tools/call", modern(strings.TrimSuffix(use("link", "{}"), "}")+`,"requestState":"other"}`,
			capabilities)); !strings.Contains(string(m.Error), "not my state") {
			t.Errorf("a state that the server refuses: %s %s", m.Result, m.Error)
		}
		if m := c.ask("tools/call", modern(use("link", "{}"), capabilities)); !strings.Contains(string(m.Result),
			`"isError":true`) {
			t.Errorf("arguments that the server refuses: %s %s", m.Result, m.Error)
		}
	})
}
