package app

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// fakeApp is a test app that runs until it is told to quit, and that opens nothing.
type fakeApp struct {
	fyne.App
	started chan struct{}
	done    chan struct{}
	opened  []*url.URL
	fails   error
}

func newFakeApp(t *testing.T) *fakeApp {
	return &fakeApp{App: test.NewTempApp(t), started: make(chan struct{}), done: make(chan struct{})}
}

func (a *fakeApp) Run() {
	close(a.started)
	<-a.done
}

func (a *fakeApp) Quit() {
	select {
	case <-a.done:
	default:
		close(a.done)
	}
}

func (a *fakeApp) OpenURL(address *url.URL) error {
	a.opened = append(a.opened, address)
	return a.fails
}

// newDesk gives a desk on a configuration, without its goroutines.
func newDesk(t *testing.T, path string) (*desk, *fakeApp) {
	t.Helper()
	app := newFakeApp(t)
	app.Settings().SetTheme(theme.Theme{})
	location := config.Location{Path: path}
	d := &desk{options: Options{App: app, Location: location}, source: firstSource(location)}
	d.window = newWindow(app, windowActions{openFile: d.openFile, openFolder: d.openFolder, quit: d.quit})
	d.show()
	return d, app
}

func TestRunEndsWithItsContext(t *testing.T) {
	app := newFakeApp(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-app.started
		cancel()
	}()
	location := config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")}
	if err := Run(ctx, Options{App: app, Location: location}); err != nil {
		t.Error(err)
	}
}

func TestStatusLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workbench-config.json")
	d, _ := newDesk(t, path)
	if got := d.window.word.Text(); got != "No problems" || d.window.path.Text() != path || d.window.count.Visible() {
		t.Errorf("without a file it says %q, %q", got, d.window.path.Text())
	}
	d.changed(config.Parse(path, []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}}}}}`)), nil)
	if got := d.window.count.Text(); got != "1 server in 1 toolbox" || !d.window.count.Visible() {
		t.Errorf("with a toolbox it says %q", got)
	}
	d.changed(config.Parse(path, []byte(`{"toolboxes": `)), nil)
	if got := d.window.word.Text(); !strings.HasSuffix(got, "1 problem") {
		t.Errorf("with a broken file it says %q", got)
	}
	if got := d.window.count.Text(); got != "1 server in 1 toolbox" {
		t.Errorf("with a broken file it counts %q: the last good version is what is shown", got)
	}
	d.changed(nil, errors.New("no permission to read the file"))
	if state := trayState(d.source.view()); state.Problem == "" || len(state.Toolboxes) != 1 {
		t.Errorf("the tray shows %+v", state)
	}
}

func TestOpenFolderMakesIt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "there yet")
	d, app := newDesk(t, filepath.Join(folder, "workbench-config.json"))
	d.openFile() // there is none: its folder then
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the folder was not made for its owner alone: %v, %v", info, err)
	}
	if len(app.opened) != 1 || app.opened[0].Scheme != "file" || !strings.HasSuffix(app.opened[0].String(), "there%20yet") {
		t.Errorf("opened %v", app.opened)
	}
	if err := os.WriteFile(d.source.Path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.openFile()
	if !strings.HasSuffix(app.opened[1].Path, "workbench-config.json") {
		t.Errorf("opened %v", app.opened[1])
	}
	app.fails = errors.New("no program for that")
	d.openFile()
	if d.window.window.Canvas().Overlays().Top() == nil {
		t.Error("that the file cannot be opened is not said")
	}
}

func TestFileURL(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a b/c#d.json": "file:///home/a%20b/c%23d.json",
		"C:/Users/x/y.json":  "file:///C:/Users/x/y.json",
	} {
		if got := fileURL(path).String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// After the end, what is still on its way to the window does nothing.
func TestNothingReachesAStoppedWindow(t *testing.T) {
	test.NewTempApp(t)
	d := &desk{}
	calls := 0
	d.do(func() { calls++ })
	d.stop()
	d.do(func() { calls++ })
	if calls != 1 {
		t.Errorf("%d calls, want the one before the end", calls)
	}
}
