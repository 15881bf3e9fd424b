package workbench

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
	// name says what the server does, and does says what the engine does, both in the words of
	// docs/hostile.md. says is a part of the line in the log; "" if no line is needed.
	name, does, says string
	script           func() fakeserver.Script
	askLimit         time.Duration
	mute             func(method string) bool
	act              func(*testing.T, *capable)         // nil means to call the tool "go"
	then             func(*testing.T, *capable, string) // further checks; may be nil. It gets what the server received
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

func fails(part string) func(*testing.T, *capable) {
	return func(t *testing.T, c *capable) {
		if m := c.use("bad", "go"); !strings.Contains(string(m.Result), `"isError":true`) || !strings.Contains(string(m.Result), part) {
			t.Errorf("the call was answered with %.500s %s, want an error with %q", m.Result, m.Error, part)
		}
	}
}

func nothing(*testing.T, *capable) {}

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
		{name: "speaks a version of the protocol that there is not", does: "goes on", says: "It speaks the protocol version '1999-01-01', which is unknown",
			script: with(func(s *fakeserver.Script) { s.ProtocolVersion = "1999-01-01" })},
		{name: "answers `initialize` twice", does: "passes over the second answer", says: "It answered a request that is no longer open",
			script: answering("initialize", strings.Repeat(`{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", 2))},
		{name: "has capabilities that are no object", does: "takes it that it has none", says: "",
			script: with(func(s *fakeserver.Script) {
				s.Initialize = json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":[{"resources":{}}],"serverInfo":7,"instructions":[]}`)
			})},
		{name: "asks for something before the session has begun", does: "refuses", says: "It asked for 'sampling/createMessage' before the session had begun",
			script: with(func(s *fakeserver.Script) {
				s.StdoutNoise = []string{`{"jsonrpc":"2.0","id":"early","method":"sampling/createMessage","params":{}}`}
			}),
			then: func(t *testing.T, c *capable, heard string) {
				if c.seen("sampling/createMessage") > 0 || !strings.Contains(heard, `"id":"early","error":{"code":-32600`) {
					t.Errorf("the server heard\n%s", heard)
				}
			}},
		{name: "writes 5 MB of instructions", does: "shows 16 KiB of them", says: "",
			script: with(func(s *fakeserver.Script) {
				s.Fill = 5 << 20
				s.RawAnswers = map[string][]string{"initialize": {`{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"},"instructions":"$FILL"}}`}}
			})},

		// Messages.
		{name: "does not say `\"jsonrpc\":\"2.0\"`", does: "reads its messages all the same", says: `Its messages do not say "jsonrpc":"2.0"`,
			script: answering("tools/call go", `{"id":$ID,"result":{"content":[]}}`)},
		{name: "answers under an id that was never used", does: "passes over the answer; the call waits until the client withdraws it", says: "it answers nothing that was asked",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}`),
			act:    func(t *testing.T, c *capable) { c.giveUp("tools/call", useOf("bad", "go")) }},
		{name: "answers a call twice", does: "takes the first answer", says: "It answered a request that is no longer open", script: answering("tools/call go", okay, okay)},
		{name: "answers with a result and an error", does: "takes the error", says: "It answered with a result and an error",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"both"}}`), act: fails("both (code 1)")},
		{name: "answers with neither", does: "fails the call", says: "It answered with neither result nor error",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID}`), act: fails("neither result nor error")},
		{name: "answers with a result that is no object", does: "fails the call", says: "It answered with a result that is no object",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID,"result":[7]}`), act: fails("no object")},
		{name: "answers with more than 64 MiB", does: "fails the call", says: "Message from the server skipped",
			script: with(func(s *fakeserver.Script) {
				s.Fill = 65 << 20
				s.RawAnswers = map[string][]string{"tools/call go": {`{"jsonrpc":"2.0","id":$ID,"result":{"x":"$FILL"}}`}}
			}), act: fails("larger than 64 MiB")},
		{name: "writes what is no JSON, and arrays of it", does: "passes over it", says: "Stray message from the server",
			script: answering("tools/call go", "{", "\x00\x1b[2J", `[1,{"id":`, `[[],{},7]`, `"x"`, okay)},
		{name: "writes text that is not UTF-8", does: "puts U+FFFD in place of the wrong bytes", says: "It writes text that is not valid UTF-8",
			script: answering("tools/call go", `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"a$BYTES"}]}}`)},
		{name: "never reads what it is sent", does: "waits for it no longer than for one that does not answer", says: "Its resources are left out: the server has not answered 'resources/list' yet",
			script: with(func(s *fakeserver.Script) { s.Hang = "reading" }), act: nothing},

		// Its requests.
		{name: "makes a request with an object as its id", does: "passes over it", says: `"id" must be a string or a number`, script: saying(1, `{"jsonrpc":"2.0","id":{"a":1},"method":"roots/list"}`)},
		{name: "makes a request with an id of 2 kB", does: "passes over it", says: "its id is too long",
			script: with(func(s *fakeserver.Script) {
				s.Fill, s.SayOn = 2000, map[string][]string{"tools/call go": {`{"jsonrpc":"2.0","id":"$FILL","method":"roots/list"}`}}
			})},
		{name: "makes two requests with the same id", does: "refuses the second", says: "another request with this id is not answered yet", mute: muteOn("roots/list"), askLimit: time.Second,
			script: saying(2, `{"jsonrpc":"2.0","id":"same","method":"roots/list"}`)},
		{name: "makes 40 requests at once", does: "refuses all but 32", says: "32 requests are not answered yet", mute: muteOn("roots/list"), askLimit: time.Second,
			script: saying(40, `{"jsonrpc":"2.0","id":"$N","method":"roots/list"}`)},
		{name: "asks for sampling in a loop", does: "answers 20 and then one a second", says: "It asks for 'sampling/createMessage' too often; it may 20 times at once, and then 1 times a second",
			script: asks("sampling/createMessage", `{"messages":[]}`, 200),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("sampling/createMessage"); n < 20 || n > 180 {
					t.Errorf("the client was asked %d times", n)
				}
			}},
		{name: "asks for the roots in a loop", does: "answers 100 and then 10 a second", says: "It asks for 'roots/list' too often", script: asks("roots/list", `{}`, 500)},
		{name: "asks for an elicitation that nobody answers", does: "waits as long as the table below says, and withdraws it", says: "The AI app did not answer elicitation/create: the AI app did not answer within 300ms",
			script: asks("elicitation/create", `{"message":"?","requestedSchema":{"type":"object"}}`, 1), mute: muteOn("elicitation/create"), askLimit: 300 * time.Millisecond},
		{name: "sends the person to `javascript:`, or any page that is not on the web", does: "refuses", says: "url must begin with https:// or http://",
			script: asks("elicitation/create", `{"mode":"url","message":"?","elicitationId":"1","url":"javascript:alert(1)"}`, 1),
			then: func(t *testing.T, c *capable, _ string) {
				if c.seen("elicitation/create") > 0 {
					t.Error("the client was asked")
				}
			}},
		{name: "asks with params that are 9,000 levels deep", does: "refuses", says: "params that are nested deeper than 100 levels",
			script: with(func(s *fakeserver.Script) {
				s.Deep, s.SayOn = 9000, map[string][]string{"tools/call go": {`{"jsonrpc":"2.0","id":"deep","method":"sampling/createMessage","params":{"x":"$DEEP"}}`}}
			})},
		{name: "makes a request of a notification", does: "refuses", says: "The AI app did not answer notifications/message: method 'notifications/message' is not supported",
			script: saying(1, `{"jsonrpc":"2.0","id":"n","method":"notifications/message","params":{"level":"info","data":1}}`)},
		{name: "makes a notification of a request", does: "passes over it", says: "It sends notifications that go nowhere, such as 'sampling/createMessage'",
			script: saying(1, `{"jsonrpc":"2.0","method":"sampling/createMessage","params":{}}`)},
		{name: "sends 5,000 pings", does: "answers as long as the server reads", says: "", script: saying(5000, `{"jsonrpc":"2.0","id":$N,"method":"ping"}`)},

		// Its notifications.
		{name: "sends 20,000 messages for the log", does: "passes on 2,000 and then 500 a second", says: "It sends too many notifications; 500 a second are passed on",
			script: saying(20_000, notice+`message","params":{"level":"error","data":$N}}`),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("notifications/message"); n < 2000 || n > 19_000 {
					t.Errorf("the client got %d messages", n)
				}
			}},
		{name: "sends a message of 5 MB", does: "passes over it", says: "It sent a notification 'notifications/message' of",
			script: with(func(s *fakeserver.Script) {
				s.Fill, s.SayOn = 5<<20, map[string][]string{"tools/call go": {notice + `message","params":{"level":"error","data":"$FILL"}}`}}
			})},
		{name: "sends a message that is 9,000 levels deep", does: "passes over it", says: "It sent a notification 'notifications/message' that is nested deeper than 100 levels",
			script: with(func(s *fakeserver.Script) {
				s.Deep, s.SayOn = 9000, map[string][]string{"tools/call go": {notice + `message","params":{"level":"error","data":"$DEEP"}}`}}
			})},
		{name: "tells 20,000 times of the progress of one call", does: "passes on 2,000 and then 500 a second", says: "It sends too many notifications", script: with(func(s *fakeserver.Script) { s.Progress = 20_000 })},
		{name: "reports progress of a request that nobody made", does: "passes over it", says: "It reports progress of a request that nobody made",
			script: saying(2, notice+`progress","params":{"progressToken":"nope","progress":1}}`, notice+`progress","params":{"progressToken":{},"progress":1}}`)},
		{name: "reports updates that nobody has subscribed to", does: "passes over them", says: "It reports updates of resources that nobody subscribed to", script: saying(2, notice+`resources/updated","params":{"uri":"a:1"}}`)},
		{name: "tells of updates of 50,000 parts of what somebody has subscribed to", does: "tells of 1,000 each 50 ms", says: "Updates of resources come faster than the client can be told",
			script: saying(50_000, notice+`resources/updated","params":{"uri":"base:/$N"}}`),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("resources/subscribe", `{"uri":"base:"}`); m.Error != nil {
					t.Error(string(m.Error))
				}
				c.use("bad", "go")
			}},
		{name: "says whenever it lists something that its lists have changed", does: "lists them less and less often", says: "It says again and again that its lists have changed",
			script: with(func(s *fakeserver.Script) {
				changed := []string{notice + `tools/list_changed"}`, notice + `prompts/list_changed"}`, notice + `resources/list_changed"}`}
				s.Times, s.SayOn = 10, map[string][]string{"tools/list": changed, "prompts/list": changed, "resources/list": changed}
			}),
			then: func(t *testing.T, c *capable, _ string) {
				if n := c.seen("notifications/resources/list_changed"); n > 20 {
					t.Errorf("the client was told %d times", n)
				}
			}},
		{name: "has other tools and prompts whenever it lists them, and other faults in them", does: "lists them less and less often, and logs 20 faults of each list", says: "More is wrong with its tools",
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
				for line, most := range map[string]int{`msg="A tool was set aside"`: 20, `msg="A list of the server is wrong"`: 22} {
					if n := strings.Count(c.log.text(), line); n > most {
						t.Errorf("%d lines have %s", n, line)
					}
				}
				if n := c.seen("notifications/tools/list_changed"); n > 20 {
					t.Errorf("the client was told %d times", n)
				}
			}},

		// Its lists.
		{name: "has pages of resources without end", does: "reads 1,000 pages", says: "the list of resources was cut off after 1000 pages",
			script: having("resources/list", `{"resources":[{"uri":"p:$N","name":"p"}],"nextCursor":"$N"}`, nil), act: nothing},
		{name: "repeats its cursor", does: "stops there", says: "the server repeats its cursor", script: having("prompts/list", `{"prompts":[{"name":"p$N"}],"nextCursor":"x"}`, nil), act: nothing},
		{name: "has a list that is an object", does: "leaves it out", says: "Its prompts are left out: the server's answer to 'prompts/list' cannot be used: its list of prompts is no list",
			script: having("prompts/list", `{"prompts":{"name":"p"}}`, nil), act: nothing},
		{name: "does not answer `resources/list`", does: "waits 2 s, once", says: "Its resources are left out: the server has not answered 'resources/list' yet", script: answering("resources/list"), act: nothing},
		{name: "has a prompt whose name has 2 MB", does: "sets it aside", says: "the prompt was set aside: it has 2", script: having("prompts/list", `{"prompts":[{"name":"$FILL"}]}`, func(s *fakeserver.Script) { s.Fill = 2 << 20 }), act: nothing},
		{name: "has a resource whose URI has 100 kB", does: "sets it aside", says: "its uri has 100000 bytes, more than 8192",
			script: having("resources/list", `{"resources":[{"uri":"$FILL","name":"long"}]}`, func(s *fakeserver.Script) { s.Fill = 100_000 }), act: nothing},
		{name: "has a prompt that is 9,000 levels deep", does: "sets it aside", says: "it is nested deeper than 100 levels",
			script: having("prompts/list", `{"prompts":[{"name":"deep","_meta":{"x":"$DEEP"}}]}`, func(s *fakeserver.Script) { s.Deep = 9000 }), act: nothing},
		{name: "has a tool that is 9,000 levels deep", does: "sets it aside", says: "it is nested deeper than 100 levels",
			script: having("tools/list", `{"tools":[{"name":"deep","inputSchema":{"type":"object","x":"$DEEP"}}]}`, func(s *fakeserver.Script) { s.Deep = 9000 }), act: nothing},
		{name: "has names with NUL, escapes and wrong bytes", does: "offers them under clean names", says: "It writes text that is not valid UTF-8",
			script: having("prompts/list", `{"prompts":[{"name":"a\u0000\u001b[31m$BYTES"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("prompts/list", `{}`); !strings.Contains(string(m.Result), `"name":"dev__bad__a___31m`) {
					t.Errorf("%s", m.Result)
				}
			}},
		{name: "has prompts that have the same name once cleaned", does: "tells them apart by a hash", says: "", script: having("prompts/list", `{"prompts":[{"name":"a b"},{"name":"a.b"},{"name":"a_b"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				result := string(c.ask("prompts/list", `{}`).Result)
				for _, part := range []string{`"dev__bad__a_b"`, `"dev__bad__a_b_`} {
					if !strings.Contains(result, part) {
						t.Errorf("%s lacks %s", result, part)
					}
				}
			}},
		{name: "has resources of another server", does: "gives both an address of ours", says: "", script: having("resources/list", `{"resources":[{"uri":"a:1","name":"mine"}]}`, nil),
			act: func(t *testing.T, c *capable) {
				if result := string(c.ask("resources/list", `{}`).Result); !strings.Contains(result, `"workbench://from/dev/bad/a:1"`) || !strings.Contains(result, `"workbench://from/dev/good/a:1"`) {
					t.Error(result)
				}
			}},
		{name: "has a template that no regular expression can be made of", does: "lists it and compares nothing with it", says: "cannot be compared with URIs",
			script: having("resources/templates/list", `{"resourceTemplates":[{"name":"t","uriTemplate":"f{`+strings.Repeat("a,", 1100)+`a}"},{"name":"u","uriTemplate":"fa{"}]}`, nil), act: nothing},
		{name: "has a template that fits any URI", does: "prefers those that say how the URI begins", says: "",
			script: having("resources/templates/list", `{"resourceTemplates":[{"name":"all","uriTemplate":"{+all}"}]}`, func(s *fakeserver.Script) {
				s.Answers["resources/read t:7"] = json.RawMessage(`{"contents":[{"uri":"t:7","text":"BAD"}]}`)
			}), act: nothing},

		// Its answers.
		{name: "answers `resources/read` with nonsense", does: "asks the others", says: "Its answer to resources/read has no list of contents", script: having("resources/read", `{"contents":7}`, nil), act: nothing},
		{name: "does not answer `resources/read`", does: "waits 3 s, and asks the others first from then on", says: "It did not answer resources/read within 3s", script: answering("resources/read"), act: nothing},
		{name: "does not answer `logging/setLevel`", does: "waits 2 s, once", says: "",
			script: answering("logging/setLevel"), act: nothing},
		{name: "does not answer `tasks/list`", does: "waits 3 s, and asks again after 90 s", says: "Its tasks are left out: context deadline exceeded", script: answering("tasks/list"), act: nothing},
		{name: "completes with 10 MB", does: "passes the answer on to who asked", says: "",
			script: having("completion/complete", `{"completion":{"values":["$FILL"]}}`, func(s *fakeserver.Script) {
				s.Fill, s.Answers["prompts/list"] = 10<<20, json.RawMessage(`{"prompts":[{"name":"p"}]}`)
			}),
			act: func(t *testing.T, c *capable) {
				if m := c.ask("completion/complete", `{"ref":{"type":"ref/prompt","name":"dev__bad__p"},"argument":{"name":"n","value":""}}`); len(m.Result) < 10<<20 {
					t.Errorf("%.200s %s", m.Result, m.Error)
				}
			}},
		{name: "says that another server's task is its own", does: "passes over it", says: "It tells of tasks that are not its own",
			script: having("tasks/list", `{"tasks":[{"taskId":"task-1","status":"failed"}]}`, func(s *fakeserver.Script) {
				s.SayOn = map[string][]string{"tools/call go": {notice + `tasks/status","params":{"taskId":"task-1","status":"failed"}}`}}
			}),
			act: func(t *testing.T, c *capable) {
				c.ask("tools/call", `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"good","tool":"long"},"arguments":{}},"task":{}}`)
				c.use("bad", "go")
				if m := c.ask("tasks/list", `{}`); strings.Contains(string(m.Result), "failed") || c.seen("notifications/tasks/status") > 0 {
					t.Errorf("the client was told: %s", m.Result)
				}
				if m := c.ask("tasks/get", `{"taskId":"task-1"}`); !strings.Contains(string(m.Result), "working") {
					t.Errorf("the good server's task: %s %s", m.Result, m.Error)
				}
			}},
		{name: "has a task that never ends", does: "waits until the client withdraws the call, and cancels the task", says: "",
			script: with(func(s *fakeserver.Script) {
				s.Tools = []json.RawMessage{json.RawMessage(`{"name":"go","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`)}
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
					t.Errorf("the server heard\n%s", heard)
				}
			}},
	}
}
