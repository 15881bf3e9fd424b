package app

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

const (
	aForm = `{"message":"Who are you?","requestedSchema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"age":{"type":"integer","default":42}}}}`
	aPage = `{"mode":"url","message":"Sign in there.","url":"https://example.com/in","elicitationId":"e1"}`
)

// tried is a call of a tool that is being tried.
type tried struct {
	*bench
	cancel context.CancelFunc
	result string
	err    error
	ended  bool
}

// tries tries the tool "echo" of a server, whose tab is shown.
func (b *bench) tries(server string) *tried { return b.triesTool(server, "echo", "{}") }

func (b *bench) triesTool(server, tool, arguments string) *tried {
	b.t.Helper()
	b.untilOwn()
	b.showTab(model.Choice{Toolbox: "dev", Server: server}, model.TabTools)
	r := &tried{bench: b}
	ctx, cancel := context.WithCancel(b.t.Context())
	r.cancel = cancel
	b.detail.Run(ctx, edit.Target{Toolbox: "dev", Server: server}, tool, json.RawMessage(arguments),
		func(float64, float64, string) {},
		func(result json.RawMessage, err error) { r.result, r.err, r.ended = string(result), err, true })
	return r
}

// asks waits until the window asks something.
func (r *tried) asks(text string) {
	r.t.Helper()
	r.until(func() string {
		if said := r.overlay(); !strings.Contains(said, text) {
			return "the window says " + said
		}
		return ""
	})
}

// ends waits for the end of the call. Then no question may be open.
func (r *tried) ends() {
	r.t.Helper()
	r.until(func() string {
		if !r.ended {
			return "no result"
		}
		if said := r.overlay(); said != "" {
			return "the window still says " + said
		}
		return ""
	})
}

// answers checks the answer that the server got.
func (r *tried) answers(want string) {
	r.t.Helper()
	r.ends()
	if r.err != nil || !strings.Contains(r.result, want) {
		r.t.Errorf("the tool answered %s, %v; want %s", r.result, r.err, want)
	}
}

func (b *bench) typeIn(text string) {
	for _, r := range text {
		b.window.Window.Canvas().Focused().TypedRune(r)
	}
}

func (b *bench) key(name fyne.KeyName) {
	canvas := b.window.Window.Canvas()
	if focused := canvas.Focused(); focused != nil {
		focused.TypedKey(&fyne.KeyEvent{Name: name})
	} else {
		canvas.OnTypedKey()(&fyne.KeyEvent{Name: name})
	}
}

// logs waits until the log of a server has a line and the server got a message.
func (b *bench) logs(server, line, file, sent string) {
	b.t.Helper()
	b.until(func() string {
		text, _ := os.ReadFile(file)
		if !strings.Contains(string(text), sent) {
			return "the server got " + string(text)
		}
		var said []string
		for _, line := range b.engines.Local.Manager.Log("dev", server) {
			said = append(said, line.Words().String())
		}
		if !strings.Contains(strings.Join(said, "\n"), line) {
			return "its log is " + strings.Join(said, "\n")
		}
		return ""
	})
}

func askingOnCall(method, params string) fakeserver.Script {
	return fakeserver.Script{AskOnCall: method, AskParams: json.RawMessage(params)}
}

// A question from a server whose tool is being tried is answered in the window. Servers are told that this is
// possible, and nothing else.
func TestAskedInTryIt(t *testing.T) {
	requests := filepath.Join(t.TempDir(), "requests")
	script := askingOnCall("elicitation/create", aForm)
	script.RequestLog = requests
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": script}), nil)
	r := b.tries("a")
	r.asks("Who are you?")
	if said := r.overlay(); !strings.Contains(said, "“a” asks you") {
		t.Errorf("the dialog does not say which server asks: %s", said)
	}
	b.typeIn("Jo")
	b.key(fyne.KeyReturn)
	r.answers(`{"action":"accept","content":{"name":"Jo","age":42}}`)
	b.logs("a", "Answered: accept", requests, `"capabilities":{"elicitation":{"form":{},"url":{}}}`)

	r = b.tries("a")
	r.asks("Who are you?")
	b.press("Decline")
	r.answers(`{"action":"decline"}`)

	r = b.tries("a")
	r.asks("Who are you?")
	b.key(fyne.KeyEscape)
	r.answers(`{"action":"cancel"}`)
}

// A page is opened when the user agrees, and the server is told at once. What happens on the page is between the user
// and the server.
func TestAskedToOpenAPage(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": askingOnCall("elicitation/create", aPage)}), nil)
	r := b.tries("a")
	r.asks("https://example.com/in")
	b.press("Open the browser")
	if page := b.page(1); page != "https://example.com/in" {
		t.Errorf("opened %s", page)
	}
	r.answers(`{"action":"accept"}`)
}

// A server of the protocol version 2026-07-28 asks in its results, and can ask for several things at once. The user
// sees no difference.
func TestAskedByAModernServer(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	b := newBench(t, fakes(map[string]fakeserver.Script{
		"a": {Modern: true, CallLog: calls, Tools: []json.RawMessage{fakeserver.Tool("echo")},
			Rounds: map[string][]json.RawMessage{"echo": {
				json.RawMessage(`{"resultType":"input_required","inputRequests":{"x":{"method":"elicitation/create","params":` +
					aForm + `},"y":{"method":"elicitation/create","params":` + aForm + `}}}`),
				json.RawMessage(`{"resultType":"complete","content":[],"thanks":true}`),
			}}}}), nil)
	r := b.tries("a")
	r.asks("Who are you?")
	b.press("Decline")
	b.until(func() string {
		if len(b.model.Questions) > 1 || b.overlay() == "" {
			return "the second is not asked"
		}
		return ""
	})
	b.typeIn("Jo")
	b.key(fyne.KeyReturn)
	r.answers(`"thanks":true`)
	made, _ := os.ReadFile(calls)
	for _, want := range []string{`{"action":"decline"}`, `{"action":"accept","content":{"name":"Jo","age":42}}`} {
		if !strings.Contains(string(made), want) {
			t.Errorf("the server did not get %s: %s", want, made)
		}
	}
}

// A question that does not belong to a tool being tried is declined at once, and so is one that the user cannot
// answer.
func TestAskedUnasked(t *testing.T) {
	requests := filepath.Join(t.TempDir(), "requests")
	b := newBench(t, fakes(map[string]fakeserver.Script{
		"a": {RequestLog: requests, SayOn: map[string][]string{
			"tools/list": {`{"jsonrpc":"2.0","id":"early","method":"elicitation/create","params":` + aForm + `}`}}},
		"b": askingOnCall("sampling/createMessage", `{"messages":[]}`),
		"c": askingOnCall("roots/list", `{}`),
		"d": askingOnCall("elicitation/create",
			`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}`),
	}), nil)
	b.untilOwn()
	b.start(model.Choice{Toolbox: "dev", Server: "a"})
	b.logs("a", "Declined, because none of its tools is being tried", requests,
		`"id":"early","result":{"action":"decline"}`)
	b.tries("b").answers(`"code":-32601`)
	b.tries("c").answers(`"code":-32601`)
	b.tries("d").answers(`"code":-32602`)
}

// A question closes when nobody waits for its answer any more, because the call was cancelled or the server has ended.
func TestAskedInVain(t *testing.T) {
	requests := filepath.Join(t.TempDir(), "requests")
	script := askingOnCall("elicitation/create", aForm)
	script.RequestLog = requests
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": script}), nil)
	r := b.tries("a")
	r.asks("Who are you?")
	r.cancel()
	r.ends()
	b.logs("a", "Answered: cancel", requests, `"result":{"action":"cancel"}`)

	r = b.tries("a")
	r.asks("Who are you?")
	process, err := os.FindProcess(b.engines.Local.Manager.Status().Servers[0].Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	r.ends()
	if r.err == nil {
		t.Errorf("the tool answered %s", r.result)
	}
}

// A question that appears while the user does something else does not receive the keys typed there.
func TestAskedElsewhere(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": askingOnCall("elicitation/create", aForm)}), nil)
	r := b.tries("a")
	b.places.Choose(placeSettings)
	r.asks("Who are you?")
	b.typeIn("secret")
	b.key(fyne.KeyReturn)
	r.answers(`{"action":"cancel"}`)
}

// A call that needs pages to be visited first is repeated after that, and fails if the user declines.
func TestPagesBeforeACall(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	b := newBench(t, fakes(map[string]fakeserver.Script{
		"a": {CallLog: calls, Tools: []json.RawMessage{fakeserver.Tool("echo")},
			Errors: map[string]json.RawMessage{
				"echo": json.RawMessage(`{"code":-32042,"message":"Sign in first","data":{"elicitations":[` + aPage + `]}}`)}}}),
		nil)
	r := b.tries("a")
	r.asks("Sign in there.")
	b.press("Open the browser")
	r.asks("Come back here")
	b.press("Done")
	r.asks("[Open the browser]")
	b.press("Decline")
	r.ends()
	if r.err == nil || !strings.Contains(r.err.Error(), "Sign in first") {
		t.Errorf("the call ended with %s, %v", r.result, r.err)
	}
	if made, _ := os.ReadFile(calls); strings.Count(string(made), "\n") != 2 {
		t.Errorf("the calls are %s", made)
	}
	r = b.tries("a")
	r.asks("Sign in there.")
	b.press("Open the browser")
	// of another server
	b.engines.Local.Questions.Hear(toolbox.ServerID{Toolbox: "dev", Server: "b"}, "notifications/elicitation/complete",
		json.RawMessage(`{"elicitationId":"e1"}`))
	r.asks("Come back here")
	b.engines.Local.Questions.Hear(toolbox.ServerID{Toolbox: "dev", Server: "a"}, "notifications/elicitation/complete",
		json.RawMessage(`{"elicitationId":"e1"}`))
	r.asks("[Open the browser]") // of the second call
	b.press("Open the browser")
	b.press("Cancel")
	r.ends()
	if r.err == nil || r.err.Error() != context.Canceled.Error() {
		t.Errorf("the call ended with %s, %v", r.result, r.err)
	}
}

// Several questions appear one after another, and each gets its own answer. A question that is withdrawn is not shown.
func TestQuestionsInARow(t *testing.T) {
	b := newBench(t, oneServer, nil)
	s := b.engines.Local.Questions
	id := toolbox.ToolID{Toolbox: "dev", Server: "a", Tool: "t"}
	try := s.Begin(t.Context(), id)
	got := make(chan string, 3)
	contexts := make([]context.CancelFunc, 3)
	for i, name := range []string{"first", "second", "third"} {
		ctx, cancel := context.WithCancel(t.Context())
		contexts[i] = cancel
		before := len(b.model.Questions)
		go func() {
			result, err := s.Ask(ctx, id.On(), "elicitation/create",
				json.RawMessage(strings.ReplaceAll(aForm, "Who are you?", name)))
			if err != nil {
				result = json.RawMessage(err.Error())
			}
			got <- name + string(result)
		}()
		b.until(func() string {
			if len(b.model.Questions) == before {
				return name + " is not asked"
			}
			return ""
		})
	}
	r := &tried{bench: b}
	answers := func(want string) {
		t.Helper()
		if given := <-got; given != want {
			t.Errorf("answered %s, want %s", given, want)
		}
	}
	r.asks("first")
	contexts[1]()
	answers(`second{"action":"cancel"}`)
	b.press("Decline")
	answers(`first{"action":"decline"}`)
	r.asks("third")
	s.End(try)
	answers(`third{"action":"cancel"}`)
	b.until(func() string { return differs(b.overlay(), "") })
	b.until(func() string { // the last question is forgotten in the background
		if !s.Idle() {
			return "a question is left"
		}
		return ""
	})
	if result, err := s.Ask(t.Context(), id.On(), "elicitation/create", json.RawMessage(aForm)); err != nil ||
		string(result) != `{"action":"decline"}` {
		t.Errorf("while no tool is tried: %s, %v", result, err)
	}
}

// everything returns a configuration with server-everything from npm.
func everything(t *testing.T) string {
	path, err := filepath.Abs(filepath.Join("..", "e2e", "npm", "node_modules", "@modelcontextprotocol",
		"server-everything", "dist", "index.js"))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err == nil {
		_, err = exec.LookPath("node")
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Skipf("%v; run e2e/npm/install", err)
	}
	text, _ := json.Marshal(map[string]any{"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": map[string]any{
		"everything": map[string]any{"command": "node", "args": []string{path, "stdio"}}}}}})
	return string(text)
}

// The reference server has tools for both kinds of questions. It offers them to the window and accepts the answers.
func TestAskedByARealServer(t *testing.T) {
	b := newBench(t, everything(t), nil)
	r := b.triesTool("everything", "trigger-elicitation-request", `{}`)
	r.asks("Please provide inputs for the following fields:")
	b.typeIn("Jo Doe")
	b.key(fyne.KeyReturn)
	r.answers(`\"untitledMultipleSelectEnum\": [\n      \"Guitar\"`)
	for _, want := range []string{"- Name: Jo Doe", "- Favorite Integer: 42", `\"legacyTitledEnum\": \"pet-1\"`} {
		if !strings.Contains(r.result, want) {
			t.Errorf("the server did not get %s: %s", want, r.result)
		}
	}
	b.until(func() string {
		if len(b.detail.List()) == 0 {
			return "the tools are not shown"
		}
		return ""
	})
	var names []string
	for _, tool := range b.detail.List() {
		names = append(names, tool.Name)
	}
	if all := strings.Join(names, " "); !strings.Contains(all, "trigger-url-elicitation") ||
		strings.Contains(all, "sampling") || strings.Contains(all, "roots") {
		t.Errorf("the window shows %s", all)
	}

	// The server asks for the page with a request, and with an error.
	r = b.triesTool("everything", "trigger-url-elicitation", `{"url":"https://example.com/a"}`)
	r.asks("https://example.com/a")
	b.press("Open the browser")
	r.answers("accept")
	r = b.triesTool("everything", "trigger-url-elicitation", `{"url":"https://example.com/b","errorPath":true}`)
	r.asks("https://")
	b.press("Open the browser")
	r.asks("Come back here")
	b.press("Done")
	r.asks("https://example.com/b")
	b.press("Open the browser")
	r.answers("accept")
	t.Logf("opened %v", b.app.opened)
}
