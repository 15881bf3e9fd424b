package downstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// forgetful is a server with sessions that forgets all of them when it is told to.
type forgetful struct {
	refuse func(w http.ResponseWriter, id json.RawMessage) // refuses a request of a forgotten session
	call   func(w http.ResponseWriter, id json.RawMessage)

	restarts atomic.Int64
	mu       sync.Mutex
	ran      []string // the session of each call
}

func (f *forgetful) session() string { return fmt.Sprintf("S%d", f.restarts.Load()) }

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	known := r.Header.Get("Mcp-Session-Id") == f.session()
	guarded := func(answer func(http.ResponseWriter, json.RawMessage)) func(http.ResponseWriter, json.RawMessage) {
		return func(w http.ResponseWriter, id json.RawMessage) {
			if !known {
				f.refuse(w, id)
				return
			}
			answer(w, id)
		}
	}
	scripted(map[string]func(http.ResponseWriter, json.RawMessage){
		"initialize": func(w http.ResponseWriter, id json.RawMessage) {
			w.Header().Set("Mcp-Session-Id", f.session())
			say(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
		},
		"tools/list": guarded(func(w http.ResponseWriter, id json.RawMessage) {
			say(w, id, `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		}),
		"ping": guarded(func(w http.ResponseWriter, id json.RawMessage) { say(w, id, `{}`) }),
		"tools/call": guarded(func(w http.ResponseWriter, id json.RawMessage) {
			f.mu.Lock()
			f.ran = append(f.ran, r.Header.Get("Mcp-Session-Id"))
			f.mu.Unlock()
			if f.call != nil {
				f.call(w, id)
				return
			}
			say(w, id, `{"content":[]}`)
		}),
	})(w, r)
}

// refusing answers with a status and a body, in which %s is the request's id.
func refusing(status int, body string) func(http.ResponseWriter, json.RawMessage) {
	return func(w http.ResponseWriter, id json.RawMessage) {
		switch {
		case strings.HasPrefix(body, "{"):
			w.Header().Set("Content-Type", "application/json")
		case strings.HasPrefix(body, "event:"):
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.WriteHeader(status)
		fmt.Fprint(w, strings.ReplaceAll(body, "%s", string(id)))
	}
}

// TestRemoteForgetsItsSession: servers say in many ways that they do not know a session. The call did not
// run, and the session has ended.
func TestRemoteForgetsItsSession(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter, json.RawMessage){
		"404":        refusing(404, ""),
		"404, plain": refusing(404, "404 page not found"),
		"404, TypeScript SDK": refusing(404,
			`{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`),
		"404, Python SDK": refusing(404,
			`{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`),
		"404, with the id": refusing(404,
			`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Session not found"}}`),
		"404, no JSON-RPC": refusing(404,
			`{"error":{"code":-32000,"message":"Not Found: Unknown Mcp-Session-Id header"}}`),
		"404, in a stream": refusing(404,
			"event: message\ndata: {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32001,\"message\":\"Session not "+
				"found\"},\"id\":null}\n\n"),
		"404, another copy": refusing(404,
			`{"jsonrpc":"2.0","error":{"code":-32001,"message":"MCP session is unknown or expired on this instance"},"id":null}`),
		"410": refusing(410, "gone"),
		"400, no session": refusing(400,
			`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`),
		"400, not initialized": refusing(400,
			`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`),
		"400, plain":     refusing(400, "Invalid session ID"),
		"400, framework": refusing(400, `{"detail":"Session has expired"}`),
		"401, Rust SDK":  refusing(401, "Unauthorized: Session not found"),
		"401":            refusing(401, ""),
		"403":            refusing(403, `{"error":"invalid session"}`),
		"409":            refusing(409, "unknown session"),
		"503": refusing(503,
			`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Unknown session; it may live on another instance"},"id":null}`),
		"503, plain":            refusing(503, "Session not found"),
		"200, an error in JSON": refusing(200, `{"error":"Session not found"}`),
		"200, an error for null": refusing(200,
			`{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`),
		"200, in a stream": refusing(200, "event: message\ndata: {\"error\":\"Session not found\"}\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			server := &forgetful{refuse: refuse}
			s := connect(t, remoteOptions(config.TransportHTTP, answering(t, server.ServeHTTP)))
			server.restarts.Add(1)
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) || !errors.Is(err, ErrStopped) {
				t.Errorf("the call gave %v", err)
			}
			awaitDone(t, s)
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) {
				t.Errorf("a later call gave %v", err)
			}
			if len(server.ran) != 0 {
				t.Errorf("calls ran in %q", server.ran)
			}
		})
	}
}

// TestRemoteForgetsWithoutAWord: a refusal that says nothing about the session may be for another reason, so
// the call is not made again. But if the server answers nothing else either, the session has ended.
func TestRemoteForgetsWithoutAWord(t *testing.T) {
	for _, status := range []int{400, 500, 502, 503} {
		server := &forgetful{refuse: refusing(status, "")}
		s := connect(t, remoteOptions(config.TransportHTTP, answering(t, server.ServeHTTP)))
		server.restarts.Add(1)
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err == nil || errors.Is(err, ErrNotRun) {
			t.Errorf("status %d: the call gave %v", status, err)
		}
		awaitDone(t, s)
	}
}

// TestRemoteFailsInItsSession: an error of a tool is no end of the session, whatever it says.
func TestRemoteFailsInItsSession(t *testing.T) {
	for _, call := range []func(http.ResponseWriter, json.RawMessage){
		refusing(404, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"no such file"}}`),
		refusing(400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"browser session not found"}}`),
		refusing(500, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"database session expired"}}`),
		refusing(200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"session not found"}}`),
		refusing(200, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"error: session not found"}]}}`),
		refusing(500, "it broke"), refusing(503, "too much to do"), refusing(429, "slow down"),
	} {
		server := &forgetful{call: call}
		s := connect(t, remoteOptions(config.TransportHTTP, answering(t, server.ServeHTTP)))
		for range 2 {
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); errors.Is(err, ErrNotRun) || errors.Is(err, ErrStopped) {
				t.Errorf("the call gave %v", err)
			}
		}
		if len(server.ran) != 2 || s.Err() != nil {
			t.Errorf("%d calls ran; the session ended with %v", len(server.ran), s.Err())
		}
	}
}

// TestRemoteForgetsDuringACall: a call that is under way in a session that the server has forgotten still
// gets its answer.
func TestRemoteForgetsDuringACall(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	server := &forgetful{refuse: refusing(404, "")}
	server.call = func(w http.ResponseWriter, id json.RawMessage) {
		close(begun)
		<-release
		say(w, id, `{"content":["late"]}`)
	}
	s := connect(t, remoteOptions(config.TransportHTTP, answering(t, server.ServeHTTP)))
	type outcome struct {
		result []jsonrpc.Member
		err    error
	}
	first := make(chan outcome, 1)
	go func() { result, err := s.Call(t.Context(), Call{Tool: "t"}); first <- outcome{result, err} }()
	<-begun
	server.restarts.Add(1)
	for range 3 {
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) {
			t.Errorf("another call gave %v", err)
		}
	}
	close(release)
	if got := <-first; got.err != nil || whole(got.result) != `{"content":["late"]}` {
		t.Errorf("the call under way gave %s, %v", got.result, got.err)
	}
	awaitDone(t, s)
}

// TestRemoteForgetsAnOldSession: a server of the older transport (SSE) forgets, too.
func TestRemoteForgetsAnOldSession(t *testing.T) {
	var forgot atomic.Bool
	stream := make(chan string, 8)
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: endpoint\ndata: /messages?sessionId=1\n\n")
			for {
				w.(http.Flusher).Flush()
				select {
				case line := <-stream:
					fmt.Fprintf(w, "data: %s\n\n", line)
				case <-r.Context().Done():
					return
				}
			}
		}
		if forgot.Load() {
			http.Error(w, "No transport found for sessionId", http.StatusBadRequest)
			return
		}
		scripted(nil)(recorder{ResponseWriter: w, lines: stream}, r)
	})
	s := connect(t, remoteOptions(config.TransportSSE, address))
	forgot.Store(true)
	if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) {
		t.Errorf("the call gave %v", err)
	}
	awaitDone(t, s)
}

// recorder sends what is written as an event.
type recorder struct {
	http.ResponseWriter
	lines chan<- string
}

func (r recorder) Write(p []byte) (int, error) {
	r.lines <- string(p)
	return len(p), nil
}

// TestRemoteVersions: a server that refuses a version names those that it speaks, in the body of status 400.
func TestRemoteVersions(t *testing.T) {
	const plain = "Bad Request: Unsupported protocol version (supported versions: 2025-03-26, 2024-11-05)"
	rpc := `{"jsonrpc":"2.0","error":{"code":-32000,"message":"` + plain + `"},"id":null}`
	for name, c := range map[string]struct {
		body     string
		begins   bool // initialize is refused, not the requests after it
		unspoken bool
	}{
		"initialize": {rpc, true, false}, "initialize, plain": {plain, true, false},
		"later": {rpc, false, false}, "later, plain": {plain, false, false},
		"later, Python SDK": {`{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Unsupported protocol version: 2025-11-25. Supported versions: 2024-11-05, 2025-03-26"}}`, false, false},
		"none of ours": {strings.NewReplacer("2025-03-26", "2031-01-01", "2024-11-05", "2031-01-02").Replace(rpc),
			false, true},
	} {
		t.Run(name, func(t *testing.T) {
			address := answering(t, func(w http.ResponseWriter, r *http.Request) {
				if version := r.Header.Get("Mcp-Protocol-Version"); !c.begins && version != "" && version != "2025-03-26" {
					refusing(400, c.body)(w, nil)
					return
				}
				var spoken string
				body := readAll(t, r)
				if c.begins && strings.Contains(body, `"initialize"`) && !strings.Contains(body, "2025-03-26") {
					refusing(400, c.body)(w, nil)
					return
				}
				for _, version := range []string{"2025-11-25", "2025-03-26"} {
					if strings.Contains(body, version) {
						spoken = version // it agrees to whatever it is offered
					}
				}
				scripted(map[string]func(http.ResponseWriter,
					json.RawMessage){"initialize": func(w http.ResponseWriter, id json.RawMessage) {
					say(w, id, `{"protocolVersion":"`+spoken+`","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
				}})(w, r)
			})
			s, err := Connect(t.Context(), remoteOptions(config.TransportHTTP, address))
			if c.unspoken {
				if err == nil || !strings.Contains(err.Error(), "2031-01-01") {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close(t.Context())
			if version := s.Info().ProtocolVersion; version != "2025-03-26" {
				t.Errorf("the version is %s", version)
			}
		})
	}
}

// readAll returns the body of a request, which can then be read again.
func readAll(t *testing.T, r *http.Request) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}
