package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const closeDev = `{"name":"close_toolbox","arguments":{"toolbox_name":"dev"}}`

// isOpen reports whether the toolbox "dev" is open.
func (c *connection) isOpen() bool {
	c.t.Helper()
	return strings.Contains(string(c.ask("resources/read", `{"uri":"workbench://toolboxes/dev"}`).Result),
		`\"open\":true`)
}

// answers receives a number of answers. Messages between them are discarded.
func (c *connection) answers(n int) {
	c.t.Helper()
	for n > 0 {
		if m := c.receive(); !m.HasMethod {
			n--
		}
	}
}

// Only a call of a tool opens a closed toolbox.
func TestRequestsThatOpenNoToolbox(t *testing.T) {
	c := connect(t, echoToolbox(taskful(t)), Options{ToolMode: config.ModeDynamic, ListWait: 1})
	c.open("dev")
	c.ask("resources/subscribe", `{"uri":"a:1"}`)
	c.ask("tools/call", `{"name":"dev__s__long","arguments":{},"task":{}}`)
	c.ask("tools/call", closeDev)
	for _, r := range []struct{ method, params string }{
		{"resources/unsubscribe", `{"uri":"a:1"}`},
		{"tasks/get", `{"taskId":"task-1"}`},
		{"resources/read", `{"uri":"workbench://from/dev/s/a:1"}`},
	} {
		c.ask(r.method, r.params)
		if c.isOpen() {
			t.Errorf("%s %s opened the toolbox", r.method, r.params)
			c.ask("tools/call", closeDev)
		}
	}
}

// A listen request that names a URI twice subscribes to it once, and unsubscribes when it ends.
func TestListenWithAURITwice(t *testing.T) {
	script := rich(t)
	c := dial(t, echoToolbox(script), Options{})
	c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, `{}`))
	c.send(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":%s}`,
		modern(`{"notifications":{"resourceSubscriptions":["a:1","a:1"]}}`, `{}`))
	if m := c.awaitMethod("notifications/subscriptions/acknowledged"); !strings.Contains(string(m.Params),
		`"resourceSubscriptions":["a:1"]`) {
		t.Errorf("acknowledged with %s", m.Params)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	// Nothing reports that a stream has ended. So make calls, each of which takes a round trip to the server,
	// until the server has the request.
	for end := time.Now().Add(time.Minute); !strings.Contains(heard(t, script), `"resources/unsubscribe"`); {
		if time.Now().After(end) {
			t.Fatal("the server did not receive resources/unsubscribe")
		}
		c.ask("tools/call", modern(use("echo", "{}"), `{}`))
	}
}

// Requests about one URI that are sent at the same time are handled one after the other.
func TestSubscribingTwiceAtOnce(t *testing.T) {
	const rounds = 20
	script := rich(t)
	c := connect(t, echoToolbox(script), Options{})
	c.open("dev")
	for range rounds {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:1"}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"a:1"}}`)
		c.answers(2)
		c.ask("resources/unsubscribe", `{"uri":"a:1"}`)
	}
	text := heard(t, script)
	begun, ended := strings.Count(text, `"resources/subscribe"`), strings.Count(text, `"resources/unsubscribe"`)
	if begun != rounds || ended != rounds {
		t.Errorf("the server received %d subscriptions and %d ends, want %d", begun, ended, rounds)
	}
}

// A client that unsubscribes before its subscription is confirmed is not subscribed.
func TestUnsubscribingAtOnce(t *testing.T) {
	script := rich(t)
	c := connect(t, echoToolbox(script), Options{})
	c.open("dev")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:1"}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"a:1"}}`)
	c.answers(2)
	if !strings.Contains(heard(t, script), `"resources/unsubscribe"`) {
		t.Error("the server did not receive resources/unsubscribe")
	}
}

// A client that sends initialize again keeps its subscriptions, and can end them.
func TestInitializingAgain(t *testing.T) {
	script := rich(t)
	c := connect(t, echoToolbox(script), Options{})
	c.open("dev")
	c.ask("resources/subscribe", `{"uri":"a:1"}`)
	c.greetWith(`{}`)
	c.ask("resources/unsubscribe", `{"uri":"a:1"}`)
	if !strings.Contains(heard(t, script), `"resources/unsubscribe"`) {
		t.Error("the server did not receive resources/unsubscribe")
	}
}

// Updates are passed on for a resource and its parts, but not for URIs that only begin with the same
// characters.
func TestUpdatesOfParts(t *testing.T) {
	update := func(uri string) string {
		return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`
	}
	script := rich(t)
	script.Answers["resources/list"] = json.RawMessage(
		`{"resources":[{"uri":"a:1","name":"one"},{"uri":"f:folder/","name":"folder"}]}`)
	script.SayOn = map[string][]string{
		"tools/call echo": {update("a:123"), update("f:folders"), update("a:1/part"), update("f:folder/file")},
		"tools/call link": {update("a:1#end")},
	}
	c := connect(t, echoToolbox(script), Options{})
	c.open("dev")
	c.ask("resources/subscribe", `{"uri":"a:1"}`)
	c.ask("resources/subscribe", `{"uri":"f:folder/"}`)
	got := map[string]bool{}
	hear := func(uri string) {
		for !got[uri] {
			m := c.awaitMethod("notifications/resources/updated")
			text, ok := jsonrpc.String(jsonrpc.Lookup(m.Params, "uri"))
			if !ok {
				t.Fatalf("an update of %s", m.Params)
			}
			got[text] = true
		}
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, use("echo", "{}"))
	hear("a:1/part")
	hear("f:folder/file")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}`, use("link", "{}"))
	hear("a:1#end") // comes after all earlier messages
	if len(got) != 3 {
		t.Errorf("the reported updates are %v", got)
	}
}

// The first follower of one of our resources gets its change, even if a second follower is added before the
// change.
func TestSecondFollowerOfAnOwnResource(t *testing.T) {
	s := New(&config.Config{}, Options{})
	for _, key := range []string{"1", "2"} {
		s.streams.open[key] = &stream{id: json.RawMessage(key), uris: map[string]bool{}}
	}
	if err := s.streams.subscribe(t.Context(), "1", ownToolboxes); err != nil {
		t.Fatal(err)
	}
	s.manager.SetConfig(&config.Config{Toolboxes: []*config.Toolbox{{Name: "new"}}})
	if err := s.streams.subscribe(t.Context(), "2", ownToolboxes); err != nil {
		t.Fatal(err)
	}
	s.announcer.checkOwn()
	if s.announcer.updates[ownToolboxes] == nil {
		t.Error("no update waits to be reported")
	}
}

// A server that does not answer logging/setLevel delays the client's own answer and calls of other servers
// only a little.
func TestSilentServerAndLevels(t *testing.T) {
	silent := fakeserver.Script{Capabilities: json.RawMessage(`{"tools":{},"logging":{}}`), Hang: "logging/setLevel"}
	t.Run("initialize", func(t *testing.T) {
		c := connect(t, two(silent, rich(t)), Options{})
		c.open("dev")
		defer time.AfterFunc(time.Minute, c.stop).Stop()
		if m := c.ask("logging/setLevel", `{"level":"info"}`); string(m.Result) != `{}` {
			t.Errorf("%s %s", m.Result, m.Error)
		}
	})
	t.Run("2026-07-28", func(t *testing.T) {
		c := dial(t, two(silent, rich(t)), Options{})
		c.ask("tools/call", modern(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`, `{}`))
		defer time.AfterFunc(time.Minute, c.stop).Stop()
		params := strings.Replace(modern(use("echo", "{}"), `{}`), `"_meta":{`,
			`"_meta":{"io.modelcontextprotocol/logLevel":"info",`, 1)
		if m := c.ask("tools/call", params); !strings.Contains(string(m.Result), `"structuredContent":{}`) {
			t.Errorf("%s %s", m.Result, m.Error)
		}
	})
}
