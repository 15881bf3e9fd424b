package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

type arguments = tooltest.Arguments

// asReader makes the test's own program a reader of documents.
const asReader = "READ_DOCUMENT"

func TestMain(m *testing.M) {
	if kind := os.Getenv(asReader); kind != "" {
		os.Exit(document.Main(document.Kind(kind), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func reader(kind document.Kind) (*exec.Cmd, error) {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asReader+"="+string(kind))
	return command, nil
}

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
	pages.HandleFunc("/menu", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>The title</title><nav>Menu</nav><main><p>What it is about.</main><footer>End</footer>")
	})
	pages.HandleFunc("/only", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>The title</title><div><main><h1>All of it</h1></main> </div><script>x</script>")
	})
	pages.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/page", http.StatusFound)
	})
	pages.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	})
	pages.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	})
	pages.HandleFunc("/to-closed", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/closed", http.StatusFound)
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
	pages.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<p>The beginning.")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	pages.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	pages.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "<p>The beginning.")
	})
	pages.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	pages.HandleFunc("/closed", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })
	started := httptest.NewServer(pages)
	t.Cleanup(started.Close)
	return started
}

func TestFetch(t *testing.T) {
	s := site(t)
	w := tooltest.New(t, New("0", true, reader))
	w.Says("fetch", arguments{"url": s.URL + "/page"}, "# Grüße\n\n[next]("+s.URL+"/next)")
	if text, _ := w.Call("fetch", arguments{"url": s.URL + "/menu"}); text !=
		"# The title\n\nWhat it is about.\n\nAround it, the page says:\n\nMenu\n\nEnd" {
		t.Errorf("a page with a main part is %q", text)
	}
	if text, _ := w.Call("fetch", arguments{"url": s.URL + "/only"}); text != "# All of it" {
		t.Errorf("a page with nothing but a main part is %q", text)
	}
	w.Says("fetch", arguments{"url": s.URL + "/page", "raw": true}, "<h1>Grüße</h1>")
	w.Says("fetch", arguments{"url": s.URL + "/moved"}, "# Grüße")
	w.Says("fetch", arguments{"url": s.URL + "/json"}, `{"a": 1}`)
	w.Says("fetch", arguments{"url": s.URL + "/endless", "max_length": 100},
		"[characters 0 to 100 of 8388663; go on with start_index 100]")
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

// TestSlowPages checks that a page that does not end is said to go on, and that one that does not begin is refused.
func TestSlowPages(t *testing.T) {
	s := site(t)
	w := tooltest.New(t, web{newClient(true), "Workbench", 300 * time.Millisecond, reader}.server("0"))
	w.Says("fetch", arguments{"url": s.URL + "/slow"}, "The beginning.\n\n[The page goes on")
	w.Says("fetch", arguments{"url": s.URL + "/slow", "raw": true}, "<p>The beginning.\n\n[The page goes on")
	w.Refuses("fetch", arguments{"url": s.URL + "/silent"}, "did not answer within")
	w.Refuses("fetch", arguments{"url": s.URL + "/broken"}, "broke off")
}

// TestPrivateAddresses checks that nothing on this computer or its network is read, also not through a name or a
// redirect.
func TestPrivateAddresses(t *testing.T) {
	s := site(t)
	w := tooltest.New(t, New("0", false, reader))
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

// TestRedirectToPrivate checks that a public site cannot lead to a page of this computer.
func TestRedirectToPrivate(t *testing.T) {
	s := site(t)
	client := newClient(false)
	direct := client.Transport.(chosen).direct.(*http.Transport)
	dial := direct.DialContext
	direct.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "example.org:80" { // the public site
			return net.Dial("tcp", s.Listener.Addr().String())
		}
		return dial(ctx, network, address)
	}
	w := tooltest.New(t, web{client, "Workbench", timeLimit, reader}.server("0"))
	w.Says("fetch", arguments{"url": "http://example.org/page"}, "Grüße")
	w.Refuses("fetch", arguments{"url": "http://example.org/inside?" + s.URL + "/page"}, "--private")
	w.Refuses("fetch", arguments{"url": "http://example.org/inside?http://169.254.169.254/latest"}, "--private")
	w.Refuses("fetch", arguments{"url": "http://example.org/to-closed"}, "robots.txt")
}

// FuzzParts checks that the parts of a page are the whole page, with nothing left out or said twice, and that each has
// as many characters as were asked for.
func FuzzParts(f *testing.F) {
	f.Add("one\ntwo\nthree\n", 5)
	f.Add("Grüße aus 日本語 😀", 1)
	f.Fuzz(func(t *testing.T, text string, length int) {
		if length < 1 || length > 1000 || len(text) > 100*length || text == "" || !utf8.ValidString(text) {
			t.Skip()
		}
		total := utf8.RuneCountInString(text)
		for start := 0; start < total; start += length {
			want := string([]rune(text)[start:min(total, start+length)])
			shown, err := part(text, start, length)
			if rest := strings.TrimPrefix(shown, want); err != nil || rest != "" && !strings.HasPrefix(rest, "\n[characters ") {
				t.Fatalf("the part after %d is %q, %v; it should be %q", start, shown, err, want)
			}
		}
	})
}

// FuzzRobots checks that every robots.txt can be read, and that one that forbids everything does so whatever comes
// before it.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a*b$\nAllow: /", "/a%2fb?c")
	f.Add("\uFEFFuser-agent: Googlebot\r\ncrawl-delay: 1", "/")
	f.Fuzz(func(t *testing.T, robots, path string) {
		address, err := url.Parse("https://example.org/" + path)
		if err != nil {
			t.Skip()
		}
		mayRead(robots, address)
		allowed := mayRead(robots+"\nUser-agent: Workbench\nDisallow: /\n", address)
		if allowed && !strings.Contains(strings.ToLower(robots), "allow") {
			t.Errorf("%s may be read, after %q", path, robots)
		}
	})
}
