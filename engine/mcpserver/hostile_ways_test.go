package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// hostileWay is one way to break the protocol.
type hostileWay struct {
	// name says what the server does, and does what the engine does about it. Both are cells of the table in
	// docs/hostile.md. says is a part of the message in the log, or "" if no message is needed.
	name, does, says string
	script           func() fakeserver.Script
	askLimit         time.Duration
	mute             func(method string) bool
	act              func(*testing.T, *capable) // nil means to call the tool "go"
	// further checks; may be nil. Its last argument is what the server has received
	then func(*testing.T, *capable, string)
}

// badServer returns a server that has only the tool "go" and declares all capabilities.
func badServer() fakeserver.Script {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	return fakeserver.Script{
		Tools:        []json.RawMessage{fakeserver.Tool("go")},
		Capabilities: raw(`{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`),
		Answers: map[string]json.RawMessage{
			"prompts/list":             raw(`{"prompts":[]}`),
			"resources/list":           raw(`{"resources":[{"uri":"base:","name":"base"}]}`),
			"resources/templates/list": raw(`{"resourceTemplates":[]}`),
			"resources/subscribe":      raw(`{}`),
			"logging/setLevel":         raw(`{}`),
			"tasks/list":               raw(`{"tasks":[]}`),
		},
		AnswerErrors: map[string]json.RawMessage{"resources/read": raw(`{"code":-32002,"message":"no"}`)},
	}
}

// with returns a changed bad server.
func with(change func(*fakeserver.Script)) func() fakeserver.Script {
	return func() fakeserver.Script {
		script := badServer()
		change(&script)
		return script
	}
}

// answering returns a bad server that answers a request with raw lines.
func answering(key string, lines ...string) func() fakeserver.Script {
	return with(func(s *fakeserver.Script) { s.RawAnswers = map[string][]string{key: append([]string{}, lines...)} })
}

// saying returns a bad server that sends a message a number of times before it answers the call of "go".
func saying(times int, lines ...string) func() fakeserver.Script {
	return with(func(s *fakeserver.Script) {
		s.Times, s.SayOn = times, map[string][]string{"tools/call go": lines}
	})
}

// having returns a bad server with an answer to a request for a list.
func having(method, result string, change func(*fakeserver.Script)) func() fakeserver.Script {
	return with(func(s *fakeserver.Script) {
		s.Answers[method] = json.RawMessage(result)
		if change != nil {
			change(s)
		}
	})
}

// fails returns an act that calls the tool "go" and checks that the call fails with an error that has a text.
func fails(part string) func(*testing.T, *capable) {
	return func(t *testing.T, c *capable) {
		if m := c.use("bad", "go"); !strings.Contains(string(m.Result), `"isError":true`) ||
			!strings.Contains(string(m.Result), part) {
			t.Errorf("the call was answered with %.500s %s, want an error with %q", m.Result, m.Error, part)
		}
	}
}

func nothing(*testing.T, *capable) {}

// muteOn returns a function that reports whether the client leaves a method unanswered.
func muteOn(methods ...string) func(string) bool {
	return func(method string) bool { return strings.Contains(strings.Join(methods, " "), method) }
}

func hostileWays() []hostileWay {
	const okay = `{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}`
	const notice = `{"jsonrpc":"2.0","method":"notifications/`
	asks := func(method, params string, times int) func() fakeserver.Script {
		return with(func(s *fakeserver.Script) {
			s.AskOnCall, s.AskParams, s.AskTimes = method, json.RawMessage(params), times
		})
	}
	return []hostileWay{
		// The handshake.
		{name: "speaks an unknown version of the protocol", does: "continues",
			says:   "It speaks the protocol version '1999-01-01', which is unknown",
			script: with(func(s *fakeserver.Script) { s.ProtocolVersion = "1999-01-01" })},
		{name: "answers `initialize` twice", does: "ignores the second answer",
			says: "It answered a request that is no longer open",
			script: answering("initialize",
				strings.Repeat(`{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", 2))},
		{name: "declares capabilities that are not an object", does: "treats it as a server without capabilities", says: "",
			script: with(func(s *fakeserver.Script) {
				s.Initialize = json.RawMessage(
					`{"protocolVersion":"2025-11-25","capabilities":[{"resources":{}}],"serverInfo":7,"instructions":[]}`)
			})},
		{name: "sends a request before the session has begun", does: "refuses it",
			says: "It asked for 'sampling/createMessage' before the session had begun",
			script: with(func(s *fakeserver.Script) {
				s.StdoutNoise = []string{`{"jsonrpc":"2.0","id":"early","method":"sampling/createMessage","params":{}}`}
			}),
			then: func(t *testing.T, c *capable, heard string) {
				if c.seen("sampling/createMessage") > 0 || !strings.Contains(heard, `"id":"early","error":{"code":-32600`) {
					t.Errorf("the server received\n%s", heard)
				}
			}},
		{name: "sends 5 MB of instructions", does: "shows 16 KiB of them", says: "",
			script: with(func(s *fakeserver.Script) {
				s.Fill = 5 << 20
				s.RawAnswers = map[string][]string{
					"initialize": {`{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"},"instructions":"$FILL"}}`}}
			})},

		// Messages.
		{name: "omits `\"jsonrpc\":\"2.0\"` from its messages", does: "reads the messages anyway",
			says:   `Its messages do not say "jsonrpc":"2.0"`,
			script: answering("tools/call go", `{"id":$ID,"result":{"content":[]}}`)},
		{name: "answers with an id that was never used",
			does: "ignores the answer; the call waits until the client cancels it", says: "it answers nothing that was asked",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}`),
			act: func(t *testing.T, c *capable) {
				c.giveUp(t, "tools/call", useOf("bad", "go"), "it answers nothing that was asked")
			}},
		{name: "answers a call twice", does: "uses the first answer", says: "It answered a request that is no longer open",
			script: answering("tools/call go", okay, okay)},
		{name: "answers with a result and an error", does: "uses the error", says: "It answered with a result and an error",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"both"}}`),
			act:    fails("both (code 1)")},
		{name: "answers with neither result nor error", does: "fails the call",
			says:   "It answered with neither result nor error",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID}`), act: fails("neither result nor error")},
		{name: "answers with a result that is not an object", does: "fails the call",
			says:   "It answered with a result that is no object",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID,"result":[7]}`), act: fails("no object")},
		{name: "answers with more than 64 MiB", does: "fails the call", says: "Message from the server skipped",
			script: with(func(s *fakeserver.Script) {
				s.Fill = 65 << 20
				s.RawAnswers = map[string][]string{"tools/call go": {`{"jsonrpc":"2.0","id":$ID,"result":{"x":"$FILL"}}`}}
			}), act: fails("larger than 64 MiB")},
		{name: "writes invalid JSON, arrays and strings", does: "ignores them", says: "Stray message from the server",
			script: answering("tools/call go", "{", "\x00\x1b[2J", `[1,{"id":`, `[[],{},7]`, `"x"`, okay)},
		{name: "writes text that is not UTF-8", does: "replaces the invalid bytes by U+FFFD",
			says: "It writes text that is not valid UTF-8",
			script: answering("tools/call go",
				`{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"a$BYTES"}]}}`)},
		{name: "never reads its input", does: "waits no longer than for a server that does not answer",
			says:   "Its resources are left out: the server has not answered 'resources/list' yet",
			script: with(func(s *fakeserver.Script) { s.Hang = "reading" }), act: nothing},

		// Its requests.
		{name: "sends a request whose id is an object", does: "ignores it", says: `"id" must be a string or a number`,
			script: saying(1, `{"jsonrpc":"2.0","id":{"a":1},"method":"roots/list"}`)},
		{name: "sends a request with an id of 2 kB", does: "ignores it", says: "its id is too long",
			script: with(func(s *fakeserver.Script) {
				s.Fill, s.SayOn = 2000, map[string][]string{
					"tools/call go": {`{"jsonrpc":"2.0","id":"$FILL","method":"roots/list"}`}}
			})},
		{name: "sends two requests with the same id", does: "refuses the second one",
			says: "another request with this id is not answered yet", mute: muteOn("roots/list"), askLimit: time.Second,
			script: saying(2, `{"jsonrpc":"2.0","id":"same","method":"roots/list"}`)},
		{name: "sends 40 requests at once", does: "refuses all but 32", says: "32 requests are not answered yet",
			mute: muteOn("roots/list"), askLimit: time.Second,
			script: saying(40, `{"jsonrpc":"2.0","id":"$N","method":"roots/list"}`)},
		{name: "asks for sampling in a loop", does: "answers 20 requests, and then one a second",
			says:   "It asks for 'sampling/createMessage' too often; it may 20 times at once, and then 1 times a second",
			script: asks("sampling/createMessage", `{"messages":[]}`, 200),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("sampling/createMessage"); n < 20 || n > 180 {
					t.Errorf("the client was asked %d times", n)
				}
			}},
		{name: "asks for the roots in a loop", does: "answers 100 requests, and then 10 a second",
			says: "It asks for 'roots/list' too often", script: asks("roots/list", `{}`, 500)},
		{name: "asks for an elicitation that nobody answers",
			does:   "waits as long as the table below says, and then cancels the request",
			says:   "The AI app did not answer elicitation/create: the AI app did not answer within 300ms",
			script: asks("elicitation/create", `{"message":"?","requestedSchema":{"type":"object"}}`, 1),
			mute:   muteOn("elicitation/create"), askLimit: 300 * time.Millisecond},
		{name: "asks the user to open `javascript:`, or any other address that is not a web page", does: "refuses",
			says: "url must begin with https:// or http://",
			script: asks("elicitation/create", `{"mode":"url","message":"?","elicitationId":"1","url":"javascript:alert(1)"}`,
				1),
			then: func(t *testing.T, c *capable, _ string) {
				if c.seen("elicitation/create") > 0 {
					t.Error("the client was asked")
				}
			}},
		{name: "sends a request whose params are nested 9,000 levels deep", does: "refuses it",
			says: "params that are nested deeper than 100 levels",
			script: with(func(s *fakeserver.Script) {
				s.Deep, s.SayOn = 9000, map[string][]string{
					"tools/call go": {`{"jsonrpc":"2.0","id":"deep","method":"sampling/createMessage","params":{"x":"$DEEP"}}`}}
			})},
		{name: "sends a notification as a request", does: "refuses it",
			says:   "The AI app did not answer notifications/message: method 'notifications/message' is not supported",
			script: saying(1, `{"jsonrpc":"2.0","id":"n","method":"notifications/message","params":{"level":"info","data":1}}`)},
		{name: "sends a request as a notification", does: "ignores it",
			says:   "It sends notifications that go nowhere, such as 'sampling/createMessage'",
			script: saying(1, `{"jsonrpc":"2.0","method":"sampling/createMessage","params":{}}`)},
		{name: "sends 5,000 pings", does: "answers as long as the server reads the answers", says: "",
			script: saying(5000, `{"jsonrpc":"2.0","id":$N,"method":"ping"}`)},

		// Its notifications.
		{name: "sends 20,000 log messages", does: "passes on 2,000, and then 500 a second",
			says:   "It sends too many notifications; 500 a second are passed on",
			script: saying(20_000, notice+`message","params":{"level":"error","data":$N}}`),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("notifications/message"); n < 2000 || n > 19_000 {
					t.Errorf("the client received %d messages", n)
				}
			}},
		{name: "sends a log message of 5 MB", does: "drops it", says: "It sent a notification 'notifications/message' of",
			script: with(func(s *fakeserver.Script) {
				s.Fill, s.SayOn = 5<<20, map[string][]string{
					"tools/call go": {notice + `message","params":{"level":"error","data":"$FILL"}}`}}
			})},
		{name: "sends a log message that is nested 9,000 levels deep", does: "drops it",
			says: "It sent a notification 'notifications/message' that is nested deeper than 100 levels",
			script: with(func(s *fakeserver.Script) {
				s.Deep, s.SayOn = 9000, map[string][]string{
					"tools/call go": {notice + `message","params":{"level":"error","data":"$DEEP"}}`}}
			})},
		{name: "reports the progress of one call 20,000 times", does: "passes on 2,000 reports, and then 500 a second",
			says: "It sends too many notifications", script: with(func(s *fakeserver.Script) { s.Progress = 20_000 })},
		{name: "reports progress of a request that was never made", does: "drops it",
			says: "It reports progress of a request that nobody made",
			script: saying(2, notice+`progress","params":{"progressToken":"nope","progress":1}}`,
				notice+`progress","params":{"progressToken":{},"progress":1}}`)},
		{name: "reports updates of resources that nobody has subscribed to", does: "drops them",
			says:   "It reports updates of resources that nobody subscribed to",
			script: saying(2, notice+`resources/updated","params":{"uri":"a:1"}}`)},
		{name: "reports updates of 50,000 parts of a resource that the client has subscribed to",
			does: "reports 1,000 every 50 ms", says: "Updates of resources come faster than the client can be told",
			script: saying(50_000, notice+`resources/updated","params":{"uri":"base:/$N"}}`),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("resources/subscribe", `{"uri":"base:"}`); m.Error != nil {
					t.Error(string(m.Error))
				}
				c.use("bad", "go")
			}},
		{name: "reports a change of its lists each time the engine reads one", does: "reads them less and less often",
			says: "It says again and again that its lists have changed",
			script: with(func(s *fakeserver.Script) {
				changed := []string{notice + `tools/list_changed"}`, notice + `prompts/list_changed"}`,
					notice + `resources/list_changed"}`}
				s.Times, s.SayOn = 10, map[string][]string{"tools/list": changed, "prompts/list": changed,
					"resources/list": changed}
			}),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("notifications/resources/list_changed"); n > 20 {
					t.Errorf("the client was notified %d times", n)
				}
			}},
		{name: "has other tools and prompts, with other faults, each time the engine lists them",
			does: "reads the lists less and less often, and logs 20 faults of each list", says: "More is wrong with its tools",
			script: with(func(s *fakeserver.Script) {
				changed := []string{notice + `tools/list_changed"}`, notice + `prompts/list_changed"}`}
				s.SayOn = map[string][]string{"tools/list": changed, "prompts/list": changed}
				tools, prompts := `{"tools":[{"name":"go","inputSchema":{"type":"object"}},{"name":"new$N","inputSchema":{"type":"object"}}`, `{"prompts":[{"name":"new$N"}`
				for i := range 15 {
					tools += fmt.Sprintf(`,{"name":"bad$N-%d","inputSchema":5}`, i)
					prompts += fmt.Sprintf(`,{"name":"bad$N-%d"},{"name":"bad$N-%[1]d"}`, i)
				}
				s.Answers["tools/list"], s.Answers["prompts/list"] = json.RawMessage(tools+`]}`), json.RawMessage(prompts+`]}`)
			}),
			then: func(t *testing.T, c *capable, _ string) {
				c.awaitLog(t, "again and again")
				for line, most := range map[string]int{`msg="A tool was set aside"`: 20,
					`msg="A list of the server is wrong"`: 22} {
					if n := strings.Count(c.log.text(), line); n > most {
						t.Errorf("%d lines have %s", n, line)
					}
				}
				if n := c.seen("notifications/tools/list_changed"); n > 20 {
					t.Errorf("the client was notified %d times", n)
				}
			}},

		// Its lists.
		{name: "has endless pages of resources", does: "reads 1,000 pages",
			says:   "the list of resources was cut off after 1000 pages",
			script: having("resources/list", `{"resources":[{"uri":"p:$N","name":"p"}],"nextCursor":"$N"}`, nil), act: nothing},
		{name: "repeats its cursor", does: "stops at the repetition", says: "the server repeats its cursor",
			script: having("prompts/list", `{"prompts":[{"name":"p$N"}],"nextCursor":"x"}`, nil), act: nothing},
		{name: "sends an object in place of a list", does: "leaves the list out",
			says: "Its prompts are left out: the server's answer to 'prompts/list' cannot be used: its list of prompts is " +
				"no list",
			script: having("prompts/list", `{"prompts":{"name":"p"}}`, nil), act: nothing},
		{name: "does not answer `resources/list`", does: "waits 2 s, once",
			says:   "Its resources are left out: the server has not answered 'resources/list' yet",
			script: answering("resources/list"), act: nothing},
		{name: "has a prompt with a name of 2 MB", does: "sets it aside", says: "the prompt was set aside: it has 2",
			script: having("prompts/list", `{"prompts":[{"name":"$FILL"}]}`, func(s *fakeserver.Script) {
				s.Fill = 2 << 20
			}), act: nothing},
		{name: "has a resource with a URI of 100 kB", does: "sets it aside",
			says: "its uri has 100000 bytes, more than 8192",
			script: having("resources/list", `{"resources":[{"uri":"$FILL","name":"long"}]}`, func(s *fakeserver.Script) {
				s.Fill = 100_000
			}), act: nothing},
		{name: "has a prompt that is nested 9,000 levels deep", does: "sets it aside",
			says: "it is nested deeper than 100 levels",
			script: having("prompts/list", `{"prompts":[{"name":"deep","_meta":{"x":"$DEEP"}}]}`, func(s *fakeserver.Script) {
				s.Deep = 9000
			}), act: nothing},
		{name: "has a tool that is nested 9,000 levels deep", does: "sets it aside",
			says: "it is nested deeper than 100 levels",
			script: having("tools/list", `{"tools":[{"name":"deep","inputSchema":{"type":"object","x":"$DEEP"}}]}`,
				func(s *fakeserver.Script) { s.Deep = 9000 }), act: nothing},
		{name: "has names with NUL, escape sequences and invalid bytes", does: "offers them under cleaned names",
			says:   "It writes text that is not valid UTF-8",
			script: having("prompts/list", `{"prompts":[{"name":"a\u0000\u001b[31m$BYTES"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("prompts/list", `{}`); !strings.Contains(string(m.Result), `"name":"dev__bad__a___31m`) {
					t.Errorf("%s", m.Result)
				}
			}},
		{name: "has prompts whose cleaned names are the same", does: "distinguishes them by a hash", says: "",
			script: having("prompts/list", `{"prompts":[{"name":"a b"},{"name":"a.b"},{"name":"a_b"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				result := string(c.ask("prompts/list", `{}`).Result)
				for _, part := range []string{`"dev__bad__a_b"`, `"dev__bad__a_b_`} {
					if !strings.Contains(result, part) {
						t.Errorf("%s lacks %s", result, part)
					}
				}
			}},
		{name: "has a resource with the URI of another server's resource", does: "gives each a URI of its own", says: "",
			script: having("resources/list", `{"resources":[{"uri":"a:1","name":"mine"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				if result := string(c.ask("resources/list", `{}`).Result); !strings.Contains(result,
					`"workbench://from/dev/bad/a:1"`) || !strings.Contains(result, `"workbench://from/dev/good/a:1"`) {
					t.Error(result)
				}
			}},
		{name: "has a URI template that cannot become a regular expression", does: "lists it and compares no URI with it",
			says: "cannot be compared with URIs",
			script: having("resources/templates/list",
				`{"resourceTemplates":[{"name":"t","uriTemplate":"t:{`+strings.Repeat("a,", 1100)+
					`a}"},{"name":"u","uriTemplate":"t:{"}]}`, nil), act: nothing},
		{name: "has a URI template that matches any URI", does: "prefers templates that say how a URI begins", says: "",
			script: having("resources/templates/list", `{"resourceTemplates":[{"name":"all","uriTemplate":"{+all}"}]}`,
				func(s *fakeserver.Script) {
					s.Answers["resources/read t:7"] = json.RawMessage(`{"contents":[{"uri":"t:7","text":"BAD"}]}`)
				}), act: nothing},

		// Its answers.
		{name: "does not answer `logging/setLevel`", does: "waits 2 s, once", says: "",
			script: answering("logging/setLevel"), act: nothing},
		{name: "does not answer `tasks/list`", does: "waits 3 s, and asks again after 90 s",
			says: "Its tasks are left out: context deadline exceeded", script: answering("tasks/list"), act: nothing},
		{name: "answers a completion with 12 MB",
			does: "answers with an error, since clients close the connection above 10 MiB", says: "",
			script: having("completion/complete", `{"completion":{"values":["$FILL"]}}`, func(s *fakeserver.Script) {
				s.Fill, s.Answers["prompts/list"] = 12<<20, json.RawMessage(`{"prompts":[{"name":"p"}]}`)
			}),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("completion/complete",
					`{"ref":{"type":"ref/prompt","name":"dev__bad__p"},"argument":{"name":"n","value":""}}`); !strings.Contains(string(m.Error), "takes at most") {
					t.Errorf("%.200s %s", m.Result, m.Error)
				}
			}},
		{name: "claims the task of another server", does: "ignores the claim",
			says: "It tells of tasks that are not its own",
			script: having("tasks/list", `{"tasks":[{"taskId":"task-1","status":"failed"}]}`, func(s *fakeserver.Script) {
				s.SayOn = map[string][]string{
					"tools/call go": {notice + `tasks/status","params":{"taskId":"task-1","status":"failed"}}`}}
			}),
			act: func(t *testing.T, c *capable) {
				c.ask("tools/call", `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"good","tool":"long"},"arguments":{}},"task":{}}`)
				c.use("bad", "go")
				if m := c.ask("tasks/list", `{}`); strings.Contains(string(m.Result), "failed") ||
					c.seen("notifications/tasks/status") > 0 {
					t.Errorf("the client received another state: %s", m.Result)
				}
				if m := c.ask("tasks/get", `{"taskId":"task-1"}`); !strings.Contains(string(m.Result), "working") {
					t.Errorf("the task of the good server: %s %s", m.Result, m.Error)
				}
			}},
		{name: "has a task that never ends", does: "waits until the client cancels the call, and then cancels the task",
			says: "",
			script: with(func(s *fakeserver.Script) {
				s.Tools = []json.RawMessage{json.RawMessage(
					`{"name":"go","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`)}
				s.Results = map[string]json.RawMessage{"go": json.RawMessage(`{"task":{"taskId":"endless","status":"working"}}`)}
				s.RawAnswers = map[string][]string{"tasks/result": {}}
				s.SayOn = map[string][]string{"tasks/result": {notice + `message","params":{"level":"error","data":"waiting"}}`}}
			}),
			act: func(t *testing.T, c *capable) {
				id, _ := c.begin("tools/call", useOf("bad", "go"))
				c.awaitLog(t, "waiting")
				c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
			},
			then: func(t *testing.T, c *capable, heard string) {
				if !strings.Contains(heard, `"method":"tasks/cancel","params":{"taskId":"endless"}`) {
					t.Errorf("the server received\n%s", heard)
				}
			}},
	}
}
