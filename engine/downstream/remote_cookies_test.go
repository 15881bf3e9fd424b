package downstream

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestRemoteSticksToOneCopy: a load balancer marks by a cookie which copy of the server has the session.
func TestRemoteSticksToOneCopy(t *testing.T) {
	var mu sync.Mutex // the stream of the session is requested beside the calls
	next := 0
	sessions := [2]map[string]bool{{}, {}}
	var alone []string // cookies beside the entry's own
	s := connect(t, remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		copied := next % 2
		if cookie, err := r.Cookie("AWSALB"); err == nil {
			copied = int(cookie.Value[0] - '0')
		} else {
			next++
		}
		if own, err := r.Cookie("own"); err != nil || own.Value != "1" {
			alone = append(alone, r.Header.Get("Cookie"))
		}
		http.SetCookie(w, &http.Cookie{Name: "AWSALB", Value: fmt.Sprint(copied), Path: "/"})
		known := sessions[copied][r.Header.Get("Mcp-Session-Id")]
		scripted(map[string]func(http.ResponseWriter, json.RawMessage){
			"initialize": func(w http.ResponseWriter, id json.RawMessage) {
				session := fmt.Sprintf("S%d", next)
				sessions[copied][session] = true
				w.Header().Set("Mcp-Session-Id", session)
				say(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
			},
			"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
				if !known {
					refusing(404, "Session not found")(w, id)
					return
				}
				say(w, id, `{"content":[]}`)
			},
		})(w, r)
	}), config.Variable{Name: "Cookie", Value: "own=1"}))
	for range 4 {
		if _, err := s.Call(t.Context(), Call{Tool: "t"}); err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(alone) != 0 {
		t.Errorf("requests had only the cookies %q", alone)
	}
}

// TestCookiesAreFew: a server cannot fill our memory with cookies, nor set them for other servers.
func TestCookiesAreFew(t *testing.T) {
	c := newCookies()
	from := &url.URL{Scheme: "https", Host: "a.example.com", Path: "/mcp"}
	for i := range 10 * maxCookies {
		c.SetCookies(from, []*http.Cookie{{Name: fmt.Sprint("n", i), Value: "x", Path: "/"},
			{Name: "long", Value: strings.Repeat("x", maxCookie)}})
	}
	if n := len(c.Cookies(from)); n != maxCookies {
		t.Errorf("%d cookies are kept", n)
	}
	c = newCookies()
	c.SetCookies(from, []*http.Cookie{{Name: "a", Value: "1", Domain: "com"},
		{Name: "b", Value: "1", Domain: "other.com"}})
	if got := c.Cookies(&url.URL{Scheme: "https", Host: "other.com", Path: "/"}); len(got) != 0 {
		t.Errorf("another server gets %v", got)
	}
}
