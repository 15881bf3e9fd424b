package runtimes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// server serves one archive. It supports range requests.
type server struct {
	*httptest.Server
	archive []byte
	etag    string
	wrap    func(w http.ResponseWriter, r *http.Request, next http.Handler) // may be nil

	mu     sync.Mutex
	ranges []string // the requested ranges
}

func serve(t *testing.T, archive []byte) *server {
	t.Helper()
	s := &server{archive: archive, etag: `"one"`}
	give := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", s.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.archive))
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.ranges = append(s.ranges, r.Header.Get("Range"))
		s.mu.Unlock()
		if s.wrap != nil {
			s.wrap(w, r, give)
			return
		}
		give(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.ranges...)
}

func sumOf(archive []byte) string {
	sum := sha256.Sum256(archive)
	return hex.EncodeToString(sum[:])
}

// offering returns runtimes in an empty folder that download from a test server.
func offering(t *testing.T, s *server) *Runtimes {
	t.Helper()
	return New(Options{
		Folder: filepath.Join(t.TempDir(), "runtimes"),
		Getenv: func(name string) string { return map[string]string{"WORKBENCH_NODE_MIRROR": s.URL}[name] },
		Offers: []Offer{{ID: "node", Name: "Node.js", Version: "1.0.0", Makers: "https://nodejs.invalid",
			Mirror:  "WORKBENCH_NODE_MIRROR",
			Address: "v1/node-v1.tar.gz", Sum: sumOf(s.archive), Top: "node-v1", Commands: []string{"bin/node", "bin/npx"}}},
		stall: 2 * time.Second, pause: time.Millisecond,
	})
}

// nothingThere checks that the folder has nothing but the lock.
func nothingThere(t *testing.T, r *Runtimes) {
	t.Helper()
	entries, err := os.ReadDir(r.options.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != lockName {
			left, _ := filepath.Glob(filepath.Join(r.options.Folder, entry.Name(), "*"))
			t.Errorf("%s is left, with %q", entry.Name(), left)
		}
	}
}

func TestGetAndRemove(t *testing.T) {
	onUnix(t)
	s := serve(t, tarball(t, usual()))
	r := offering(t, s)
	var steps []Step
	if err := r.Get(t.Context(), "node", func(p Progress) {
		if len(steps) == 0 || steps[len(steps)-1] != p.Step {
			steps = append(steps, p.Step)
		}
		if p.Done > p.All {
			t.Errorf("%d of %d", p.Done, p.All)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(steps) != fmt.Sprint([]Step{Connecting, Downloading, Unpacking}) {
		t.Errorf("the steps were %v", steps)
	}
	state, _ := r.Find("node")
	if state.Installed != "1.0.0" || state.Folder != filepath.Join(r.options.Folder, "node", "1.0.0", "bin") ||
		state.Outdated() {
		t.Errorf("the state is %+v", state)
	}
	if !environ.Runs("npx", []string{"PATH=" + state.Folder}) {
		t.Error("npx is not found, or not its node")
	}
	for name, want := range map[string]os.FileMode{"bin/node": 0o700, "README.md": 0o600, ".": os.ModeDir | 0o700} {
		info, err := os.Stat(filepath.Join(filepath.Dir(state.Folder), name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(r.options.Folder, ".[du]*")); len(left) > 0 {
		t.Errorf("left is %q", left)
	}
	asked := len(s.asked())
	if err := r.Get(t.Context(), "node", nil); err != nil || len(s.asked()) != asked {
		t.Errorf("the runtime is downloaded again: %v", err)
	}

	newer := New(r.options)
	newer.options.Offers = []Offer{r.options.Offers[0]}
	newer.options.Offers[0].Version = "1.10.0"
	if state, _ := newer.Find("node"); !state.Outdated() {
		t.Error("the runtime is not outdated")
	}
	if err := newer.Get(t.Context(), "node", nil); err != nil {
		t.Fatal(err)
	}
	if state, _ := newer.Find("node"); state.Installed != "1.10.0" {
		t.Errorf("there is %s", state.Installed)
	}
	if versions, _ := os.ReadDir(filepath.Join(r.options.Folder, "node")); len(versions) != 1 {
		t.Errorf("there are %d versions", len(versions))
	}
	if err := r.Remove(t.Context(), "node"); err != nil {
		t.Fatal(err)
	}
	nothingThere(t, r)
	if err := r.Remove(t.Context(), "node"); err != nil {
		t.Errorf("a second time: %v", err)
	}
	for _, err := range []error{r.Get(t.Context(), "deno", nil), r.Remove(t.Context(), "../x")} {
		if !words.Is(err, "runtimes.unknown") {
			t.Errorf("got %v", err)
		}
	}
}

func TestOneAtATime(t *testing.T) {
	r := offering(t, serve(t, tarball(t, usual())))
	if err := os.MkdirAll(r.options.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(r.options.Folder, lockName))
	if ok, err := lock.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	for _, err := range []error{r.Get(t.Context(), "node", nil), r.Remove(t.Context(), "node")} {
		if err != ErrBusy {
			t.Errorf("got %v", err)
		}
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(r.options.Folder, unpacking+"of-one-that-was-killed"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := r.Remove(t.Context(), "node"); err != nil {
		t.Fatal(err)
	}
	nothingThere(t, r)
}

// TestOffers checks that the offers are complete on each system.
func TestOffers(t *testing.T) {
	ids := environ.RuntimeIDs()
	sums := map[string]bool{}
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64",
		"windows/arm64"} {
		goos, goarch, _ := strings.Cut(system, "/")
		offers := Offers(goos, goarch)
		if len(offers) != len(ids) {
			t.Fatalf("%s has %d", system, len(offers))
		}
		for i, offer := range offers {
			raw, err := hex.DecodeString(offer.Sum)
			if err != nil || len(raw) != sha256.Size || sums[offer.Sum] || offer.Sum != strings.ToLower(offer.Sum) {
				t.Errorf("%s, %s: the sum %s", system, offer.ID, offer.Sum)
			}
			sums[offer.Sum] = true
			if offer.ID != ids[i] || !strings.HasPrefix(offer.Makers, "https://") ||
				!strings.Contains(offer.Address, offer.Version) || offer.Size == 0 {
				t.Errorf("%s: %+v", system, offer)
			}
		}
	}
	if Offers("plan9", "amd64") != nil {
		t.Error("something is offered on Plan 9")
	}
	for command, want := range map[string]string{"npx": "node", "node": "node", "npx.cmd": "node", "uvx": "uv",
		"python3": "", "docker": "", "/usr/bin/node": "", "": ""} {
		if got := For(command); got != want {
			t.Errorf("%s is of %q", command, got)
		}
	}
}
