package registry

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var update = flag.Bool("update", false, "write what was found into testdata")

// recorded returns the list of servers in the examples of the registry's documentation.
func recorded(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "servers.json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// serve starts a registry, and returns a client for it.
func serve(t *testing.T, handle http.HandlerFunc) *Registry {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return New(Options{Address: server.URL})
}

// TestEntries checks the result for each server of the recorded answer: its publisher, how it runs, and what
// it asks for.
func TestEntries(t *testing.T) {
	a, ok := readAnswer(recorded(t))
	if !ok {
		t.Fatal("the entry cannot be read")
	}
	var b strings.Builder
	for _, s := range a.servers {
		fmt.Fprintf(&b, "%s (%s) %s\n  by %s, %s\n", s.Title, s.Name, s.Version, s.Publisher.Text(), s.Page)
		if s.Deprecated {
			fmt.Fprintf(&b, "  deprecated: %s\n", s.Advice)
		}
		for _, w := range s.Ways {
			if !w.Usable() {
				fmt.Fprintf(&b, "  %s: %s\n", w.Kind, w.Problem)
				continue
			}
			fmt.Fprintf(&b, "  %s: %s = %s\n", w.Kind, w.Entry.Server.Name, foreign.JSON(&w.Entry.Server))
			var drop []foreign.Part
			var answers []foreign.Replacement
			for _, blank := range w.Entry.Blanks {
				fmt.Fprintf(&b, "    %s (%s) optional %t default %q of %q: %s\n", blank.Label, blank.Kind, blank.Optional,
					blank.Default, blank.Options, blank.Hint)
				for _, part := range blank.Parts {
					if blank.Optional && blank.Default == "" {
						drop = append(drop, part)
					} else {
						answers = append(answers, foreign.Replacement{Part: part, With: "ANSWER"})
					}
				}
			}
			fmt.Fprintf(&b, "    filled in: %s\n",
				foreign.CommandLine(foreign.Drop(foreign.Replace(&w.Entry.Server, answers), drop)))
		}
	}
	fmt.Fprintf(&b, "left out: %d, next: %s\n", a.skipped, a.next)
	golden := filepath.Join("testdata", "servers.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestSearch checks what is sent to a registry, and that the same request is sent only once.
func TestSearch(t *testing.T) {
	var asked []string
	r := serve(t, func(w http.ResponseWriter, request *http.Request) {
		asked = append(asked, request.Method+" "+request.URL.Path+"?"+request.URL.RawQuery)
		_, _ = w.Write(recorded(t))
	})
	first, err := r.Search(t.Context(), "  Weather python ", "")
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Servers) != 1 || first.Servers[0].Name != "io.github.example/weather-mcp" ||
		first.Next != "com.example/older:1.0.0" {
		t.Errorf("found %+v", first)
	}
	if _, err := r.Search(t.Context(), "weather", first.Next); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Search(t.Context(), "weather", first.Next); err != nil {
		t.Fatal(err)
	}
	want := []string{"GET /v0.1/servers?limit=30&search=weather&version=latest",
		"GET /v0.1/servers?cursor=com.example%2Folder%3A1.0.0&limit=30&search=weather&version=latest"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	if page, err := r.Search(t.Context(), "   ", ""); err != nil || len(page.Servers) > 0 || len(asked) > 2 {
		t.Error("a search for nothing asked")
	}
}

// TestNothingIsAskedBefore checks that New sends no request.
func TestNothingIsAskedBefore(t *testing.T) {
	var asked atomic.Int32
	r := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	if r.Host() == "" || r.IsOfficial() || asked.Load() > 0 {
		t.Error("the registry was asked")
	}
}

// TestGivenUp checks that a cancelled search ends although the registry does not answer.
func TestGivenUp(t *testing.T) {
	came := make(chan struct{})
	release := make(chan struct{})
	defer close(release)
	r := serve(t, func(http.ResponseWriter, *http.Request) { close(came); <-release })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-came; cancel() }()
	if _, err := r.Search(ctx, "x", ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestOffline checks that an answer from the last day is shown with its age while the registry does not
// answer.
func TestOffline(t *testing.T) {
	broken := false
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if broken {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(recorded(t))
	}))
	defer server.Close()
	r := New(Options{Address: server.URL, Now: func() time.Time { return now }})
	if _, err := r.Search(t.Context(), "weather", ""); err != nil {
		t.Fatal(err)
	}
	broken, now = true, now.Add(2*time.Hour)
	page, err := r.Search(t.Context(), "weather", "")
	if err != nil || page.Age != 2*time.Hour || len(page.Servers) != 3 {
		t.Errorf("%+v, %v", page, err)
	}
	now = now.Add(24 * time.Hour)
	if _, err := r.Search(t.Context(), "weather", ""); err == nil || !strings.Contains(err.Error(), "503") {
		t.Error(err)
	}
}

// TestBadAnswers checks that any bad answer ends soon, in an error, and without filling the memory.
func TestBadAnswers(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		t.Error("another host was asked")
		fmt.Fprint(w, `{"servers": []}`)
	}))
	defer other.Close()
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   words.Code
	}{
		"an error": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTooManyRequests)
		}, "registry.status"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html>Sign in to the Wi-Fi</html>")
		}, "registry.unreadable"},
		"no list": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"servers": {}}`)
		}, "registry.unreadable"},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, "registry.unreadable"},
		"without end": {func(w http.ResponseWriter, _ *http.Request) {
			if writesAll(w) {
				t.Error("all of an answer without end was read")
			}
		}, "registry.too_large"},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			fmt.Fprint(w, "{")
		}, "registry.unreachable"},
		"deep": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, strings.Repeat("[", 1<<20))
		}, "registry.unreadable"},
		"somewhere else": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusFound)
		}, "registry.redirected"},
		"in a circle": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again", http.StatusFound)
		}, "registry.redirected"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, test.handle).Search(t.Context(), "x", "")
			var said *words.Error
			if !errors.As(err, &said) || said.Text().Code != test.want {
				t.Errorf("%v", err)
			}
		})
	}
}

// writesAll writes far more than a reader should read, and reports whether all of it was taken.
func writesAll(w io.Writer) bool {
	chunk := []byte(strings.Repeat("[\"x\", ", 10_000))
	for range 1000 {
		if _, err := w.Write(chunk); err != nil {
			return false
		}
	}
	return true
}

// transport answers the requests of a registry without a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// TestSlowAnswer checks that a search ends if the registry never answers.
func TestSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Options{Base: transport(func(request *http.Request) (*http.Response, error) {
			<-request.Context().Done()
			return nil, request.Context().Err()
		})})
		_, err := r.Search(t.Context(), "x", "")
		var said *words.Error
		if !errors.As(err, &said) || said.Text().Code != "registry.slow" {
			t.Error(err)
		}
	})
}

// TestRedirectWithoutEncryption checks that a registry cannot lead from https to http.
func TestRedirectWithoutEncryption(t *testing.T) {
	r := New(Options{Base: transport(func(request *http.Request) (*http.Response, error) {
		if request.URL.Scheme != "https" {
			t.Errorf("%s was asked", request.URL)
		}
		return &http.Response{StatusCode: http.StatusFound, Body: http.NoBody, Request: request,
			Header: http.Header{"Location": {"http://" + request.URL.Host + "/other"}}}, nil
	})})
	if _, err := r.Search(t.Context(), "x", ""); err == nil {
		t.Error("there is no error")
	}
}

// TestPagesEnd checks that the search ends even if a registry always has a next page, or the same one again.
func TestPagesEnd(t *testing.T) {
	for _, cursor := range []string{"same", "%d"} {
		asked := 0
		r := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			next := cursor
			if cursor == "%d" {
				next = fmt.Sprint(asked)
			}
			fmt.Fprintf(w, `{"servers": [], "metadata": {"nextCursor": %q}}`, next)
		})
		page, err := r.Search(t.Context(), "x", "")
		if err != nil || asked > maxRequests || cursor == "same" && page.Next != "" {
			t.Errorf("%d requests, then the page %q, %v", asked, page.Next, err)
		}
	}
}

// TestAddresses checks which addresses of registries are accepted.
func TestAddresses(t *testing.T) {
	for address, good := range map[string]bool{
		"": true, "https://registry.example.com/mcp/": true, "http://127.0.0.1:8080": true,
		"http://registry.example.com": false, "ftp://x": false, "x": false, "https://a@b": false, "https://a/?b": false,
		"http://localhost.example.com": false,
	} {
		r := New(Options{Address: address, Base: transport(refuse)})
		_, err := r.Search(t.Context(), "x", "")
		var said *words.Error
		if refused := errors.As(err, &said) && said.Text().Code == "registry.address"; refused == good ||
			(r.Host() != "") != good {
			t.Errorf("%q: %v, host %q", address, err, r.Host())
		}
	}
}

// refuse fails every request.
func refuse(*http.Request) (*http.Response, error) { return nil, errors.New("no network here") }
