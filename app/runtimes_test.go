package app

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// makers is a download server with the archive of a uv that runs the fake server. While slow is set, it sends half of
// the archive and waits.
type makers struct {
	archive []byte
	slow    atomic.Bool
	asked   atomic.Int32
}

func newMakers(t *testing.T) (*makers, *httptest.Server) {
	t.Helper()
	m := &makers{}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, name := range []string{"uv", "uvx"} {
		script := "#!/bin/sh\nexec '" + os.Args[0] + "' \"$@\"\n"
		if err := archive.WriteHeader(
			&tar.Header{Name: "uv-test/" + name, Mode: 0o755, Size: int64(len(script))}); err != nil {
			t.Fatal(err)
		}
		_, _ = archive.Write([]byte(script))
	}
	_, _ = archive.Close(), zipped.Close()
	m.archive = out.Bytes()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.asked.Add(1)
		w.Header().Set("Content-Length", strconv.Itoa(len(m.archive)))
		if m.slow.Load() {
			_, _ = w.Write(m.archive[:len(m.archive)/2])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		_, _ = w.Write(m.archive)
	}))
	t.Cleanup(server.Close)
	return m, server
}

// serverShown returns a server of "dev" as its card shows it.
func (b *bench) serverShown(name string) toolboxes.Server {
	b.t.Helper()
	for _, server := range b.now.view.Toolboxes[0].Servers {
		if server.Name == name {
			return server
		}
	}
	b.t.Fatalf("there is no server %s", name)
	return toolboxes.Server{}
}

// untilFailed waits until a server could not be started, and its state is a word.
func (b *bench) untilFailed(name, word string) {
	b.t.Helper()
	b.until(func() string { return differs(string(b.serverShown(name).Status), string(status.Failed)) })
	b.untilWord(name, word)
}

// If the program of a server is missing, the window offers to install it and shows the progress. Then the server
// starts by itself.
func TestGetWhatAServerNeeds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the archive is one for Unix")
	}
	makers, web := newMakers(t)
	data := t.TempDir()
	folder := filepath.Join(data, "workbench", "runtimes")
	if runtime.GOOS == "darwin" {
		folder = filepath.Join(data, "Library", "Application Support", "Workbench", "runtimes")
	}
	surroundings := environ.New([]string{"HOME=" + data, "XDG_DATA_HOME=" + data, "PATH=/usr/bin:/bin",
		"SHELL=/no/such/shell"})
	t.Cleanup(func() { surroundings.Close() })
	sum := sha256.Sum256(makers.archive)
	server, err := json.Marshal(map[string]any{"command": "uvx",
		"env": map[string]string{fakeserver.Variable: fakeserver.Script{}.String(), "GORACE": "atexit_sleep_ms=0"}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": `+string(server)+
		`, "b": {"command": "no-such-program-at-all"}}}}}`, func(o *Options) {
		o.Environ = surroundings
		o.Runtimes = runtimes.New(runtimes.Options{
			Folder: folder, Getenv: func(name string) string { return map[string]string{"UV_MIRROR": web.URL}[name] },
			Offers: []runtimes.Offer{{ID: "uv", Name: "uv", Version: "1.2.3", Size: 25_000_000, Makers: "https://uv.invalid",
				Mirror:  "UV_MIRROR",
				Address: "uv-test.tar.gz", Sum: hex.EncodeToString(sum[:]), Top: "uv-test", Commands: []string{"uv", "uvx"}}},
		})
	})
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.runtimes.Look()
	b.untilOwn()
	b.until(func() string { // also before the server was started
		if s := b.serverShown("a"); s.Lack.Runtime.ID != "uv" || s.State != theme.StateNotice {
			return "it does not offer to get uv: " + s.Detail
		}
		return ""
	})
	b.openToolbox("dev", true)
	b.untilFailed("a", "Needs uv")
	b.untilFailed("b", "Can't start")
	if s := b.serverShown("b"); s.Lack.Runtime.ID != "" {
		t.Errorf("another program is offered: %v", s.Lack)
	}
	problems := b.now.view.Problems
	if len(problems) == 0 || problems[0].Fix != "Get uv" {
		t.Errorf("the problems are %+v", problems)
	}
	if help := tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login).Toolboxes[0].Servers[0].Help; help != "Get uv" {
		t.Errorf("the tray offers %q", help)
	}

	makers.slow.Store(true)
	b.fix(at)
	b.until(func() string {
		if s := b.serverShown("a"); !strings.HasPrefix(s.Detail, "Downloading uv: ") || s.State != theme.StateWorking {
			return "it says " + s.Detail
		}
		return ""
	})
	b.places.Choose(placeSettings) // the installation goes on while other screens are shown
	b.settings.Show(settings.SectionDoctor)
	b.places.Choose(placeToolboxes)
	b.fix(at) // cancels the installation
	b.until(func() string {
		if s := b.serverShown("a"); s.Lack.Runtime.Busy || s.Lack.Runtime.Installed != "" {
			return "it goes on"
		}
		return ""
	})
	if left, _ := filepath.Glob(filepath.Join(folder, "[.u][du]*")); len(left) > 0 {
		t.Errorf("files are left: %q", left)
	}

	makers.slow.Store(false)
	b.fix(at)
	b.untilWord("a", "Connected")
	if s := b.serverShown("a"); s.Lack.Runtime.ID != "" {
		t.Errorf("the card still offers %v", s.Lack)
	}
	if makers.asked.Load() != 2 {
		t.Errorf("the archive was requested %d times, want 2", makers.asked.Load())
	}
	b.until(func() string {
		for _, d := range b.now.Warnings {
			if strings.Contains(d.Path, ".a") {
				return "the file still has a warning: " + d.Message.String()
			}
		}
		return ""
	})

	b.runtimes.Remove("uv")
	b.until(func() string {
		if known, _ := b.model.Runtimes.Find("uv"); known.Installed != "" {
			return "uv is still there"
		}
		return ""
	})
}
