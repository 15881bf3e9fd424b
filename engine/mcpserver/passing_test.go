package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// rich returns a server that has something of every kind.
func rich(t *testing.T) fakeserver.Script {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	return fakeserver.Script{
		Echo: true,
		Tools: []json.RawMessage{fakeserver.Tool("link"),
			raw(`{"name":"app","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://app/1"}}}`)},
		Capabilities: raw(`{"tools":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`),
		RequestLog:   filepath.Join(t.TempDir(), "log"),
		Results: map[string]json.RawMessage{
			"link": raw(`{"content":[{"type":"resource_link","uri":"far:1","name":"far"}]}`)},
		Answers: map[string]json.RawMessage{
			"prompts/list":              raw(`{"prompts":[{"name":"ask","arguments":[{"name":"n","odd":1e1}]}]}`),
			"prompts/get ask":           raw(`{"messages":[],"odd":12345678901234567890}`),
			"resources/list":            raw(`{"resources":[{"uri":"a:1","name":"one"}]}`),
			"resources/templates/list":  raw(`{"resourceTemplates":[{"uriTemplate":"t:{id}","name":"t"}]}`),
			"resources/read a:1":        raw(`{"contents":[{"uri":"a:1","text":"A"}]}`),
			"resources/read t:7":        raw(`{"contents":[{"uri":"t:7","text":"T"}]}`),
			"resources/read far:1":      raw(`{"contents":[{"uri":"far:1","text":"F"}]}`),
			"resources/read ui://app/1": raw(`{"contents":[{"uri":"ui://app/1","text":"<html>"}]}`),
			"resources/subscribe":       raw(`{}`),
			"resources/unsubscribe":     raw(`{}`),
			"logging/setLevel":          raw(`{}`),
			"completion/complete":       raw(`{"completion":{"values":["v"]}}`),
			"tasks/get task-1":          raw(`{"taskId":"task-1","status":"working"}`),
			"tasks/result task-1":       raw(`{"content":[{"type":"text","text":"done"}]}`),
			"tasks/list":                raw(`{"tasks":[{"taskId":"task-1","status":"working"}]}`),
		},
		AnswerErrors: map[string]json.RawMessage{"resources/read": raw(`{"code":-32002,"message":"no such resource"}`)},
	}
}

// serverEntry returns the entry of a fake server.
func serverEntry(name string, script fakeserver.Script) *config.Server {
	return &config.Server{Name: name, Transport: config.TransportStdio, Command: os.Args[0],
		Env: []config.Variable{{Name: fakeserver.Variable, Value: strings.ReplaceAll(script.String(), "${", "$${")}}}
}

// greetWith sends initialize with capabilities and waits for its answer. Messages before it are discarded,
// because the engine may still report changed lists if the client has sent initialize before.
func (c *connection) greetWith(capabilities string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"x","version":"1"}}}`, capabilities)
	c.answer(`"hello"`)
}

// ask sends a request and returns its answer. Messages before it are discarded.
func (c *connection) ask(method, params string) jsonrpc.Message {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"ask","method":"%s","params":%s}`, method, params)
	return c.answer(`"ask"`)
}

// answer returns the answer to the request with this id. Messages before it are discarded.
func (c *connection) answer(id string) jsonrpc.Message {
	c.t.Helper()
	for {
		if m := c.receive(); string(m.ID) == id && !m.HasMethod {
			return m
		}
	}
}

// awaitMethod returns the next message of this method. Messages before it are discarded.
func (c *connection) awaitMethod(method string) jsonrpc.Message {
	c.t.Helper()
	for {
		if m := c.receive(); m.Method == method {
			return m
		}
	}
}

func (c *connection) open(name string) {
	c.t.Helper()
	if m := c.ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"`+name+
		`"}}`); !strings.Contains(string(m.Result), "servers_connected") {
		c.t.Fatalf("opening: %s %s", m.Result, m.Error)
	}
}

func use(tool, arguments string) string {
	return `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"` + tool + `"},"arguments":` +
		arguments + `}}`
}

func heard(t *testing.T, script fakeserver.Script) string {
	t.Helper()
	raw, err := os.ReadFile(script.RequestLog)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestListsPass(t *testing.T) {
	c := connect(t, echoToolbox(rich(t)), Options{})
	if m := c.ask("prompts/list", `{}`); string(m.Result) != `{"prompts":[]}` {
		t.Errorf("prompts before the toolbox is open: %s", m.Result)
	}
	c.open("dev")
	for _, want := range []struct{ method, params, result string }{
		{"prompts/list", `{}`, `{"prompts":[{"name":"dev__s__ask","arguments":[{"name":"n","odd":1e1}],"_meta":{"workbench/prompt":{"toolbox":"dev","server":"s","prompt":"ask"}}}]}`},
		{"prompts/get", `{"name":"dev__s__ask"}`, `{"messages":[],"odd":12345678901234567890}`},
		{"resources/read", `{"uri":"a:1"}`, `{"contents":[{"uri":"a:1","text":"A"}]}`},
		{"resources/read", `{"uri":"t:7"}`, `{"contents":[{"uri":"t:7","text":"T"}]}`},
		{"resources/read", `{"uri":"ui://app/1"}`, `{"contents":[{"uri":"ui://app/1","text":"<html>"}]}`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"dev__s__ask"},"argument":{"name":"n","value":""}}`,
			`{"completion":{"values":["v"]}}`},
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":"t:{id}"},"argument":{"name":"id","value":""}}`,
			`{"completion":{"values":["v"]}}`},
		{"logging/setLevel", `{"level":"warning"}`, `{}`},
		{"resources/subscribe", `{"uri":"a:1"}`, `{}`},
		{"resources/unsubscribe", `{"uri":"a:1"}`, `{}`},
	} {
		if m := c.ask(want.method, want.params); string(m.Result) != want.result {
			t.Errorf("%s %s\n got %s %s\nwant %s", want.method, want.params, m.Result, m.Error, want.result)
		}
	}
	for method, want := range map[string]string{
		"resources/list":           `{"uri":"a:1","name":"one"}]}`,
		"resources/templates/list": `{"uriTemplate":"t:{id}","name":"t"}]}`,
	} {
		if m := c.ask(method, `{}`); !strings.HasSuffix(string(m.Result), want) {
			t.Errorf("%s: %s, want it to end with %s", method, m.Result, want)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	c := connect(t, echoToolbox(rich(t)), Options{})
	c.open("dev")
	for _, want := range []struct{ method, params, failure string }{
		{"prompts/get", `{"name":"ask"}`, `"code":-32602,"message":"Invalid params: prompt 'ask' not found`},
		{"prompts/get", `{}`, `"code":-32602,"message":"Invalid params: name must be a string"`},
		{"resources/read", `{"uri":"b:1"}`,
			`"code":-32002,"message":"Resource not found: no server of an open toolbox has this resource","data":{"uri":"b:1"}`},
		{"resources/read", `{"uri":"workbench://from/dev/s/b:1"}`,
			`"code":-32002,"message":"Resource not found: no server of an open toolbox has this resource"`},
		{"resources/read", `{"uri":"workbench://toolboxes/nope"}`, `"code":-32002`},
		{"resources/subscribe", `{"uri":"b:1"}`,
			`"code":-32002,"message":"Resource not found: no server of an open toolbox has this resource","data":{"uri":"b:1"}`},
		{"resources/subscribe", `{"uri":"workbench://toolboxes/nope"}`, `"code":-32002`},
		{"completion/complete", `{"ref":{"type":"ref/odd"}}`, `"code":-32602`},
		{"logging/setLevel", `{"level":"loud"}`, `"code":-32602,"message":"Invalid params: level must be one of debug, `},
		{"tasks/get", `{"taskId":"nope"}`, `"code":-32602,"message":"Task not found`},
	} {
		if m := c.ask(want.method, want.params); !strings.Contains(string(m.Error), want.failure) {
			t.Errorf("%s %s\n got %s %s\nwant %s", want.method, want.params, m.Result, m.Error, want.failure)
		}
	}
}

// A resource that a result links to is read from the server of that result, whether it is listed or not.
func TestLinkedResources(t *testing.T) {
	script, other := rich(t), fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"resources":{}}`),
		Answers: map[string]json.RawMessage{
			"resources/list": json.RawMessage(`{"resources":[{"uri":"a:1","name":"mine"}]}`),
			"resources/read": json.RawMessage(`{"contents":[{"uri":"?","text":"the other's"}]}`)},
	}
	script.Answers["prompts/get ask"] = json.RawMessage(
		`{"messages":[{"role":"user","content":{"type":"resource_link","uri":"far:2","name":"far"}},7]}`)
	script.Answers["resources/read far:2"] = json.RawMessage(`{"contents":[{"uri":"far:2","text":"P"}]}`)
	cfg := &config.Config{Toolboxes: []*config.Toolbox{
		{Name: "dev", Servers: []*config.Server{serverEntry("other", other), serverEntry("s", script)}}}}
	c := connect(t, cfg, Options{})
	c.open("dev")
	if m := c.ask("tools/call", use("link", "{}")); !strings.Contains(string(m.Result), "far:1") {
		t.Fatalf("%s %s", m.Result, m.Error)
	}
	if m := c.ask("resources/read", `{"uri":"far:1"}`); !strings.Contains(string(m.Result), `"text":"F"`) {
		t.Errorf("the linked resource: %s %s", m.Result, m.Error)
	}
	c.ask("prompts/get", `{"name":"dev__s__ask"}`)
	if m := c.ask("resources/read", `{"uri":"far:2"}`); !strings.Contains(string(m.Result), `"text":"P"`) {
		t.Errorf("a resource that a prompt links to: %s %s", m.Result, m.Error)
	}
	// Both list a:1, so each gets an address of ours.
	list := string(c.ask("resources/list", `{}`).Result)
	for _, want := range []string{`"uri":"workbench://from/dev/other/a:1"`, `"uri":"workbench://from/dev/s/a:1"`} {
		if !strings.Contains(list, want) {
			t.Errorf("%s lacks %s", list, want)
		}
	}
	if m := c.ask("resources/read", `{"uri":"workbench://from/dev/s/a:1"}`); !strings.Contains(string(m.Result),
		`{"uri":"workbench://from/dev/s/a:1","text":"A"}`) {
		t.Errorf("by our address: %s %s", m.Result, m.Error)
	}
}

func TestUpdatesAndMessages(t *testing.T) {
	script := rich(t)
	update := `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1","title":"new"}}`
	script.SayOn = map[string][]string{"tools/call echo": {
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"b:1"}}`, update, update,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"low"}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"own","data":{"n":1e1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`,
	}}
	c := connect(t, echoToolbox(script), Options{})
	c.ask("logging/setLevel", `{"level":"warning"}`)
	c.open("dev")
	c.ask("resources/subscribe", `{"uri":"a:1"}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
	got := map[string]string{}
	for len(got) < 4 {
		m := c.receive()
		if m.Method == "" {
			got["answer"] = "yes"
		} else {
			got[m.Method] = string(m.Params)
		}
	}
	want := map[string]string{
		"answer":                             "yes",
		"notifications/resources/updated":    `{"uri":"a:1","title":"new"}`,
		"notifications/message":              `{"level":"error","logger":"dev/s/own","data":{"n":1e1}}`,
		"notifications/prompts/list_changed": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text := heard(t, script); !strings.Contains(text, `"method":"logging/setLevel","params":{"level":"warning"}`) {
		t.Errorf("a server that connects later does not get the level:\n%s", text)
	}
}

func TestServersAskTheClient(t *testing.T) {
	const own = `,"_meta":{"workbench/server":{"toolbox":"dev","server":"s"}}}`
	for _, ask := range []struct{ method, params, passed, capabilities, refused string }{
		{"sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"n":1e400}`,
			`{"messages":[{"role":"user","content":{"type":"text","text":"[dev/s] ?"}}],"n":1e400` + own, `{"sampling":{}}`,
			`"code":-32601,"message":"the client does not support sampling`},
		{"elicitation/create", `{"message":"?","requestedSchema":{}}`, `{"message":"[dev/s] ?","requestedSchema":{}` + own,
			`{"elicitation":{}}`, `"code":-32601,"message":"the client does not support elicitation`},
		{"elicitation/create", `{"mode":"url","url":"https://x"}`,
			`{"mode":"url","url":"https://x","message":"[dev/s]"` + own, `{"elicitation":{"url":{}}}`, `"code":-32601`},
		{"roots/list", `{}`, `{}`, `{"roots":{"listChanged":true}}`, `"code":-32601`},
	} {
		script := rich(t)
		script.AskOnCall, script.AskParams = ask.method, json.RawMessage(ask.params)
		c := dial(t, echoToolbox(script), Options{})
		c.greetWith(ask.capabilities)
		c.open("dev")
		if text := heard(t, script); !strings.Contains(text, `"capabilities":`+ask.capabilities) {
			t.Errorf("%s: the server did not get the capabilities %s:\n%s", ask.method, ask.capabilities, text)
		}
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
		m := c.awaitMethod(ask.method)
		if string(m.Params) != ask.passed {
			t.Errorf("%s came with %s", ask.method, m.Params)
		}
		c.send(`{"jsonrpc":"2.0","id":%s,"result":{"mine":1.50}}`, m.ID)
		if m := c.answer("1"); string(m.Result) != `{"content":[],"asked":{"result":{"mine":1.50}}}` {
			t.Errorf("%s: the call was answered with %s %s", ask.method, m.Result, m.Error)
		}

		c = dial(t, echoToolbox(script), Options{})
		c.greetWith(`{}`)
		c.open("dev")
		if m := c.ask("tools/call", use("echo", "{}")); !strings.Contains(string(m.Result), ask.refused) {
			t.Errorf("%s of a client that cannot: %s %s, want %s", ask.method, m.Result, m.Error, ask.refused)
		}
	}
}

// An error of the client is passed on. A client that does not answer is waited for only until the limit.
func TestClientThatFailsToAnswer(t *testing.T) {
	script := rich(t)
	script.AskOnCall = "elicitation/create"
	c := dial(t, echoToolbox(script), Options{AskLimit: 50 * time.Millisecond})
	c.greetWith(`{"elicitation":{}}`)
	c.open("dev")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
	asked := c.awaitMethod("elicitation/create")
	withdrawn := c.awaitMethod("notifications/cancelled")
	if string(jsonrpc.Lookup(withdrawn.Params, "requestId")) != string(asked.ID) {
		t.Errorf("asked as %s, withdrawn with %s", asked.ID, withdrawn.Params)
	}
	if m := c.answer("1"); !strings.Contains(string(m.Result),
		`"error":{"code":-32603,"message":"the AI app did not answer within 50ms"}`) {
		t.Errorf("the call was answered with %s %s", m.Result, m.Error)
	}
	c.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`, asked.ID) // too late
	if m := c.ask("ping", `{}`); m.Result == nil {
		t.Errorf("afterwards: %s", m.Error)
	}

	c = dial(t, echoToolbox(script), Options{})
	c.greetWith(`{"elicitation":{}}`)
	c.open("dev")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
	c.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"no","data":[1]}}`,
		c.awaitMethod("elicitation/create").ID)
	if m := c.answer("1"); !strings.Contains(string(m.Result), `"error":{"code":-1,"message":"no","data":[1]}`) {
		t.Errorf("the call was answered with %s %s", m.Result, m.Error)
	}
}

func TestProgressOfTheClient(t *testing.T) {
	script := rich(t)
	script.AskOnCall, script.AskParams = "sampling/createMessage", json.RawMessage(`{"_meta":{"progressToken":7}}`)
	c := dial(t, echoToolbox(script), Options{})
	c.greetWith(`{"sampling":{},"roots":{"listChanged":true}}`)
	c.open("dev")
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
	m := c.awaitMethod("sampling/createMessage")
	token := jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), "progressToken")
	c.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token)
	c.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
	c.answer("1")
	text := heard(t, script)
	for _, want := range []string{`"method":"notifications/progress","params":{"progressToken":7,"progress":1}`,
		`"method":"notifications/roots/list_changed"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the server did not hear %s:\n%s", want, text)
		}
	}
}

func TestURLToVisit(t *testing.T) {
	script := fakeserver.Script{Tools: []json.RawMessage{fakeserver.Tool("pay")},
		Errors: map[string]json.RawMessage{"pay": json.RawMessage(
			`{"code":-32042,"message":"first this","data":{"elicitations":[{"mode":"url","url":"https://example.com/pay","n":1e1}]}}`)}}
	for capabilities, want := range map[string]string{
		`{"elicitation":{"url":{}}}`: `{"code":-32042,"message":"first this","data":{"elicitations":[{"mode":"url","url":"https://example.com/pay","n":1e1,"message":"[dev/s]","_meta":{"workbench/server":{"toolbox":"dev","server":"s"}}}]}}`,
		`{"elicitation":{}}`:         `Error executing tool 'pay' in server 's' (toolbox 'dev'): first this (code -32042); ask the user to visit https://example.com/pay`,
	} {
		c := dial(t, echoToolbox(script), Options{})
		c.greetWith(capabilities)
		c.open("dev")
		if m := c.ask("tools/call", use("pay", "{}")); !strings.Contains(string(m.Result)+string(m.Error), want) {
			t.Errorf("%s: %s %s, want %s", capabilities, m.Result, m.Error, want)
		}
	}
}

// What is no page on the web is not shown to the person as one, whether the server asks for it by a request, an error
// or the result of a call.
func TestNoPageToVisit(t *testing.T) {
	const bad = `{"mode":"url","message":"m","url":"javascript:alert(1)","elicitationId":"1"}`
	const good = `{"mode":"url","message":"m","url":"https://example.com/pay","elicitationId":"2"}`
	asks := func(elicitations string) json.RawMessage {
		return json.RawMessage(`{"code":-32042,"message":"first this","data":{"elicitations":[` + elicitations + `]}}`)
	}
	script := fakeserver.Script{Tools: []json.RawMessage{fakeserver.Tool("both"), fakeserver.Tool("bad")},
		Errors: map[string]json.RawMessage{"both": asks(bad + "," + good), "bad": asks(bad)}}
	for _, capabilities := range []string{`{"elicitation":{"url":{}}}`, `{}`} {
		c := dial(t, echoToolbox(script), Options{})
		c.greetWith(capabilities)
		c.open("dev")
		for tool, page := range map[string]bool{"both": true, "bad": false} {
			m := c.ask("tools/call", use(tool, "{}"))
			text := string(m.Result) + string(m.Error)
			if !strings.Contains(text, "first this") || strings.Contains(text, "javascript") ||
				strings.Contains(text, "https://example.com/pay") != page {
				t.Errorf("%s, %s: %s", capabilities, tool, text)
			}
		}
	}
	result := withAskers(toolbox.ServerID{Toolbox: "dev", Server: "s"},
		jsonrpc.Split([]byte(`{"resultType":"input_required","inputRequests":{
		"a":{"method":"elicitation/create","params":`+bad+`},"b":{"method":"elicitation/create","params":`+good+`}}}`)))
	text := string(jsonrpc.ValueOf(result, "inputRequests"))
	if strings.Contains(text, "javascript") || !strings.Contains(text, "[dev/s] m") {
		t.Errorf("the result is %s", text)
	}
	for elicitation, bad := range map[string]bool{
		`{"mode":"url","url":"https://a.example/"}`: false,
		`{"message":"m"}`:                      false,
		`{"mode":"url"}`:                       true,
		`{"mode":"form","url":"javascript:x"}`: true,
		`{"url":"javascript:x"}`:               true,
		`{"mode":"url","url":"https://a.example/","url":"javascript:x"}`: true,
		`{"mode":"url","url":"https://a.example/","URL":"javascript:x"}`: true,
		`{"Mode":"url"}`: true,
		`{"mode":"url","url":" https://a.example/"}`:                         true,
		`{"mode":"url","url":"https://a.example/\u202egnp.exe"}`:             true,
		`{"mode":"url","url":"https://a\u200b.example/"}`:                    true,
		`{"mode":"url","url":"https:///only/a/path"}`:                        true,
		`{"mode":"url","url":"data:text/html,<script>x</script>"}`:           true,
		`{"mode":"url","url":"https://a.example/?back=javascript:alert(1)"}`: false,
	} {
		if hasBadPage(json.RawMessage(elicitation)) != bad {
			t.Errorf("%s: is no page: %v", elicitation, !bad)
		}
	}
}

func TestTasksPass(t *testing.T) {
	script := rich(t)
	task := json.RawMessage(`{"task":{"taskId":"task-1","status":"working"}}`)
	script.Tools = append(script.Tools,
		json.RawMessage(`{"name":"long","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`))
	script.Results["long"] = task
	c := connect(t, echoToolbox(script), Options{ToolMode: config.ModeDynamic, ListWait: 1})
	c.open("dev")
	// A client that does not know tasks can still call the tool.
	if m := c.ask("tools/call", `{"name":"dev__s__long","arguments":{}}`); string(m.Result) != `{"content":[{"type":"text","text":"done"}]}` {
		t.Errorf("called without a task: %s %s", m.Result, m.Error)
	}
	for _, want := range []struct{ method, params, result string }{
		{"tools/call", `{"name":"dev__s__long","arguments":{},"task":{"ttl":1000}}`, string(task)},
		{"tasks/get", `{"taskId":"task-1"}`, `{"taskId":"task-1","status":"working"}`},
		{"tasks/result", `{"taskId":"task-1"}`, `{"content":[{"type":"text","text":"done"}]}`},
		{"tasks/list", `{}`, `{"tasks":[{"taskId":"task-1","status":"working"}]}`},
	} {
		if m := c.ask(want.method, want.params); string(m.Result) != want.result {
			t.Errorf("%s %s\n got %s %s\nwant %s", want.method, want.params, m.Result, m.Error, want.result)
		}
	}
	if text := heard(t, script); !strings.Contains(text, `"name":"long","arguments":{},"task":{"ttl":1000}`) {
		t.Errorf("the server received\n%s", text)
	}
}

func TestOwnResources(t *testing.T) {
	c := connect(t, echoToolbox(fakeserver.Script{}), Options{})
	read := func(uri string) string {
		m := c.ask("resources/read", `{"uri":"`+uri+`"}`)
		elements, _ := jsonrpc.Elements(jsonrpc.Lookup(m.Result, "contents"))
		if len(elements) != 1 {
			t.Fatalf("%s: %s %s", uri, m.Result, m.Error)
		}
		text, _ := jsonrpc.String(jsonrpc.Lookup(elements[0], "text"))
		return text
	}
	closed := `{"uri":"workbench://toolboxes/dev","name":"dev","description":"","open":false,"servers":[{"name":"s","state":"not_started"}]}`
	if got := read("workbench://toolboxes"); got != `{"toolboxes":[`+closed+`]}` {
		t.Errorf("all: %s", got)
	}
	if got := read("workbench://toolboxes/dev"); got != closed {
		t.Errorf("one: %s", got)
	}
	if m := c.ask("completion/complete",
		`{"ref":{"type":"ref/resource","uri":"workbench://toolboxes/{name}"},"argument":{"name":"name","value":"d"}}`); string(m.Result) != `{"completion":{"values":["dev"]}}` {
		t.Errorf("completed with %s %s", m.Result, m.Error)
	}
	if m := c.ask("resources/subscribe", `{"uri":"workbench://toolboxes/dev"}`); m.Error != nil {
		t.Fatal(string(m.Error))
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	for !strings.Contains(read("workbench://toolboxes/dev"), `"state":"connected"`) {
		c.awaitMethod("notifications/resources/updated")
	}
}

// A client that has not sent initialize and does not say its protocol version gets an error that says so.
func TestRequestsWithoutAnEra(t *testing.T) {
	c := dial(t, echoToolbox(fakeserver.Script{}), Options{})
	for _, method := range []string{"tools/list", "tools/call", "server/discover", "resources/list", "no/such"} {
		if m := c.ask(method, `{"_meta":{}}`); !strings.Contains(string(m.Error), `"code":-32602`) {
			t.Errorf("%s: %s %s", method, m.Result, m.Error)
		}
	}
	if m := c.ask("ping", `{}`); string(m.Result) != `{}` {
		t.Errorf("ping: %s %s", m.Result, m.Error)
	}
}
