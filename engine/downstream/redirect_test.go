package downstream

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestWhereRedirectsLead: a redirect is followed only on the same host, never from https to http, and at most
// five times, since the requests contain tokens.
func TestWhereRedirectsLead(t *testing.T) {
	request := func(address string) *http.Request {
		parsed, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{URL: parsed}
	}
	for _, c := range []struct {
		from, to string
		hops     int
		want     bool
	}{
		{"https://a.example/x", "https://a.example/y", 1, true},
		{"http://a.example/x", "http://a.example/y", 1, true},
		{"https://a.example/x", "http://a.example/x", 1, false},
		{"https://a.example/x", "https://b.example/x", 1, false},
		{"https://a.example/x", "https://a.example:8443/x", 1, false},
		{"http://a.example/x", "http://b.example/x", 1, false},
		{"https://a.example/x", "https://A.example:443/y", 1, true},
		{"http://a.example/x", "https://a.example/x", 1, true},
		{"http://a.example:8080/x", "https://a.example:8443/x", 1, false},
		{"https://a.example/x", "https://a.example.evil/x", 1, false},
		{"https://a.example/x", "https://a.example/y", 4, true},
		{"https://a.example/x", "https://a.example/y", 5, false},
	} {
		before := []*http.Request{request(c.from)}
		for len(before) < c.hops {
			before = append(before, request(c.from))
		}
		if err := checkRedirect(request(c.to), before); (err == nil) != c.want {
			t.Errorf("from %s to %s after %d: %v", c.from, c.to, c.hops, err)
		}
	}
}

// TestRedirects: a post is sent on as it is where the server says so (307, 308). Where it would become another
// request (301, 302, 303), or go to another server, people are told which address to write.
func TestRedirects(t *testing.T) {
	var elsewhere atomic.Int64
	other := answering(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, to := range map[string]string{"same": "/mcp2/", "other": other} {
			headers := ""
			address := answering(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mcp" {
					http.Redirect(w, r, to, status)
					return
				}
				if r.Method == http.MethodPost {
					headers = r.Header.Get("Authorization") + r.Header.Get("X-Key") + r.Header.Get("Content-Type")
				}
				scripted(nil)(w, r)
			})
			s, err := Connect(t.Context(), remoteOptions(config.TransportHTTP, address,
				config.Variable{Name: "Authorization", Value: "Bearer a"}, config.Variable{Name: "X-Key", Value: "b"}))
			if name == "same" && status >= 307 {
				if err != nil || headers != "Bearer ab"+"application/json" {
					t.Errorf("%d: %v; the headers are %q", status, err, headers)
				}
				if err == nil {
					s.Close(t.Context())
				}
				continue
			}
			want := strings.TrimSuffix(address, "/mcp") + to
			if name == "other" {
				want = other
			}
			if err == nil || !strings.Contains(err.Error(),
				want+"; if that is right, write that address into the configuration") {
				t.Errorf("%d to %s: %v", status, name, err)
			}
		}
	}
	if elsewhere.Load() != 0 {
		t.Error("another server was asked")
	}
}

// TestRedirectOfOneCall: a call that is sent elsewhere fails alone.
func TestRedirectOfOneCall(t *testing.T) {
	var calls atomic.Int64
	s := connect(t, remoteOptions(config.TransportHTTP,
		answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				if calls.Add(1) == 1 {
					w.Header().Set("Location", "https://other.invalid/login?next=abc")
					w.WriteHeader(http.StatusFound)
					return
				}
				say(w, id, `{"content":[]}`)
			},
		}))))
	if _, err := s.Call(t.Context(), Call{Tool: "t"}); err == nil ||
		!strings.Contains(err.Error(), "https://other.invalid/login?…") {
		t.Errorf("the call gave %v", err)
	}
	if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
		t.Errorf("the next call gave %v", err)
	}
}
