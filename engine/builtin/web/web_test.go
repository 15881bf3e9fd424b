package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

type arguments = tooltest.Arguments

// site is a web site with a few pages.
func site(t *testing.T) *httptest.Server {
	t.Helper()
	pages := http.NewServeMux()
	pages.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
	})
	pages.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		fmt.Fprint(w, "<title>x</title><h1>Gr\xfc\xdfe</h1><a href='/next'>next</a>")
	})
	pages.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/page", http.StatusFound)
	})
	pages.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	})
	pages.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/circle", http.StatusFound)
	})
	pages.HandleFunc("/picture", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
	})
	pages.HandleFunc("/json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"a": 1}`)
	})
	pages.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for r.Context().Err() == nil {
			fmt.Fprint(w, strings.Repeat("text\n", 10_000))
		}
	})
	pages.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("/closed", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })
	started := httptest.NewServer(pages)
	t.Cleanup(started.Close)
	return started
}

func TestFetch(t *testing.T) {
	s := site(t)
	w := tooltest.New(t, New("0", true))
	w.Says("fetch", arguments{"url": s.URL + "/page"}, "# Grüße\n\n[next]("+s.URL+"/next)")
	w.Says("fetch", arguments{"url": s.URL + "/page", "raw": true}, "<h1>Grüße</h1>")
	w.Says("fetch", arguments{"url": s.URL + "/moved"}, "# Grüße")
	w.Says("fetch", arguments{"url": s.URL + "/json"}, `{"a": 1}`)
	w.Says("fetch", arguments{"url": s.URL + "/endless", "max_length": 100},
		"[100 of 8388608 bytes; go on with offset 100]")
	w.Says("fetch", arguments{"url": s.URL + "/endless", "max_length": 100, "start_index": 8388600}, "text\n")
	w.Says("fetch", arguments{"url": s.URL + "/empty"}, "empty")
	w.Refuses("fetch", arguments{"url": s.URL + "/closed"}, "robots.txt")
	w.Refuses("fetch", arguments{"url": s.URL + "/none"}, "404")
	w.Refuses("fetch", arguments{"url": s.URL + "/picture"}, "image/png")
	w.Refuses("fetch", arguments{"url": s.URL + "/file"}, "no address")
	w.Refuses("fetch", arguments{"url": s.URL + "/circle"}, "redirects")
	w.Refuses("fetch", arguments{"url": "http://127.0.0.1:1/"}, "cannot be reached")
	w.Refuses("fetch", arguments{"url": strings.Replace(s.URL, "http://", "http://user:word@", 1)}, "password")
	for _, address := range []string{"", "example.org", "file:///etc/passwd", "ftp://example.org", "http://"} {
		w.Refuses("fetch", arguments{"url": address}, "no address")
	}
}

// TestPrivateAddresses checks that nothing on this computer or its network is read, also not through a name or a
// redirect.
func TestPrivateAddresses(t *testing.T) {
	s := site(t)
	w := tooltest.New(t, New("0", false))
	for _, address := range []string{
		s.URL + "/page", strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + "/page", "http://[::1]:80", "http://0.0.0.0",
		"http://10.0.0.1",
		"http://169.254.169.254/latest/meta-data", "http://[::ffff:127.0.0.1]", "http://0x7f000001", "http://[fe80::1]",
	} {
		if text, failed := w.Call("fetch", arguments{"url": address}); !failed || strings.Contains(text, "Gr") {
			t.Errorf("%s is read as %q", address, text)
		}
	}
	w.Refuses("fetch", arguments{"url": s.URL + "/page"}, "--private")
	// With a proxy, the name is checked.
	t.Setenv("HTTP_PROXY", s.URL)
	for address, want := range map[string]bool{
		"1.1.1.1": true, "2606:4700::1111": true, "127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false,
		"192.168.1.1": false, "169.254.1.1": false,
		"100.64.0.1": false, "224.0.0.1": false, "::ffff:10.0.0.1": false, "fd00::1": false, "fe80::1": false,
		"2002:7f00:1::": false, "64:ff9b::7f00:1": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %t", address, got)
		}
	}
	for name, want := range map[string]bool{"example.org": true, "localhost": false, "LOCALHOST.": false,
		"a.local": false, "router": false, "10.0.0.1": false, "db.internal": false} {
		if got := publicName(name); got != want {
			t.Errorf("%s is public: %t", name, got)
		}
	}
}
