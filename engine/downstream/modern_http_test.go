package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// modernWeb is a web server that speaks only 2026-07-28. Its answers may be streams.
type modernWeb struct {
	tools   string
	call    func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message)
	refuse  func(w http.ResponseWriter, m jsonrpc.Message) // its answer to initialize
	streams atomic.Int32                                   // the open streams

	mu    sync.Mutex
	heard []string // the method and the MCP headers of each request
}

func (web *modernWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m, _ := jsonrpc.Parse(body)
	said := r.Method + " " + m.Method
	for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Mcp-Param-Region",
		"Mcp-Param-Count", "Mcp-Param-Deep", "Mcp-Param-Flag"} {
		if values := r.Header.Values(name); len(values) > 0 {
			said += fmt.Sprintf(" %s=%s", strings.TrimPrefix(name, "Mcp-"), strings.Join(values, "|"))
		}
	}
	web.mu.Lock()
	web.heard = append(web.heard, said)
	web.mu.Unlock()
	switch m.Method {
	case "initialize":
		w.Header().Set("Content-Type", "application/json")
		web.refuse(w, m)
	case "server/discover":
		say(w, m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}},"serverInfo":{"name":"web","version":"1"}}`)
	case "tools/list":
		say(w, m.ID, `{"resultType":"complete","tools":`+web.tools+`}`)
	case "tools/call":
		web.call(w, r, m)
	case "subscriptions/listen":
		web.streams.Add(1)
		defer web.streams.Add(-1)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s},\"notifications\":%s}}\n\n",
			m.ID, jsonrpc.Lookup(m.Params, "notifications"))
		if strings.Contains(string(body), "resourceSubscriptions") {
			fmt.Fprintf(w, ": still here\n\ndata: "+
				"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s},\"uri\":\"a:1\"}}\n\n", m.ID)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found","data":{"n":12345678901234567890}}}`, m.ID)
	}
}

// refusal returns a handler that answers with a status and a JSON-RPC error.
func refusal(status int, failure string) func(http.ResponseWriter, jsonrpc.Message) {
	return func(w http.ResponseWriter, m jsonrpc.Message) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, failure)
	}
}

func TestModernRemote(t *testing.T) {
	tool := func(name, properties string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":` + properties + `}}`
	}
	cancelled := make(chan bool, 1)
	web := &modernWeb{
		refuse: refusal(http.StatusBadRequest, `{"code":-32020,"message":"Mcp-Protocol-Version is missing"}`),
		tools: "[" + strings.Join([]string{
			tool("héllo", `{"region":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"Count"},
				"deep":{"type":"object","properties":{"er":{"type":["string","null"],"x-mcp-header":"Deep"}}},"flag":{"type":"boolean","x-mcp-header":"Flag"},"x-mcp-header":{"type":"number"}}`),
			tool("wait", `{}`),
			tool("bad", `{"a":{"type":"number","x-mcp-header":"A"}}`),
			tool("hidden", `{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}`),
			tool("twice", `{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}`),
			tool("null", `{"a":{"type":"null","x-mcp-header":"A"}}`),
			tool("odd", `{"a":{"type":"string","x-mcp-header":"A:\r\nB"}}`),
		}, ",") + "]",
		call: func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) {
			if string(jsonrpc.Lookup(m.Params, "name")) == `"wait"` {
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				cancelled <- true
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1e0}}\n\n", m.ID)
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n",
				m.ID)
		},
	}
	heard := make(chan string, 10)
	o := remoteOptions(config.TransportHTTP, answering(t, web.ServeHTTP))
	o.OnNotification = func(method string, params json.RawMessage) { heard <- method + " " + string(params) }
	s := connect(t, o)
	if names(s) != "héllo wait" || len(s.Info().Diagnostics) != 5 || s.Info().Name != "web" {
		t.Errorf("%s: the tools are %q; %v", s.Info().Name, names(s), s.Info().Diagnostics)
	}
	progress := ""
	_, err := s.Call(t.Context(), Call{Tool: "héllo",
		Arguments: json.RawMessage(`{"region":" ü","count":42.0,"deep":{"er":"=?base64?x?="},"flag":null}`),
		Progress:  func(params json.RawMessage) { progress += string(params) }})
	if err != nil || !strings.Contains(progress, `"progress":1e0`) {
		t.Errorf("%v, progress %s", err, progress)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := s.Call(ctx, Call{Tool: "wait"}); ended <- err }()
	await(t, "the call", func() bool {
		web.mu.Lock()
		defer web.mu.Unlock()
		return strings.Contains(strings.Join(web.heard, "\n"), "Name=wait")
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-cancelled
	if err := s.Subscribe(t.Context(), "a:1"); err != nil {
		t.Error(err)
	}
	if told := <-heard; told != `notifications/resources/updated {"uri":"a:1"}` {
		t.Errorf("received %s", told)
	}
	await(t, "both streams", func() bool { return web.streams.Load() == 2 })
	if err := s.Unsubscribe(t.Context(), "a:1"); err != nil {
		t.Error(err)
	}
	await(t, "the end of a stream", func() bool { return web.streams.Load() == 1 })
	var refused *RPCError
	if _, err := s.Call(t.Context(), Call{Method: "completion/complete"}); !errors.As(err, &refused) ||
		refused.Code != jsonrpc.CodeMethodNotFound || string(refused.Data) != `{"n":12345678901234567890}` {
		t.Errorf("an unknown method gave %v", err)
	}
	web.mu.Lock()
	defer web.mu.Unlock()
	var said []string
	for _, line := range web.heard {
		if !strings.Contains(line, "subscriptions/listen") {
			said = append(said, line)
		}
	}
	const version = " Protocol-Version=2026-07-28 Method="
	if diff := cmp.Diff([]string{
		"POST initialize Method=initialize",
		"POST server/discover" + version + "server/discover",
		"POST tools/list" + version + "tools/list",
		"POST tools/call" + version + "tools/call Name==?base64?aMOpbGxv?= Param-Region==?base64?IMO8?= Param-Count=42 " +
			"Param-Deep==?base64?PT9iYXNlNjQ/eD89?=",
		"POST tools/call" + version + "tools/call Name=wait",
		"POST completion/complete" + version + "completion/complete",
	}, said); diff != "" {
		t.Errorf("the server received (-want +got)\n%s", diff)
	}
}

// TestModernRemoteThatRefusesInitialize: however a web server of the modern era refuses initialize,
// server/discover is sent to it.
func TestModernRemoteThatRefusesInitialize(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter, jsonrpc.Message){
		"for the version": refusal(http.StatusBadRequest,
			`{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`),
		"as an unknown method": refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`),
		"with status 200":      refusal(http.StatusOK, `{"code":-32601,"message":"no"}`),
		"without a JSON-RPC error": func(w http.ResponseWriter, _ jsonrpc.Message) {
			http.Error(w, "no", http.StatusBadRequest)
		},
		"with another error": refusal(http.StatusBadRequest, `{"code":-32600,"message":"no"}`),
		"with an empty result": func(w http.ResponseWriter, m jsonrpc.Message) {
			say(w, m.ID, `{"resultType":"complete"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			web := &modernWeb{tools: "[]", refuse: refuse}
			if s := connect(t, remoteOptions(config.TransportHTTP,
				answering(t, web.ServeHTTP))); s.Info().ProtocolVersion != "2026-07-28" {
				t.Errorf("the version is %s", s.Info().ProtocolVersion)
			}
		})
	}
}

// TestModernRemoteThatWantsASignIn: some servers check the version before the sign-in.
func TestModernRemoteThatWantsASignIn(t *testing.T) {
	_, err := Connect(t.Context(),
		remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Protocol-Version") == "" {
				refusal(http.StatusBadRequest, `{"code":-32020,"message":"Mcp-Protocol-Version is missing"}`)(w,
					jsonrpc.Message{ID: json.RawMessage("1")})
				return
			}
			w.WriteHeader(http.StatusUnauthorized)
		})))
	if !errors.Is(err, ErrSignIn) {
		t.Errorf("the error is %v", err)
	}
}

// TestRemoteThatChangesItsEra: a server that has changed its era ends the connection, so that the next
// connection finds the new one.
func TestRemoteThatChangesItsEra(t *testing.T) {
	s := connect(t, remoteOptions(config.TransportHTTP,
		answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				w.Header().Set("Content-Type", "application/json")
				refusal(http.StatusBadRequest,
					`{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}`)(w,
					jsonrpc.Message{ID: id})
			},
		}))))
	if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrStopped) {
		t.Errorf("the call gave %v", err)
	}
	web := &modernWeb{tools: "[]", refuse: refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`),
		call: func(w http.ResponseWriter, _ *http.Request, m jsonrpc.Message) {
			w.Header().Set("Content-Type", "application/json")
			refusal(http.StatusBadRequest, `{"code":-32000,"message":"Bad Request: Server not initialized"}`)(w, m)
		}}
	s = connect(t, remoteOptions(config.TransportHTTP, answering(t, web.ServeHTTP)))
	if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrStopped) {
		t.Errorf("the call gave %v", err)
	}
}

// TestModernRemoteWantsOtherHeaders: a call whose headers a server refuses is repeated with the headers that
// the tool requires now.
func TestModernRemoteWantsOtherHeaders(t *testing.T) {
	web := &modernWeb{tools: `[{"name":"t","inputSchema":{"type":"object"}}]`,
		refuse: refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`)}
	web.call = func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) {
		if r.Header.Get("Mcp-Param-Region") == "here" {
			say(w, m.ID, `{"content":[]}`)
			return
		}
		web.tools = `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Region"}}}}]`
		w.Header().Set("Content-Type", "application/json")
		refusal(http.StatusBadRequest, `{"code":-32020,"message":"Mcp-Param-Region is missing"}`)(w, m)
	}
	s := connect(t, remoteOptions(config.TransportHTTP, answering(t, web.ServeHTTP)))
	if _, err := s.Call(t.Context(), Call{Tool: "t", Arguments: json.RawMessage(`{"a":"here"}`)}); err != nil {
		t.Errorf("the call gave %v", err)
	}
	var refused *RPCError
	if _, err := s.Call(t.Context(), Call{Tool: "t", Arguments: json.RawMessage(`{"a":"there"}`)}); !errors.As(err,
		&refused) || refused.Code != jsonrpc.CodeHeaderMismatch {
		t.Errorf("a call that is always refused gave %v", err)
	}
}

// TestCancelledCallWaitsForNoList: a call whose headers are refused waits for the new list of tools, but not after it
// was cancelled.
func TestCancelledCallWaitsForNoList(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	web := &modernWeb{tools: `[{"name":"t","inputSchema":{"type":"object"}}]`,
		refuse: refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`)}
	web.call = func(w http.ResponseWriter, _ *http.Request, m jsonrpc.Message) {
		w.Header().Set("Content-Type", "application/json")
		refusal(http.StatusBadRequest, `{"code":-32020,"message":"Mcp-Param-Region is missing"}`)(w, m)
	}
	first := true
	s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if message, err := jsonrpc.Parse(bytes.Clone(body)); err == nil && message.Method == "tools/list" {
			if !first { // the second list never comes
				cancel()
				<-r.Context().Done()
				return
			}
			first = false
		}
		web.ServeHTTP(w, r)
	})))
	if _, err := s.Call(ctx, Call{Tool: "t", Arguments: json.RawMessage(`{"a":"here"}`)}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("the call gave %v", err)
	}
}

// TestPreferModernOverHTTP: however a web server of the older era refuses server/discover, it is used as
// before.
func TestPreferModernOverHTTP(t *testing.T) {
	for _, status := range []int{200, 400, 404, 405, 406, 500, 501} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			for _, body := range []string{"no",
				`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`} {
				if status == http.StatusOK && body == "no" {
					body = ""
				}
				o := remoteOptions(config.TransportHTTP,
					answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
						"server/discover": func(w http.ResponseWriter, _ json.RawMessage) {
							w.Header().Set("Content-Type", "application/json")
							w.WriteHeader(status)
							fmt.Fprint(w, body)
						},
					})))
				o.PreferModern = true
				if s := connect(t, o); s.Info().Modern || names(s) != "t" {
					t.Errorf("%v, %s", s.Info().Modern, names(s))
				}
			}
		})
	}
	web := &modernWeb{tools: "[]"}
	o := remoteOptions(config.TransportHTTP, answering(t, web.ServeHTTP))
	o.PreferModern = true
	s := connect(t, o)
	web.mu.Lock()
	defer web.mu.Unlock()
	if !s.Info().Modern || len(web.heard) == 0 || !strings.HasPrefix(web.heard[0], "POST server/discover") {
		t.Errorf("%v, %v", s.Info().Modern, web.heard)
	}
}

// TestModernRemoteThatTakesItsRefusalBack: a server that refuses a version, but names it among those that it
// speaks, is asked once more.
func TestModernRemoteThatTakesItsRefusalBack(t *testing.T) {
	for _, times := range []int32{1, 2} {
		web := &modernWeb{tools: "[]", refuse: refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`)}
		var asked atomic.Int32
		o := remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) <= times {
				w.Header().Set("Content-Type", "application/json")
				refusal(http.StatusBadRequest, `{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`)(w,
					jsonrpc.Message{ID: json.RawMessage("1")})
				return
			}
			web.ServeHTTP(w, r)
		}))
		o.PreferModern = true
		if s := connect(t, o); !s.Info().Modern {
			t.Errorf("after %d refusals the version is %s", times, s.Info().ProtocolVersion)
		}
	}
}
