package downstream

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Servers of the modern era have no sessions, so they can forget none. What else goes wrong with remote
// servers goes wrong with them, too.

// newModernWeb returns a web server of the modern era with the tool "t", which counts its calls.
func newModernWeb(call func(w http.ResponseWriter, m jsonrpc.Message)) (web *modernWeb, ran *atomic.Int64) {
	ran = &atomic.Int64{}
	return &modernWeb{
		tools:  `[{"name":"t","inputSchema":{"type":"object"}}]`,
		refuse: refusal(http.StatusNotFound, `{"code":-32601,"message":"no"}`),
		call: func(w http.ResponseWriter, _ *http.Request, m jsonrpc.Message) {
			ran.Add(1)
			call(w, m)
		},
	}, ran
}

// TestModernRemoteRefusesOneCall: a call that a server, or a proxy before it, refuses fails alone, with the
// server's own words, and is made once.
func TestModernRemoteRefusesOneCall(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		says   string
	}{
		"404":           {404, "", "404"},
		"404, in words": {404, "no such route", "no such route"},
		"400":           {400, "", "400"},
		"400, no session": {400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"browser session not found"}}`,
			"browser session"},
		"410":              {410, "moved on", "moved on"},
		"429":              {429, `{"detail":"slow down"}`, "slow down"},
		"500":              {500, "it broke", "it broke"},
		"502":              {502, "<html><title>Bad Gateway</title></html>", "502"},
		"503":              {503, "too much to do", "too much to do"},
		"503, JSON-RPC":    {503, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"restarting"}}`, "restarting"},
		"302 to a sign-in": {302, "", "https://login.invalid/x"},
		"nothing at all":   {200, "", ""},
		"the tool's own": {200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"session not found"}}`,
			"session not found"},
		"an unknown method": {404, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`,
			"no such method"},
	} {
		t.Run(name, func(t *testing.T) {
			fail := true
			web, ran := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
				if !fail {
					say(w, m.ID, `{"resultType":"complete","content":[]}`)
					return
				}
				if c.status == http.StatusFound {
					w.Header().Set("Location", "https://login.invalid/x")
				}
				refusing(c.status, c.body)(w, m.ID)
			})
			s := connect(t, remoteOptions(config.TransportHTTP, answering(t, web.ServeHTTP)))
			_, err := s.Call(t.Context(), Call{Tool: "t"})
			if err == nil || errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the call gave %v", err)
			}
			fail = false
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil || ran.Load() != 2 {
				t.Errorf("the next call gave %v; %d calls ran", err, ran.Load())
			}
		})
	}
}

// TestModernRemoteIsReplaced: a server that has become one of the older era refuses the call before it runs,
// so it can be made again in a new session.
func TestModernRemoteIsReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"no session":       {400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`},
		"not initialized":  {400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`},
		"a framework":      {400, "Missing Mcp-Session-Id header"},
		"404":              {404, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`},
		"the version":      {400, `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Unsupported protocol version: 2026-07-28. Supported versions: 2024-11-05, 2025-03-26"}}`},
		"the version, too": {400, "Unsupported protocol version (supported versions: 2025-11-25, 2025-06-18)"},
	} {
		t.Run(name, func(t *testing.T) {
			web, ran := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
				say(w, m.ID, `{"resultType":"complete","content":[]}`)
			})
			replaced := atomic.Bool{}
			s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
				if replaced.Load() {
					refusing(c.status, c.body)(w, nil)
					return
				}
				web.ServeHTTP(w, r)
			})))
			replaced.Store(true)
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) || !errors.Is(err, ErrStopped) {
				t.Errorf("the call gave %v", err)
			}
			awaitDone(t, s)
			if ran.Load() != 0 {
				t.Errorf("%d calls ran", ran.Load())
			}
		})
	}
}

// TestManyCallsWhenReplaced: calls that were not sent yet when the session ended have not run either.
func TestManyCallsWhenReplaced(t *testing.T) {
	for range 20 {
		web, ran := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
			say(w, m.ID, `{"resultType":"complete","content":[]}`)
		})
		replaced := atomic.Bool{}
		s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
			if replaced.Load() {
				refusing(http.StatusBadRequest, "Missing Mcp-Session-Id header")(w, nil)
				return
			}
			web.ServeHTTP(w, r)
		})))
		replaced.Store(true)
		var calls sync.WaitGroup
		for range 64 {
			calls.Go(func() {
				if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrNotRun) {
					t.Errorf("a call gave %v", err)
				}
			})
		}
		calls.Wait()
		awaitDone(t, s)
		if ran.Load() != 0 {
			t.Errorf("%d calls ran", ran.Load())
		}
	}
}

// TestModernRemoteMovesAway: 307 and 308 are followed; for 301 and 302, people are told what to write.
func TestModernRemoteMovesAway(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		web, _ := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
			say(w, m.ID, `{"resultType":"complete","content":[]}`)
		})
		address := answering(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/mcp" {
				http.Redirect(w, r, "/mcp/v2", status)
				return
			}
			web.ServeHTTP(w, r)
		})
		for _, prefers := range []bool{false, true} {
			o := remoteOptions(config.TransportHTTP, address)
			o.PreferModern = prefers
			s, err := Connect(t.Context(), o)
			if status < 307 {
				if err == nil || !strings.Contains(err.Error(),
					"/mcp/v2; if that is right, write that address into the configuration") {
					t.Errorf("%d: %v", status, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%d: %v", status, err)
				continue
			}
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
				t.Errorf("%d: the call gave %v", status, err)
			}
			s.Close(t.Context())
		}
	}
}

// TestModernRemoteSticksToOneCopy: a load balancer's cookie comes back, since copies may differ in what they
// have done already.
func TestModernRemoteSticksToOneCopy(t *testing.T) {
	web, _ := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
		say(w, m.ID, `{"resultType":"complete","content":[]}`)
	})
	var mu sync.Mutex
	var cookies []string
	s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			mu.Lock()
			cookies = append(cookies, r.Header.Get("Cookie"))
			mu.Unlock()
		}
		http.SetCookie(w, &http.Cookie{Name: "copy", Value: "1", Path: "/"})
		web.ServeHTTP(w, r)
	})))
	for range 2 {
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if got := fmt.Sprint(cookies); got != "[copy=1 copy=1]" {
		t.Errorf("the cookies are %s", got)
	}
}

// TestModernRemoteThatTellsNothing: a server that refuses the stream of its changes is used without it, and
// its log says so.
func TestModernRemoteThatTellsNothing(t *testing.T) {
	for _, status := range []int{400, 404, 405, 501, 503} {
		web, _ := newModernWeb(func(w http.ResponseWriter, m jsonrpc.Message) {
			say(w, m.ID, `{"resultType":"complete","content":[]}`)
		})
		said := make(chan string, 10)
		o := remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Mcp-Method") == "subscriptions/listen" {
				http.Error(w, "not here", status)
				return
			}
			web.ServeHTTP(w, r)
		}))
		o.OnLog = func(line LogLine) {
			select {
			case said <- line.String():
			default:
			}
		}
		s := connect(t, o)
		for line := range said {
			if strings.Contains(line, "changes") && strings.Contains(line, "not here") {
				break
			}
		}
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Errorf("%d: the call gave %v", status, err)
		}
	}
}
