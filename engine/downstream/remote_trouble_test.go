package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestRemoteKeepsSecretsOfItsAddress: many services put the key into the path of the address.
func TestRemoteKeepsSecretsOfItsAddress(t *testing.T) {
	const planted = "Njg0Zjk4planted"
	web := strings.TrimSuffix(answering(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "nothing at "+r.URL.String(), http.StatusBadGateway)
	}), "/mcp")
	for _, address := range []string{
		web + "/api/s/" + planted + "/mcp", web + "/mcp?k=" + planted,
		"http://gone.invalid/s/" + planted, strings.Replace(web, "://", "://me:"+planted+"@", 1) + "/mcp",
	} {
		var logged lockedBuffer
		o := remoteOptions(config.TransportHTTP, address)
		o.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.OnLog = func(line LogLine) { _, _ = logged.Write([]byte(line.String() + "\n")) }
		_, err := Connect(t.Context(), o)
		if err == nil {
			t.Fatal("Connect succeeded")
		}
		if all := logged.String() + err.Error(); strings.Contains(all, "planted") {
			t.Errorf("the secret stands in clear in:\n%s", all)
		}
	}
}

// TestRemoteErrorsInJSON: a web framework that does not know MCP answers with JSON that is no JSON-RPC.
func TestRemoteErrorsInJSON(t *testing.T) {
	for status, check := range map[int]func(error) bool{
		http.StatusForbidden:           func(err error) bool { return errors.Is(err, ErrSignIn) },
		http.StatusInternalServerError: func(err error) bool { return strings.Contains(err.Error(), "500") },
		http.StatusTooManyRequests: func(err error) bool {
			return strings.Contains(err.Error(), "429") && strings.Contains(err.Error(), "slow down")
		},
	} {
		s := connect(t, remoteOptions(config.TransportHTTP,
			answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
				"tools/call": func(w http.ResponseWriter, _ json.RawMessage) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(status)
					fmt.Fprint(w, `{"detail":"slow down"}`)
				},
			}))))
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err == nil || !check(err) {
			t.Errorf("the status %d becomes %v", status, err)
		}
	}
}

// TestRemoteOddForms: answers of web servers come in forms that other clients read.
func TestRemoteOddForms(t *testing.T) {
	for name, form := range map[string]struct{ kind, before, after string }{
		"a byte order mark":   {"application/json", "\ufeff", ""},
		"a list":              {"application/json", "[", "]"},
		"a list, with a mark": {"application/json", "\ufeff[", "]"},
		"a list with others": {"application/json",
			`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}},`, ",[],5]"},
		"a list in a stream":          {"text/event-stream", "data: [", "]\n\n"},
		"a beginning of nothing":      {"text/event-stream; charset=UTF-8", "id: 0\ndata:\n\ndata: ", "\n\n"},
		"plain text":                  {"text/plain", "\n", "\n"},
		"a stream that says not so":   {"application/json", "event: message\ndata: ", "\n\n"},
		"a stream that says so twice": {"text/event-stream, text/event-stream", "data: ", "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{`"jsonrpc":"2.0",`, ""} {
				answer := func(result string) func(w http.ResponseWriter, id json.RawMessage) {
					return func(w http.ResponseWriter, id json.RawMessage) {
						w.Header().Set("Content-Type", form.kind)
						fmt.Fprintf(w, "%s{%s\"id\":%s,\"result\":%s}%s", form.before, version, id, result, form.after)
					}
				}
				s := connect(t, remoteOptions(config.TransportHTTP,
					answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
						"initialize": answer(`{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`),
						"tools/list": answer(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`),
						"tools/call": answer(`{"content":[]}`),
					}))))
				if result, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil || whole(result) != `{"content":[]}` {
					t.Errorf("the call gave %s, %v", result, err)
				}
			}
		})
	}
}

// TestRemoteSessionForgottenInOtherWords: servers made with the TypeScript SDK answer with an error message
// instead of 404 if they have forgotten a session.
func TestRemoteSessionForgottenInOtherWords(t *testing.T) {
	for _, words := range []string{"Bad Request: No valid session ID provided", "Bad Request: Server not initialized",
		"Session not found"} {
		s := connect(t, remoteOptions(config.TransportHTTP,
			answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
				"initialize": func(w http.ResponseWriter, id json.RawMessage) {
					w.Header().Set("Mcp-Session-Id", "abc")
					say(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
				},
				"tools/call": func(w http.ResponseWriter, _ json.RawMessage) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprintf(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":%q},"id":null}`, words)
				},
			}))))
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrStopped) {
			t.Errorf("%q: the call gave %v", words, err)
			continue
		}
		awaitDone(t, s)
	}
}

// TestRemoteThatDoesNotHearCancellations: a server that is slow to accept a cancellation must not delay the
// next call.
func TestRemoteThatDoesNotHearCancellations(t *testing.T) {
	release := make(chan struct{})
	begun := make(chan struct{}, 1)
	s := connect(t, remoteOptions(config.TransportHTTP,
		answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"notifications/cancelled": func(http.ResponseWriter, json.RawMessage) { <-release },
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				select {
				case begun <- struct{}{}:
					<-release
				default:
					say(w, id, `{"content":[]}`)
				}
			},
		}))))
	t.Cleanup(func() { close(release) }) // before the web server is closed, since that waits for it
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := s.Call(ctx, Call{Tool: "t"}); ended <- err }()
	for len(begun) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
	soon, stop := context.WithTimeout(t.Context(), tellTime/2)
	defer stop()
	if _, err := s.Call(soon, Call{Tool: "t"}); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// roundTrips answers requests without a network.
type roundTrips func(*http.Request) (*http.Response, error)

func (f roundTrips) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
func (f roundTrips) CloseIdleConnections()                             {}

// TestRemoteListensLessAndLessOften: not every server offers the stream for its own messages, and not all
// refuse it as the protocol says.
func TestRemoteListensLessAndLessOften(t *testing.T) {
	for name, lives := range map[string]time.Duration{"refused": -1, "ended at once": 0,
		"ended after 10 s": 10 * time.Second, "ended after 2 min": 2 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			r := &remote{pipe: &pipe{ctx: ctx}, entry: &config.Server{URL: "http://x/mcp"}}
			r.client = &http.Client{Transport: &boundedTransport{limit: 1 << 20,
				base: roundTrips(func(r *http.Request) (*http.Response, error) {
					asked++
					if lives < 0 {
						return &http.Response{StatusCode: http.StatusInternalServerError, Body: http.NoBody}, nil
					}
					reader, writer := io.Pipe()
					time.AfterFunc(lives, func() { writer.Close() })
					return &http.Response{StatusCode: http.StatusOK, Body: reader,
						Header: http.Header{"Content-Type": {"text/event-stream"}}}, nil
				})}}
			r.listen(func() {})
			most := 75
			if asked > most {
				t.Errorf("%s: asked %d times in an hour", name, asked)
			}
			if least := 29; asked < least {
				t.Errorf("%s: asked only %d times", name, asked)
			}
		})
	}
}
