package runtimes

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// item is one entry of an archive.
type item struct {
	name, content, link string
	kind                byte
	mode                int64
}

// usual is an archive in the layout of the official ones.
func usual(more ...item) []item {
	return append([]item{
		{name: "node-v1/", kind: tar.TypeDir},
		{name: "node-v1/bin/node", content: "#!/bin/sh\necho node", mode: 0o755},
		{name: "node-v1/lib/node_modules/npm/bin/npx-cli.js", content: "#!/usr/bin/env node\n", mode: 0o755},
		{name: "node-v1/bin/npx", link: "../lib/node_modules/npm/bin/npx-cli.js", kind: tar.TypeSymlink},
		{name: "node-v1/README.md", content: strings.Repeat("words and words\n", 10_000), mode: 0o644},
	}, more...)
}

func tarball(t *testing.T, items []item) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, i := range items {
		kind := i.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		if err := archive.WriteHeader(&tar.Header{Name: i.name, Typeflag: kind, Linkname: i.link, Mode: i.mode, Size: int64(len(i.content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(i.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// server gives one archive, in parts when it is asked for them.
type server struct {
	*httptest.Server
	archive []byte
	etag    string
	wrap    func(w http.ResponseWriter, r *http.Request, next http.Handler) // may be nil

	mu     sync.Mutex
	ranges []string // what was asked for
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

// offering returns runtimes in an empty folder that get an archive from a server of the test's own.
func offering(t *testing.T, s *server) *Runtimes {
	t.Helper()
	return New(Options{
		Folder: filepath.Join(t.TempDir(), "runtimes"),
		Getenv: func(name string) string { return map[string]string{"WORKBENCH_NODE_MIRROR": s.URL}[name] },
		Offers: []Offer{{ID: "node", Name: "Node.js", Version: "1.0.0", Makers: "https://nodejs.invalid", Mirror: "WORKBENCH_NODE_MIRROR",
			Address: "v1/node-v1.tar.gz", Sum: sumOf(s.archive), Top: "node-v1", Commands: []string{"bin/node", "bin/npx"}}},
		stall: 2 * time.Second, pause: time.Millisecond,
	})
}

// nothingThere holds that nothing but the lock is in the folder.
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
	if state.Installed != "1.0.0" || state.Folder != filepath.Join(r.options.Folder, "node", "1.0.0", "bin") || state.Outdated() {
		t.Errorf("it is %+v", state)
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
		t.Errorf("it is got again: %v", err)
	}

	newer := New(r.options)
	newer.options.Offers = []Offer{r.options.Offers[0]}
	newer.options.Offers[0].Version = "1.10.0"
	if state, _ := newer.Find("node"); !state.Outdated() {
		t.Error("it is not outdated")
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

func onUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("its archives are others: TestZip")
	}
}

func TestHostileArchives(t *testing.T) {
	many := usual()
	for i := range maxFiles {
		many = append(many, item{name: "node-v1/share/" + strconv.Itoa(i)})
	}
	whole := tarball(t, usual())
	for name, test := range map[string]struct {
		archive []byte
		code    words.Code
	}{
		"cut":                  {whole[:len(whole)/2], "runtimes.damaged"},
		"cut at its end":       {whole[:len(whole)-6], "runtimes.damaged"},
		"no archive":           {[]byte("<html>Sign in to this network</html>"), "runtimes.damaged"},
		"empty":                {nil, "runtimes.damaged"},
		"no command":           {tarball(t, usual()[:1]), "runtimes.command_missing"},
		"a folder for node":    {tarball(t, append(usual()[2:4:4], item{name: "node-v1/bin/node/", kind: tar.TypeDir})), "runtimes.command_missing"},
		"above":                {tarball(t, usual(item{name: "node-v1/../../evil"})), "runtimes.hostile"},
		"above, plain":         {tarball(t, usual(item{name: "../evil"})), "runtimes.hostile"},
		"absolute":             {tarball(t, usual(item{name: "/tmp/evil"})), "runtimes.hostile"},
		"another folder":       {tarball(t, usual(item{name: "other/file"})), "runtimes.hostile"},
		"the folder as a file": {tarball(t, append([]item{{name: "node-v1", content: "x"}}, usual()[1:]...)), "runtimes.hostile"},
		"backslashes":          {tarball(t, usual(item{name: `node-v1/..\evil`})), "runtimes.hostile"},
		"too deep":             {tarball(t, usual(item{name: "node-v1/" + strings.Repeat("d/", 100) + "x"})), "runtimes.hostile"},
		"link out":             {tarball(t, usual(item{name: "node-v1/out", link: "../../..", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"link, absolute":       {tarball(t, usual(item{name: "node-v1/out", link: "/etc", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"link through a link":  {tarball(t, usual(item{name: "node-v1/a", link: "bin", kind: tar.TypeSymlink}, item{name: "node-v1/b", link: "a/../../../x", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"link that winds":      {tarball(t, usual(item{name: "node-v1/a", link: ".", kind: tar.TypeSymlink}, item{name: "node-v1/b", link: "a/../c", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"file through a link":  {tarball(t, usual(item{name: "node-v1/a", link: "bin", kind: tar.TypeSymlink}, item{name: "node-v1/a/evil", content: "x"})), "runtimes.hostile"},
		"link in place":        {tarball(t, usual(item{name: "node-v1/README.md", link: "bin/node", kind: tar.TypeSymlink})), "runtimes.hostile"},
		"second name":          {tarball(t, usual(item{name: "node-v1/hard", link: "/etc/passwd", kind: tar.TypeLink})), "runtimes.hostile"},
		"device":               {tarball(t, usual(item{name: "node-v1/null", kind: tar.TypeChar})), "runtimes.hostile"},
		"pipe":                 {tarball(t, usual(item{name: "node-v1/fifo", kind: tar.TypeFifo})), "runtimes.hostile"},
		"twice":                {tarball(t, usual(item{name: "node-v1/README.md", content: "again"})), "runtimes.hostile"},
		"below a file":         {tarball(t, usual(item{name: "node-v1/README.md/x", content: "again"})), "runtimes.hostile"},
		"too many files":       {tarball(t, many), "runtimes.too_many_files"},
	} {
		t.Run(name, func(t *testing.T) {
			r := offering(t, serve(t, test.archive))
			if err := r.Get(t.Context(), "node", nil); !words.Is(err, test.code) {
				t.Errorf("got %v", err)
			}
			nothingThere(t, r)
		})
	}
}

// A file that unpacks to more than there may be, which gzip makes small.
func TestUnpacksTooBig(t *testing.T) {
	u := &unpacked{offer: Offer{Name: "x", Top: "x"}, made: map[string]bool{".": true}, bytes: maxUnpacked - 10}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	u.root = root
	if err := u.add("x/a", 0o600, "", strings.NewReader("0123456789")); err != nil {
		t.Errorf("what fits: %v", err)
	}
	if err := u.add("x/b", 0o600, "", strings.NewReader("0")); !words.Is(err, "runtimes.unpacked_too_big") {
		t.Errorf("got %v", err)
	}
}

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

// A connection that is lost again and again: each attempt goes on where the last one ended.
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

// What has come stays when the program ends, and is gone on with by the next; another archive of the same name is not mixed with it.
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

// cutting writes so many bytes, and then loses the connection.
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

// noise does not get smaller when it is packed.
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

// A server that says nothing any more is given up after a while, and asked again.
func TestStall(t *testing.T) {
	onUnix(t)
	s := serve(t, tarball(t, usual()))
	r := offering(t, s)
	r.options.stall = 100 * time.Millisecond
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
	for status, code := range map[int]words.Code{404: "runtimes.status", 403: "runtimes.status", 407: "runtimes.proxy", 503: "runtimes.lost"} {
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
	for _, mirror := range []string{"http://example.com", "ftp://127.0.0.1/x", "/folder", "https://", "http://localhost.example.com"} {
		r.options.Getenv = func(string) string { return mirror }
		if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.mirror") {
			t.Errorf("%s: %v", mirror, err)
		}
	}
	away := serve(t, nil)
	away.wrap = func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, "http://192.0.2.1/node.tar.gz", http.StatusFound)
	}
	if err := offering(t, away).Get(t.Context(), "node", nil); !words.Is(err, "runtimes.unreached") {
		t.Errorf("led away from https: %v", err)
	}
}

// TestRedirects holds where a server may have the download go on.
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
	_ = r.Get(t.Context(), "node", nil) // the proxy of the test speaks no https
	if host != "CONNECT nodejs.invalid:443" {
		t.Errorf("the proxy was asked for %q", host)
	}
	host = ""
	r.options.Getenv = func(name string) string {
		return map[string]string{"https_proxy": proxy.URL, "NO_PROXY": ".invalid"}[name]
	}
	if err := r.Get(t.Context(), "node", nil); !words.Is(err, "runtimes.unreached") || host != "" {
		t.Errorf("NO_PROXY is not followed: %v, %s", err, host)
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

func TestZip(t *testing.T) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range []string{"uv.exe", "uvx.exe"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(name))
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	get := func(data []byte) (*Runtimes, error) {
		s := serve(t, data)
		r := offering(t, s)
		r.options.Offers = []Offer{{ID: "uv", Name: "uv", Version: "0.1.2", Mirror: "WORKBENCH_NODE_MIRROR", Address: "uv.zip", Sum: sumOf(data), Commands: []string{"uv.exe", "uvx.exe"}}}
		return r, r.Get(t.Context(), "uv", nil)
	}
	r, err := get(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(r.options.Folder, "uv", "0.1.2", "uvx.exe")); string(data) != "uvx.exe" {
		t.Errorf("got %q, %v", data, err)
	}
	for name, code := range map[string]words.Code{"../evil": "runtimes.hostile", `..\evil`: "runtimes.hostile", "/evil": "runtimes.hostile", "uv.exe": "runtimes.hostile"} {
		var out bytes.Buffer
		archive := zip.NewWriter(&out)
		for _, name := range []string{"uv.exe", "uvx.exe", name} {
			if _, err := archive.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := get(out.Bytes())
		if !words.Is(err, code) {
			t.Errorf("%s: %v", name, err)
		}
		nothingThere(t, r)
	}
	r, err = get(out.Bytes()[:out.Len()/2])
	if !words.Is(err, "runtimes.damaged") {
		t.Errorf("cut: %v", err)
	}
	nothingThere(t, r)
}

// TestOffers holds that what is offered is whole on each system.
func TestOffers(t *testing.T) {
	ids := environ.RuntimeIDs()
	sums := map[string]bool{}
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
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
			if offer.ID != ids[i] || !strings.HasPrefix(offer.Makers, "https://") || !strings.Contains(offer.Address, offer.Version) || offer.Size == 0 {
				t.Errorf("%s: %+v", system, offer)
			}
		}
	}
	if Offers("plan9", "amd64") != nil {
		t.Error("something is offered on Plan 9")
	}
	for command, want := range map[string]string{"npx": "node", "node": "node", "npx.cmd": "node", "uvx": "uv", "python3": "", "docker": "", "/usr/bin/node": "", "": ""} {
		if got := For(command); got != want {
			t.Errorf("%s is of %q", command, got)
		}
	}
}
