package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestModernServer: a server that speaks only 2026-07-28 is used like any other, and each request has the
// required members.
func TestModernServer(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, fakeserver.Script{
		Modern: true, RequestLog: log, Name: "new", Version: "2", Instructions: "be kind",
		Capabilities: json.RawMessage(`{"tools":{},"logging":{}}`), Progress: 1,
	})
	o.ClientName, o.ClientVersion = "us", "3"
	o.Capabilities = json.RawMessage(
		`{"elicitation":{"form":{}},"tasks":{},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{"n":1.50}}}`)
	s := connect(t, o)
	info := s.Info()
	got := []string{info.Name, info.Version, info.Instructions, info.ProtocolVersion, string(info.Capabilities), names(s)}
	if diff := cmp.Diff([]string{"new", "2", "be kind", "2026-07-28", `{"tools":{},"logging":{}}`, "echo"},
		got); diff != "" {
		t.Errorf("the server (-want +got)\n%s", diff)
	}
	progress := ""
	if err := s.SetLevel(t.Context(), "warning"); err != nil {
		t.Error(err)
	}
	s.Notify("notifications/roots/list_changed", nil)
	result, err := s.Call(t.Context(), Call{
		Tool: "echo", Arguments: json.RawMessage(`{"n":1e400}`), Progress: func(params json.RawMessage) {
			progress += string(params)
		},
		Meta: []jsonrpc.Member{
			{Name: "io.modelcontextprotocol/protocolVersion", Value: json.RawMessage(`"1900-01-01"`)},
			{Name: "traceparent", Value: json.RawMessage(`"x"`)},
		},
	})
	if err != nil || !strings.Contains(whole(result), `"structuredContent":{"n":1e400}`) {
		t.Errorf("%s, %v", result, err)
	}
	if progress != `{"progressToken":4,"progress":1,"total":1}` {
		t.Errorf("progress: %s", progress)
	}
	const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"us","version":"3"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/ui":{"n":1.50}}}`
	if diff := cmp.Diff([]string{
		`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{` + meta + `}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"n":1e400},"_meta":{` + meta +
			`,"io.modelcontextprotocol/logLevel":"warning","progressToken":4,"traceparent":"x"}}}`,
	}, lines(t, log)[1:]); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
}

// TestOlderServerIsNotToldOfTheModernEra: what a client says about itself in the modern era is not passed to
// a server of the older era.
func TestOlderServerIsNotToldOfTheModernEra(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := connect(t, options(t, fakeserver.Script{CallLog: log}))
	if _, err := s.Call(t.Context(),
		Call{Tool: "echo", Meta: []jsonrpc.Member{
			{Name: "io.modelcontextprotocol/clientCapabilities", Value: json.RawMessage("{}")}}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{"name":"echo"}`}, lines(t, log)); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
}

func TestEras(t *testing.T) {
	for _, c := range []struct {
		name    string
		script  fakeserver.Script
		version string // the version that both sides agree on
		err     string
	}{
		{name: "refused for the version", version: "2026-07-28", script: fakeserver.Script{Modern: true,
			InitializeError: json.RawMessage(
				`{"code":-32022,"message":"no","data":{"supported":["2026-07-28","2025-11-25"]}}`)}},
		{name: "refused for its params", version: "2026-07-28", script: fakeserver.Script{Modern: true,
			InitializeError: json.RawMessage(`{"code":-32602,"message":"no _meta"}`)}},
		{name: "initialize says the new version", version: "2026-07-28",
			script: fakeserver.Script{Modern: true, ProtocolVersion: "2026-07-28",
				Initialize: json.RawMessage(`{"protocolVersion":"2026-07-28","capabilities":{}}`)}},
		{name: "initialize says the new version, and nothing else is", version: "2026-07-28",
			script: fakeserver.Script{ProtocolVersion: "2026-07-28"}},
		{name: "both eras", version: "2025-11-25", script: fakeserver.Script{Modern: true,
			Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{}}`),
			Answers:    map[string]json.RawMessage{"tools/list": json.RawMessage(`{"tools":[]}`)}}},
		{name: "an older version only", err: "the server refused 'initialize': no (code -32602)", script: fakeserver.Script{
			InitializeError: json.RawMessage(`{"code":-32602,"message":"no","data":{"supported":["2025-03-26","x"]}}`)}},
		{name: "another future", err: "the server speaks the protocol versions 2031-01-01, and Workbench none of them",
			script: fakeserver.Script{
				InitializeError: json.RawMessage(`{"code":-32022,"message":"no"}`),
				AnswerErrors: map[string]json.RawMessage{
					"server/discover": json.RawMessage(`{"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}}`)}}},
		{name: "discover answers nonsense", err: "does not say which versions", script: fakeserver.Script{
			InitializeError: json.RawMessage(`{"code":-32601,"message":"no"}`),
			Answers:         map[string]json.RawMessage{"server/discover": json.RawMessage(`{"supportedVersions":{"a":1}}`)}}},
		{name: "discover asks for input", err: "doesn't know 'initialize'", script: fakeserver.Script{
			InitializeError: json.RawMessage(`{"code":-32601,"message":"no"}`),
			Answers: map[string]json.RawMessage{
				"server/discover": json.RawMessage(`{"resultType":"input_required","requestState":"x"}`)}}},
		{name: "neither", err: "doesn't know 'initialize'",
			script: fakeserver.Script{InitializeError: json.RawMessage(`{"code":-32601,"message":"no"}`)}},
		{name: "discover is never answered", err: "doesn't know 'initialize'",
			script: fakeserver.Script{InitializeError: json.RawMessage(`{"code":-32601,"message":"no"}`),
				Hang: "server/discover"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, c.script)
			if c.script.Hang != "" {
				o.HandshakeTimeout = 5 * time.Second // a busy machine must be able to start the server within it
			}
			s, err := Connect(t.Context(), o)
			if err != nil {
				if c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Errorf("the error is %v, want %s", err, c.err)
				}
				return
			}
			defer s.Close(context.Background())
			if s.Info().ProtocolVersion != c.version {
				t.Errorf("the version is %s, want %s", s.Info().ProtocolVersion, c.version)
			}
		})
	}
}

// inputs returns a result that asks for input.
func inputs(requests, state string) json.RawMessage {
	text := `{"resultType":"input_required"`
	if requests != "" {
		text += `,"inputRequests":` + requests
	}
	if state != "" {
		text += `,"requestState":` + state
	}
	return json.RawMessage(text + "}")
}

func TestInputRequired(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, fakeserver.Script{Modern: true, CallLog: log, Echo: true,
		Tools: []json.RawMessage{fakeserver.Tool("ask")}, Rounds: map[string][]json.RawMessage{"ask": {
			inputs(`{"a":{"method":"elicitation/create","params":{"n":1e400}},"b":{"method":"roots/list"}}`, `"s\u0074ate"`),
			inputs("", `"more"`),
			inputs(`{"c":{"method":"sampling/createMessage","params":{}}}`, ""),
			json.RawMessage(`{"resultType":"complete","content":[],"n":1e400}`),
		}}})
	type key struct{}
	var mu sync.Mutex
	var asked []string
	both := make(chan bool)
	o.OnRequest = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if ctx.Value(key{}) != "this call" {
			t.Errorf("%s is asked for without the context of the call", method)
		}
		mu.Lock()
		asked = append(asked, method+" "+string(params))
		mu.Unlock()
		switch method { // the first two wait for each other
		case "elicitation/create":
			both <- true
			return json.RawMessage("{\"action\":\n\"accept\"}"), nil
		case "roots/list":
			<-both
			return json.RawMessage(`{"roots":[]}`), nil
		}
		return json.RawMessage(`{"n":1e400}`), nil
	}
	s := connect(t, o)
	ctx := context.WithValue(t.Context(), key{}, "this call")
	result, err := s.Call(ctx, Call{Tool: "ask", Arguments: json.RawMessage(`{"x":1}`),
		Params: []jsonrpc.Member{{Name: "requestState", Value: json.RawMessage(`"not ours"`)}}})
	if err != nil || whole(result) != `{"resultType":"complete","content":[],"n":1e400}` {
		t.Errorf("%s, %v", result, err)
	}
	slices.Sort(asked)
	if diff := cmp.Diff([]string{`elicitation/create {"n":1e400}`, "roots/list ", "sampling/createMessage {}"},
		asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	var brought []string
	for _, params := range lines(t, log) {
		brought = append(brought, params[:strings.Index(params, `,"_meta"`)])
	}
	if diff := cmp.Diff([]string{
		`{"name":"ask","arguments":{"x":1},"requestState":"not ours"`,
		`{"name":"ask","arguments":{"x":1},"inputResponses":{"a":{"action":"accept"},"b":{"roots":[]}},"requestState":"s\u0074ate"`,
		`{"name":"ask","arguments":{"x":1},"requestState":"more"`,
		`{"name":"ask","arguments":{"x":1},"inputResponses":{"c":{"n":1e400}}`,
	}, brought); diff != "" {
		t.Errorf("brought along (-want +got)\n%s", diff)
	}
}

func TestInputRequiredThatFails(t *testing.T) {
	var thousands strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&thousands, `,"k%d":{"method":"roots/list"}`, i)
	}
	one := `{"a":{"method":"elicitation/create","params":{}}}`
	refusal := &RPCError{Code: -1, Message: "the user said no", Data: json.RawMessage("[1]")}
	for _, c := range []struct {
		name   string
		rounds []json.RawMessage
		answer func(context.Context) (json.RawMessage, error)
		want   string
	}{
		{"an error", []json.RawMessage{inputs(one, "")}, func(context.Context) (json.RawMessage, error) {
			return nil, errors.New("odd")
		}, "the server asked for 'elicitation/create': odd"},
		{"a refusal", []json.RawMessage{inputs(one, "")}, func(context.Context) (json.RawMessage, error) {
			return nil, refusal
		}, "the server asked for 'elicitation/create': the user said no (code -1)"},
		{"a panic", []json.RawMessage{inputs(one, "")}, func(context.Context) (json.RawMessage, error) {
			panic("oh")
		}, "oh"},
		{"nobody", []json.RawMessage{inputs(one, "")}, nil, "which this AI app cannot give"},
		{"an unknown method", []json.RawMessage{inputs(`{"a":{"method":"tools/call"}}`, "")}, nil,
			"the server asks for 'tools/call', which no AI app has"},
		{"no method", []json.RawMessage{inputs(`{"a":7}`, "")}, nil, "the server asks for '', which no AI app has"},
		{"thousands", []json.RawMessage{inputs(`{"k":{"method":"roots/list"}`+thousands.String()+"}", "")}, nil,
			"asks for 5001 things at once, more than 32"},
		{"no object", []json.RawMessage{inputs(`[1]`, "")}, nil, "in a way that cannot be read"},
		{"nothing", []json.RawMessage{inputs("", "")}, nil, "does not say which"},
		{"without end", []json.RawMessage{inputs(one, `"x"`)}, func(context.Context) (json.RawMessage, error) {
			return json.RawMessage("{}"), nil
		}, "asked for input 16 times"},
		{"a huge state", []json.RawMessage{inputs("", `"`+strings.Repeat("x", 2<<20)+`"`)}, nil,
			"asks for 2097154 bytes of state to be sent back; the limit is 1 MiB"},
		{"an unknown type", []json.RawMessage{json.RawMessage(`{"resultType":"task","taskId":"1"}`)}, nil,
			"a result of an unknown type 'task'"},
		{"a type that is no string", []json.RawMessage{json.RawMessage(`{"resultType":7}`)}, nil,
			"a result of an unknown type '7'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, fakeserver.Script{Modern: true, Tools: []json.RawMessage{fakeserver.Tool("ask")},
				Rounds: map[string][]json.RawMessage{"ask": c.rounds}})
			if c.answer != nil {
				o.OnRequest = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
					return c.answer(ctx)
				}
			}
			_, err := connect(t, o).Call(t.Context(), Call{Tool: "ask"})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the call gave %v, want %s", err, c.want)
			}
			var got *RPCError
			if c.name == "a refusal" && (!errors.As(err, &got) || got.Code != -1 || string(got.Data) != "[1]") {
				t.Errorf("the refusal became %#v", err)
			}
		})
	}
}

// TestInputRequiredThatNobodyWaitsFor: a question to the user ends with the call, and with the session.
func TestInputRequiredThatNobodyWaitsFor(t *testing.T) {
	o := options(t, fakeserver.Script{Modern: true, Tools: []json.RawMessage{fakeserver.Tool("ask")},
		Rounds: map[string][]json.RawMessage{"ask": {inputs(`{"a":{"method":"elicitation/create","params":{}}}`, "")}}})
	begun := make(chan bool, 1)
	o.OnRequest = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		begun <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s := connect(t, o)
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { _, err := s.Call(ctx, Call{Tool: "ask"}); ended <- err }()
	<-begun
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled call gave %v", err)
	}
	go func() { _, err := s.Call(t.Context(), Call{Tool: "ask"}); ended <- err }()
	<-begun
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("the call gave %v after the end of the session", err)
	}
}

// TestPreferModern: for a client of the modern era, servers of both eras are used in the modern one; all
// others are used as before.
func TestPreferModern(t *testing.T) {
	both := fakeserver.Script{Modern: true,
		Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{}}`)}
	for _, c := range []struct {
		name   string
		script fakeserver.Script
		modern bool
		asked  string
	}{
		{"both eras", both, true, "server/discover tools/list"},
		{"the older era", fakeserver.Script{}, false, "server/discover initialize notifications/initialized tools/list"},
		{"other versions", fakeserver.Script{
			Answers: map[string]json.RawMessage{"server/discover": json.RawMessage(`{"supportedVersions":["2031-01-01"]}`)}},
			false,
			"server/discover initialize notifications/initialized tools/list"},
		{"does not survive it", fakeserver.Script{Exit: "server/discover"}, false,
			"server/discover initialize notifications/initialized tools/list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.script.MethodLog = filepath.Join(t.TempDir(), "methods")
			o := options(t, c.script)
			o.PreferModern = true
			s := connect(t, o)
			if s.Info().Modern != c.modern {
				t.Errorf("used in the modern era: %v", s.Info().Modern)
			}
			// it is sent independently of the rest
			asked := strings.TrimSuffix(strings.Join(lines(t, c.script.MethodLog), " "), " subscriptions/listen")
			if asked != c.asked {
				t.Errorf("the server was asked %q, want %q", asked, c.asked)
			}
			if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPreferModernOfASlowStart: a server of both eras that starts so slowly that initialize is sent meanwhile is used
// in the modern era, and one of the older era in that.
func TestPreferModernOfASlowStart(t *testing.T) {
	for modern, script := range map[bool]fakeserver.Script{
		true:  {Modern: true, Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{}}`)},
		false: {},
	} {
		t.Run(fmt.Sprintf("modern %v", modern), func(t *testing.T) {
			t.Parallel()
			script.StartDelayMs = int(2 * probeTime / time.Millisecond)
			o := options(t, script)
			o.PreferModern, o.HandshakeTimeout = true, patience
			s := connect(t, o)
			if s.Info().Modern != modern {
				t.Errorf("used in the modern era: %v", s.Info().Modern)
			}
			if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCallTakesInput: a caller that handles requests for input gets them unchanged.
func TestCallTakesInput(t *testing.T) {
	want := inputs(`{"a":{"method":"x/y"}}`, `"s"`)
	s := connect(t, options(t, fakeserver.Script{Modern: true, Tools: []json.RawMessage{fakeserver.Tool("ask")},
		Rounds: map[string][]json.RawMessage{"ask": {want}}}))
	result, err := s.Call(t.Context(),
		Call{Tool: "ask", TakesInput: true, Params: []jsonrpc.Member{{Name: "requestState", Value: json.RawMessage(`"r"`)}}})
	if err != nil || whole(result) != string(want) {
		t.Errorf("%s, %v", result, err)
	}
}
