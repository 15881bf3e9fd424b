package downstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// asker is a web server that sends a request to the client during each call, and keeps the client's answers.
type asker struct {
	ask     string        // the line of the request
	posts   string        // where an SSE server takes messages; empty for /messages?s=1
	answers chan string   // bodies of posts that are answers
	lines   chan string   // for the stream of an SSE server
	ended   chan struct{} // closed at the end of the test
}

func (a *asker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		if r.URL.Path != "/sse" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\r\ndata: %s\r\n\r\n: hello\r\nevent: ping\r\ndata: now\r\n\r\n",
			cmp.Or(strings.ReplaceAll(a.posts, "$HOST", r.Host), "/messages?s=1"))
		w.(http.Flusher).Flush()
		for {
			select {
			case line := <-a.lines:
				fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", line)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			case <-a.ended:
				return
			}
		}
	}
	body, _ := io.ReadAll(r.Body)
	message, err := jsonrpc.Parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result := `{}`
	switch message.Method {
	case "":
		a.answers <- string(body)
		w.WriteHeader(http.StatusAccepted)
		return
	case "initialize":
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	case "tools/list":
		result = `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		if r.URL.Path == "/messages" {
			w.WriteHeader(http.StatusAccepted)
		} else {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		a.say(w, r, a.ask)
		select {
		case answer := <-a.answers:
			a.say(w, r, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1","n":12345678901234567890.10}}`)
			a.say(w, r, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"asked":%s}}`, message.ID, answer))
		case <-a.ended:
		}
		return
	default:
		if message.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, message.ID, result)
	if r.URL.Path == "/messages" {
		w.WriteHeader(http.StatusAccepted)
		a.say(w, r, line)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, line)
}

// say sends a line in a stream.
func (a *asker) say(w http.ResponseWriter, r *http.Request, line string) {
	if r.URL.Path == "/messages" {
		w.(http.Flusher).Flush()
		select {
		case a.lines <- line:
		case <-a.ended:
		}
		return
	}
	fmt.Fprintf(w, "id: 1\ndata: %s\n\n", line)
	w.(http.Flusher).Flush()
}

// connectAsker connects to a web server that asks.
func connectAsker(t *testing.T, kind config.Transport, ask string, change func(*Options)) (*Session, *asker) {
	a := &asker{ask: ask, answers: make(chan string, 1), lines: make(chan string), ended: make(chan struct{})}
	address := strings.TrimSuffix(answering(t, a.ServeHTTP), "/mcp")
	t.Cleanup(func() { close(a.ended) }) // before the web server is closed, since that waits for it
	o := remoteOptions(kind, address+
		map[config.Transport]string{config.TransportHTTP: "/mcp", config.TransportSSE: "/sse"}[kind])
	change(&o)
	return connect(t, o), a
}

// TestRemoteThatAsks: a remote server's request reaches the handler, and the answer reaches the server, with
// all members and numbers unchanged.
func TestRemoteThatAsks(t *testing.T) {
	for _, kind := range []config.Transport{config.TransportHTTP, config.TransportSSE} {
		t.Run(string(kind), func(t *testing.T) {
			heard := make(chan string, 1)
			var failure error
			s, _ := connectAsker(t, kind, `{"jsonrpc":"2.0","id":"me-1","method":"sampling/createMessage","params":{"n":1e400,"more":[12345678901234567890]}}`, func(o *Options) {
				o.OnRequest = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
					if method != "sampling/createMessage" || string(params) != `{"n":1e400,"more":[12345678901234567890]}` {
						t.Errorf("the server asked for %s %s", method, params)
					}
					return json.RawMessage(`{"role":"assistant","n":1e400}`), failure
				}
				o.OnNotification = func(method string, params json.RawMessage) { heard <- method + " " + string(params) }
			})
			result, err := s.Call(t.Context(), Call{Tool: "t"})
			if want := `{"content":[],"asked":{"jsonrpc":"2.0","id":"me-1","result":{"role":"assistant","n":1e400}}}`; err != nil || whole(result) != want {
				t.Errorf("%s, %v, want %s", result, err, want)
			}
			if told := <-heard; told != `notifications/resources/updated {"uri":"a:1","n":12345678901234567890.10}` {
				t.Errorf("the notification is %s", told)
			}
			failure = &RPCError{Code: -1, Message: "no", Data: json.RawMessage(`{"n":1e400}`)}
			result, err = s.Call(t.Context(), Call{Tool: "t"})
			if want := `{"content":[],"asked":{"jsonrpc":"2.0","id":"me-1","error":{"code":-1,"message":"no","data":{"n":1e400}}}}`; err != nil || whole(result) != want {
				t.Errorf("%s, %v, want %s", result, err, want)
			}
		})
	}
}

// TestRemoteThatTakesBackWhatItAsked: if a remote server cancels its request, or its session ends, the
// handler's context ends.
func TestRemoteThatTakesBackWhatItAsked(t *testing.T) {
	for _, kind := range []config.Transport{config.TransportHTTP, config.TransportSSE} {
		t.Run(string(kind), func(t *testing.T) {
			begun, ended := make(chan bool, 1), make(chan bool, 1)
			ask := `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{}}`
			s, a := connectAsker(t, kind, ask, func(o *Options) {
				o.OnRequest = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
					begun <- true
					<-ctx.Done()
					ended <- true
					return nil, ctx.Err()
				}
			})
			go s.Call(context.Background(), Call{Tool: "t"})
			<-begun
			if kind == config.TransportSSE {
				a.lines <- `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
			} else if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			<-ended
			select {
			case answer := <-a.answers:
				t.Errorf("the server was answered %s", answer)
			default:
			}
		})
	}
}

// TestRemoteStreamIsTakenUpAgain: a stream that ends before the answer is continued after the pause that the
// server wants.
func TestRemoteStreamIsTakenUpAgain(t *testing.T) {
	const want = 200 * time.Millisecond
	var ended atomic.Int64
	var id atomic.Value
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		last := r.Header.Get("Last-Event-ID")
		if r.Method != http.MethodGet || last == "" {
			scripted(map[string]func(http.ResponseWriter, json.RawMessage){
				"tools/call": func(w http.ResponseWriter, asked json.RawMessage) {
					id.Store(string(asked))
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "id: one\nretry: %d\ndata: \n\n", want.Milliseconds())
					ended.Store(time.Now().UnixNano())
				},
			})(w, r)
			return
		}
		if waited := time.Duration(time.Now().UnixNano() - ended.Load()); waited < want-50*time.Millisecond {
			t.Errorf("the stream was continued after %v", waited)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if last == "one" {
			fmt.Fprint(w, "id: two\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/odd\"}\n\n")
			return
		}
		// without the empty line at its end
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"last\":%q}}", id.Load(), last)
	})
	s := connect(t, remoteOptions(config.TransportHTTP, address))
	result, err := s.Call(t.Context(), Call{Tool: "t"})
	if err != nil || whole(result) != `{"content":[],"last":"two"}` {
		t.Errorf("%s, %v", result, err)
	}
}

// TestRemoteStreamThatIsNotTakenUpAgain: if events have no id, or the server does not continue the stream,
// only the call fails.
func TestRemoteStreamThatIsNotTakenUpAgain(t *testing.T) {
	var round atomic.Int32
	s := connect(t, remoteOptions(config.TransportHTTP,
		answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				w.Header().Set("Content-Type", "text/event-stream")
				if round.Add(1) == 2 {
					fmt.Fprint(w, "id: one\nretry: 1\ndata: \n\n")
				}
			},
			"tools/list": func(w http.ResponseWriter, id json.RawMessage) {
				say(w, id, `{"tools":[]}`)
			},
		}))))
	for range 2 {
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err == nil || errors.Is(err, ErrStopped) ||
			!strings.Contains(err.Error(), "closed the connection without answering") {
			t.Errorf("the call gave %v", err)
		}
	}
	if _, err := s.conn.request(t.Context(), "tools/list", nil); err != nil {
		t.Errorf("after that: %v", err)
	}
}
