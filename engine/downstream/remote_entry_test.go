package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestRemoteHeadersOfTheEntry: people copy headers from other programs. Those that say what the bodies are cannot
// break the connection, and others are sent.
func TestRemoteHeadersOfTheEntry(t *testing.T) {
	for _, header := range []config.Variable{
		{Name: "Accept", Value: "application/json"}, {Name: "accept", Value: "text/event-stream"},
		{Name: "Content-Type", Value: "text/plain"}, {Name: "Accept-Encoding", Value: "br"},
		{Name: "Host", Value: "tenant.example"}, {Name: "X-Team", Value: "blue"},
	} {
		var host, team atomic.Value
		inner := scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) { say(w, id, `{"content":[]}`) },
		})
		address := answering(t, func(w http.ResponseWriter, r *http.Request) {
			accept := r.Header.Get("Accept")
			if r.Method == http.MethodPost &&
				(!strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") ||
					r.Header.Get("Content-Type") != "application/json" || strings.Contains(r.Header.Get("Accept-Encoding"), "br")) {
				http.Error(w, "not acceptable", http.StatusNotAcceptable)
				return
			}
			host.Store(r.Host)
			team.Store(r.Header.Get("X-Team"))
			inner(w, r)
		})
		s := connect(t, remoteOptions(config.TransportHTTP, address, header))
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Errorf("%s: %v", header.Name, err)
		}
		if header.Name == "Host" && host.Load() != header.Value || header.Name == "X-Team" && team.Load() != header.Value {
			t.Errorf("%s was not sent", header.Name)
		}
	}
}

// TestRemoteSessionIsNamedLater: some servers name a session after the answer to initialize, and some name it anew.
func TestRemoteSessionIsNamedLater(t *testing.T) {
	var number atomic.Int32
	inner := scripted(map[string]func(http.ResponseWriter, json.RawMessage){
		"tools/call": func(w http.ResponseWriter, id json.RawMessage) { say(w, id, `{"content":[]}`) },
	})
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		now := fmt.Sprint(number.Load())
		if r.Method == http.MethodPost && now != "0" && r.Header.Get("Mcp-Session-Id") != now {
			http.Error(w, "Session not found", http.StatusNotFound)
			return
		}
		if r.Method == http.MethodPost && (r.Header.Get("Mcp-Protocol-Version") != "" || now != "0") { // after initialize
			w.Header().Set("Mcp-Session-Id", fmt.Sprint(number.Add(1)))
		}
		inner(w, r)
	})
	s := connect(t, remoteOptions(config.TransportHTTP, address))
	for range 3 {
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Fatal(err)
		}
	}
	if number.Load() < 4 {
		t.Errorf("the server has named the session %d times", number.Load())
	}
}

// TestRemoteDoubtsItsSession: words about a session in the answer to a call may be those of the tool. The server is
// asked whether it knows the session itself.
func TestRemoteDoubtsItsSession(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusNotFound} {
		for _, forgotten := range []bool{true, false} {
			pinged := make(chan struct{}, 1)
			refuse := func(w http.ResponseWriter, id json.RawMessage) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Session not found"}}`, id)
			}
			s := connect(t, remoteOptions(config.TransportHTTP,
				answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
					"initialize": func(w http.ResponseWriter, id json.RawMessage) {
						w.Header().Set("Mcp-Session-Id", "abc")
						say(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
					},
					"tools/call": refuse,
					"ping": func(w http.ResponseWriter, id json.RawMessage) {
						if pinged <- struct{}{}; forgotten {
							refuse(w, id)
							return
						}
						say(w, id, "{}")
					},
				}))))
			var rpc *RPCError
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.As(err, &rpc) {
				t.Errorf("%d: the call gave %v", status, err)
			}
			<-pinged
			if forgotten {
				awaitDone(t, s)
			} else if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.As(err, &rpc) {
				t.Errorf("%d: the session has ended, though the server knows it: %v", status, err)
			}
		}
	}
}

// TestRemoteBusyIsNoWrongAddress: a server that refuses to begin a session for now is there.
func TestRemoteBusyIsNoWrongAddress(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusPaymentRequired} {
		_, err := Connect(context.WithoutCancel(t.Context()),
			remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "come back later", status)
			})))
		if err == nil || strings.Contains(err.Error(), "check the address") ||
			!strings.Contains(err.Error(), "come back later") {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestRefusedHandshakeSaysAll: the reason of an error often stands in its data.
func TestRefusedHandshakeSaysAll(t *testing.T) {
	_, err := Connect(t.Context(),
		remoteOptions(config.TransportHTTP, answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"initialize": func(w http.ResponseWriter, id json.RawMessage) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"broken","data":{ "why": "no tenant" }}}`,
					id)
			},
		}))))
	if err == nil || !strings.Contains(err.Error(), "broken (code -32603)") ||
		!strings.Contains(err.Error(), `{"why":"no tenant"}`) {
		t.Error(err)
	}
}
