package source

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestGet: an answer comes whole, or an error says what is wrong with it.
func TestGet(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/list":
			fmt.Fprint(w, "[1]")
		case "/long":
			fmt.Fprint(w, strings.Repeat(" ", 101))
		case "/moved":
			http.Redirect(w, r, "/list", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/away":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	s, err := New(Options{Address: server.URL, MaxAnswer: 100})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]words.Code{"/list": "", "/moved": "", "/long": "registry.too_large",
		"/round": "registry.redirected", "/away": "registry.redirected", "/nothing": "registry.status"} {
		body, err := s.Get(t.Context(), server.URL+path)
		said, _ := errors.AsType[*words.Error](err)
		if want == "" && (err != nil || string(body) != "[1]") || want != "" && (said == nil || said.Text().Code != want) {
			t.Errorf("%s gives %q, %v", path, body, err)
		}
	}
	server.Close()
	if _, err := s.Get(t.Context(), server.URL); err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("a server that does not run gives %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Get(ended, server.URL); err != context.Canceled {
		t.Errorf("a request that is given up gives %v", err)
	}
}

// TestProxies: the proxies of the environment are used.
func TestProxies(t *testing.T) {
	var asked string
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Host }))
	defer proxy.Close()
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	s, err := New(Options{Address: "https://example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "https://example.org/list"); err == nil || asked != "example.org:443" {
		t.Errorf("the proxy is asked for %q, %v", asked, err)
	}
}
