package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// forgetful is a web server with one session at a time, which it forgets when it is told to. It counts how
// often each call ran.
type forgetful struct {
	mu         sync.Mutex
	generation int
	ran        map[string]int
	subscribed map[string]int // the session in which a resource was subscribed to
}

func (f *forgetful) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.generation++
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var message struct {
		ID     json.RawMessage
		Method string
		Params struct {
			URI       string
			Arguments struct{ Name string }
		}
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&message) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	session := fmt.Sprintf("S%d", f.generation)
	say := func(result string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, message.ID, result)
	}
	if message.Method == "initialize" {
		w.Header().Set("Mcp-Session-Id", session)
		say(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}`)
		return
	}
	if r.Header.Get("Mcp-Session-Id") != session {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
		return
	}
	switch message.Method {
	case "tools/list":
		say(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		f.ran[message.Params.Arguments.Name]++
		say(`{"content":[{"type":"text","text":"` + session + `"}]}`)
	case "resources/list":
		say(`{"resources":[{"uri":"x://r","name":"r"}]}`)
	case "resources/read":
		f.ran[message.Params.URI]++
		say(`{"contents":[{"uri":"x://r","text":"` + session + `"}]}`)
	case "resources/subscribe":
		f.subscribed[message.Params.URI] = f.generation
		say(`{}`)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// TestForgottenSession: when a remote server has forgotten its session, all calls and requests that it
// refuses are made in a new one, each once, and subscriptions are renewed.
func TestForgottenSession(t *testing.T) {
	server := &forgetful{ran: map[string]int{}, subscribed: map[string]int{}}
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	m := newManager(t, oneToolbox("box", &config.Server{Name: "far", Transport: config.TransportHTTP, URL: web.URL}),
		Options{})
	open(t, m, "box")
	if err := m.Resources.Subscribe(t.Context(), "x://r"); err != nil {
		t.Fatal(err)
	}
	id := ToolID{"box", "far", "t"}
	call := func(name string) {
		result, err := m.Call(t.Context(), id, downstream.Call{Arguments: json.RawMessage(`{"name":"` + name + `"}`)})
		if err != nil {
			t.Errorf("the call %s gave %s, %v", name, result, err)
		}
	}
	call("before")
	for round := range 3 {
		server.restart()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() { call(fmt.Sprint(round, "-", i)) })
		}
		all.Wait()
	}
	server.restart()
	if result, err := m.Resources.Read(t.Context(), "x://r", downstream.Call{}, func(ServerID) {}); err != nil {
		t.Errorf("reading gave %s, %v", result, err)
	}
	server.restart()
	if err := m.Resources.Subscribe(t.Context(), "x://r"); err != nil {
		t.Errorf("subscribing gave %v", err)
	}
	server.restart()
	call("after")
	eventually(t, func() error {
		server.mu.Lock()
		defer server.mu.Unlock()
		if got := server.subscribed["x://r"]; got != server.generation {
			return fmt.Errorf("the subscription is of session %d, not %d", got, server.generation)
		}
		return nil
	})
	server.mu.Lock()
	defer server.mu.Unlock()
	for name, times := range server.ran {
		if times != 1 {
			t.Errorf("%s ran %d times", name, times)
		}
	}
	if len(server.ran) != 1+3*8+2 {
		t.Errorf("%d calls ran", len(server.ran))
	}
}

// TestServerThatForgetsAtOnce: a call that a server refuses in each new session is made twice, and then fails
// with the server's own words.
func TestServerThatForgetsAtOnce(t *testing.T) {
	server := &forgetful{ran: map[string]int{}, subscribed: map[string]int{}}
	var refused atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("tools/call")) {
			refused.Add(1)
			http.Error(w, "Session not found on node 3", http.StatusNotFound)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	m := newManager(t, oneToolbox("box", &config.Server{Name: "far", Transport: config.TransportHTTP, URL: web.URL}),
		Options{})
	open(t, m, "box")
	_, err := m.Call(t.Context(), ToolID{"box", "far", "t"}, downstream.Call{})
	if err == nil || !strings.Contains(err.Error(),
		"has ended the session; the server says: Session not found on node 3") {
		t.Errorf("the call gave %v", err)
	}
	if refused.Load() != 2 {
		t.Errorf("the call was made %d times", refused.Load())
	}
}

// TestRemoteServerIsRestarted: a remote server of either era that was away, and is there again, is connected again by
// the next call.
func TestRemoteServerIsRestarted(t *testing.T) {
	for era, greeting := range map[string]string{
		"older":  `"initialize":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
		"modern": `"server/discover":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
	} {
		t.Run(era, func(t *testing.T) {
			answers := map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(`{`+greeting+
				`,"tools/list":{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}]},"tools/call":{"resultType":"complete","content":[]}}`), &answers); err != nil {
				t.Fatal(err)
			}
			var ran atomic.Int64
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var message struct {
					ID     json.RawMessage
					Method string
				}
				if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&message) != nil {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				switch answer, ok := answers[message.Method]; {
				case message.ID == nil:
					w.WriteHeader(http.StatusAccepted)
				case !ok:
					w.WriteHeader(http.StatusNotFound)
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, message.ID)
				default:
					if message.Method == "tools/call" {
						ran.Add(1)
					}
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, message.ID, answer)
				}
			})
			web := httptest.NewServer(handler)
			m := newManager(t, oneToolbox("box", &config.Server{Name: "far", Transport: config.TransportHTTP, URL: web.URL}),
				Options{})
			open(t, m, "box")
			call := func() error {
				_, err := m.Call(t.Context(), ToolID{"box", "far", "t"}, downstream.Call{})
				return err
			}
			if err := call(); err != nil {
				t.Fatal(err)
			}
			address := web.Listener.Addr().String()
			web.CloseClientConnections()
			web.Close()
			if err := call(); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
				t.Errorf("while it is away, the call gave %v", err)
			}
			listener, err := net.Listen("tcp", address)
			if err != nil {
				t.Skip("another program has taken the port:", err)
			}
			again := httptest.NewUnstartedServer(handler)
			_ = again.Listener.Close()
			again.Listener = listener
			again.Start()
			t.Cleanup(again.Close)
			if err := call(); err != nil || ran.Load() != 2 {
				t.Errorf("afterwards, the call gave %v; %d calls ran", err, ran.Load())
			}
		})
	}
}
