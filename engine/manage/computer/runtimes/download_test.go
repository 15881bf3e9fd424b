package runtimes

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestWrongSum(t *testing.T) {
	s := serve(t, tarball(t, usual()))
	r := offering(t, s)
	s.archive = tarball(t, usual(item{name: "node-v1/more"}))
	err := r.Get(t.Context(), "node", nil)
	if !words.Is(err, "runtimes.wrong_sum") {
		t.Errorf("got %v", err)
	}
	nothingThere(t, r)
}

func TestTooBig(t *testing.T) {
	s := serve(t, nil)
	r := offering(t, s)
	s.wrap = func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Length", strconv.Itoa(maxArchive+1))
	}
	if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.too_big") {
		t.Errorf("got %v", err)
	}
	nothingThere(t, r)
}

// TestResumesAfterLosses: the connection is lost again and again, and each attempt continues where the last
// one ended.
func TestResumesAfterLosses(t *testing.T) {
	onUnix(t)
	s := serve(t, tarball(t, usual(item{name: "node-v1/noise", content: noise(3_000_000)})))
	r := offering(t, s)
	cut := 4
	s.wrap = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if cut--; cut < 0 {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&cutting{ResponseWriter: w, left: 700_000}, r)
	}
	if err := r.Get(t.Context(), "node", nil); err != nil {
		t.Fatal(err)
	}
	asked := s.asked()
	if len(asked) != 5 || asked[0] != "" || asked[1] == "" || asked[1] == asked[4] {
		t.Errorf("asked for %q", asked)
	}
}

// TestResumesLater: a partial download stays when the program ends, and the next run continues it. It is not
// mixed with another archive of the same name.
func TestResumesLater(t *testing.T) {
	onUnix(t)
	for _, changed := range []bool{false, true} {
		s := serve(t, tarball(t, usual(item{name: "node-v1/noise", content: noise(2_000_000)})))
		r := offering(t, s)
		s.wrap = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			next.ServeHTTP(&cutting{ResponseWriter: w, left: max(0, 700_000-1_000_000*len(r.Header.Get("Range")))}, r)
		}
		if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.lost") {
			t.Fatalf("got %v", err)
		}
		s.wrap = nil
		before := len(s.asked())
		if changed {
			s.etag = `"two"`
			s.archive = tarball(t, usual(item{name: "node-v1/noise", content: noise(2_100_000)}))
			r.options.Offers[0].Sum = sumOf(s.archive)
		}
		if err := New(r.options).Get(t.Context(), "node", nil); err != nil {
			t.Fatal(err)
		}
		if asked := s.asked()[before:]; len(asked) != 1 || !strings.HasPrefix(asked[0], "bytes=") {
			t.Errorf("asked for %q", asked)
		}
	}
}

// cutting writes a number of bytes and then closes the connection.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(b []byte) (int, error) {
	if len(b) > c.left {
		_, _ = c.ResponseWriter.Write(b[:c.left])
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

// noise returns text that cannot be compressed.
func noise(size int) string {
	var out strings.Builder
	sum := sha256.Sum256(nil)
	for out.Len() < size {
		sum = sha256.Sum256(sum[:])
		out.Write(sum[:])
	}
	return out.String()
}

func TestCancel(t *testing.T) {
	s := serve(t, tarball(t, usual(item{name: "node-v1/noise", content: noise(2_000_000)})))
	r := offering(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	s.wrap = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		w.Header().Set("Content-Length", strconv.Itoa(len(s.archive)))
		_, _ = w.Write(s.archive[:1_000_000])
		_ = http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	}
	if err := r.Get(ctx, "node", nil); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	nothingThere(t, r)
}

// TestStall: a server that stops sending is given up after a while and asked again.
func TestStall(t *testing.T) {
	onUnix(t)
	s := serve(t, tarball(t, usual()))
	r := offering(t, s)
	r.options.stall = 2 * time.Second // also the time for a connection, which a busy machine may need
	first := true
	s.wrap = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if first {
			first = false
			w.Header().Set("Content-Length", strconv.Itoa(len(s.archive)))
			w.Header().Set("ETag", s.etag)
			_, _ = w.Write(s.archive[:10])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		next.ServeHTTP(w, r)
	}
	if err := r.Get(t.Context(), "node", nil); err != nil {
		t.Fatal(err)
	}
	if asked := s.asked(); len(asked) != 2 || asked[1] != "bytes=10-" {
		t.Errorf("asked for %q", asked)
	}
}

func TestServersThatDoNotHelp(t *testing.T) {
	for status, code := range map[int]words.Code{404: "runtimes.status", 403: "runtimes.status", 407: "runtimes.proxy",
		503: "runtimes.lost"} {
		s := serve(t, nil)
		r := offering(t, s)
		s.wrap = func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { w.WriteHeader(status) }
		if err := r.Get(t.Context(), "node", nil); !words.Is(err, code) {
			t.Errorf("status %d: %v", status, err)
		}
	}
	s := serve(t, nil)
	r := offering(t, s)
	s.Close()
	if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.unreached") {
		t.Errorf("offline: %v", err)
	}
	nothingThere(t, r)
	for _, mirror := range []string{"http://example.com", "ftp://127.0.0.1/x", "/folder", "https://",
		"http://localhost.example.com"} {
		r.options.Getenv = func(string) string { return mirror }
		if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.mirror") {
			t.Errorf("%s: %v", mirror, err)
		}
	}
	away := serve(t, nil)
	away.wrap = func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, "http://192.0.2.1/node.tar.gz", http.StatusFound)
	}
	if err := offering(t, away).Get(t.Context(), "node", nil); !words.Is(err, "runtimes.unsafe_redirect") {
		t.Errorf("led away from https: %v", err)
	}
}

// TestRedirects checks which redirects are followed.
func TestRedirects(t *testing.T) {
	check := offering(t, serve(t, nil)).client().CheckRedirect
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"https://nodejs.org/a", "https://cdn.example/a", true},
		{"https://nodejs.org/a", "http://cdn.example/a", false},
		{"https://nodejs.org/a", "http://127.0.0.1:8080/shutdown", false},
		{"https://nodejs.org/a", "http://localhost/a", false},
		{"https://nodejs.org/a", "ftp://nodejs.org/a", false},
		{"http://127.0.0.1:1/a", "http://127.0.0.1:2/a", true},
		{"http://127.0.0.1:1/a", "http://169.254.169.254/a", false},
	} {
		first, err := http.NewRequest(http.MethodGet, c.from, nil)
		if err != nil {
			t.Fatal(err)
		}
		next, err := http.NewRequest(http.MethodGet, c.to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(next, []*http.Request{first}); (err == nil) != c.ok {
			t.Errorf("from %s to %s: %v", c.from, c.to, err)
		}
	}
}

func TestProxy(t *testing.T) {
	onUnix(t)
	proxy := serve(t, tarball(t, usual()))
	r := offering(t, proxy)
	var host string
	proxy.wrap = func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		host = r.Method + " " + r.Host
		next.ServeHTTP(w, r)
	}
	r.options.Getenv = func(name string) string { return map[string]string{"https_proxy": proxy.URL}[name] }
	_ = r.Get(t.Context(), "node", nil) // the proxy of the test does not support https
	if host != "CONNECT nodejs.invalid:443" {
		t.Errorf("the proxy was asked for %q", host)
	}
	host = ""
	r.options.Getenv = func(name string) string {
		return map[string]string{"https_proxy": proxy.URL, "NO_PROXY": ".invalid"}[name]
	}
	if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.unreached") || host != "" {
		t.Errorf("NO_PROXY is not followed: %v, %s", err, host)
	} else if strings.Contains(err.Error(), "such host") {
		t.Errorf("a person reads %q", err)
	}
}
