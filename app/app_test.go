package app

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

func TestMain(m *testing.M) {
	os.Setenv("LC_ALL", "C") // Run begins with the language of the system
	locale.Install().Speak("en")
	fakeserver.RunIfAsked()
	os.Exit(m.Run())
}

// fakeApp is a test app that runs until Quit is called, and records addresses instead of opening them.
type fakeApp struct {
	fyne.App
	started chan struct{}
	done    chan struct{}
	opened  []*url.URL
	fails   error
}

func newFakeApp(t testing.TB) *fakeApp {
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

// noticed gets the notifications of the system.
type noticed func(notify.Notice)

func (n noticed) Show(notice notify.Notice, _ func(notify.Answer)) { n(notice) }

// bench is a controller on the goroutine of a test, with its parts running in the background.
type bench struct {
	*controller
	t     testing.TB
	app   *fakeApp
	path  string // of the configuration
	link  string
	queue chan func()
}

// patience is how long a test waits for something. It is far more than needed, because the machine may be busy.
const patience = time.Minute

// newBench returns a controller for a configuration; an empty text means no file. before may change the options and
// may be nil.
func newBench(t testing.TB, text string, before func(*Options)) *bench {
	t.Helper()
	folder := t.TempDir()
	b := &bench{
		t: t, app: newFakeApp(t), queue: make(chan func(), 10_000),
		path: filepath.Join(folder, "workbench-config.json"), link: filepath.Join(shortDir(t), "l"),
	}
	b.app.Settings().SetTheme(theme.Theme{})
	if text != "" {
		b.write(text)
	}
	options := Options{
		App:     b.app,
		Version: "test",
		Logger:  slog.New(slog.DiscardHandler),
		Do:      func(f func()) { b.queue <- f },
		Files: Files{Location: config.Location{Path: b.path}, HistoryDir: filepath.Join(folder, "history"),
			Unapplied: filepath.Join(folder, "unapplied"), Logs: logs.Folder(filepath.Join(folder, "logs")), Link: b.link},
		User: User{Lookup: config.Lookup{Env: os.LookupEnv}, Environ: quietShell(t)},
	}
	if before != nil {
		before(&options)
	}
	calls := &consent.Inbox[*ipc.Asked]{}
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: b.link, Program: "test", Config: b.path, OnAsk: calls.Put})
	if err != nil {
		t.Fatal(err)
	}
	file := configfile.Open(store.Options{
		Location: options.Location, HistoryDir: options.HistoryDir, Author: store.AuthorWindow, Approvals: options.Approvals,
		Quiet: 20 * time.Millisecond, Poll: 50 * time.Millisecond,
	})
	b.controller = newController(options, file, hub)
	calls.Open(b.askCall)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		b.run(ctx)
		close(ended)
	}()
	t.Cleanup(func() {
		b.tasks.Stop()
		cancel()
		<-ended
		b.window.Window.Close()
	})
	return b
}

// quietShell returns the environment of a shell that starts at once. The real shell of whoever runs the tests may take
// seconds, and then what is shown would depend on how busy the machine is.
func quietShell(t testing.TB) *environ.Environ {
	return asking(t, "#!/bin/sh\nfor script; do :; done\nexec /bin/sh -c \"$script\"\n") // it reads no start files
}

// asking returns the environment of a shell that is the given script. It waits for the script as long as a test waits.
func asking(t testing.TB, script string) *environ.Environ {
	t.Helper()
	shell := filepath.Join(t.TempDir(), "sh")
	if err := os.WriteFile(shell, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	asked := environ.NewWith(append(os.Environ(), "SHELL="+shell), environ.Options{Limit: patience})
	t.Cleanup(func() { asked.Close() })
	return asked
}

// shortDir returns a folder whose path is short enough for a socket.
func shortDir(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "wb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// write replaces the configuration as editors do.
func (b *bench) write(text string) {
	b.t.Helper()
	next := b.path + ".new"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(next, b.path); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) text() string {
	b.t.Helper()
	text, err := os.ReadFile(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// until runs functions for the goroutine of the window until condition returns "". Otherwise condition says what is
// missing.
func (b *bench) until(condition func() string) {
	b.t.Helper()
	deadline := time.After(patience)
	for {
		missing := condition()
		if missing == "" {
			return
		}
		select {
		case f := <-b.queue:
			f()
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			b.t.Fatalf("still not after %v: %s", patience, missing)
		}
	}
}

// await calls begin and waits until done is called.
func (b *bench) await(begin func(done func(error))) error {
	b.t.Helper()
	var result error
	came := false
	begin(func(err error) { result, came = err, true })
	b.until(func() string {
		if !came {
			return "done was not called"
		}
		return ""
	})
	return result
}

const oneServer = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}}}}}`

func TestRunEndsWithItsContext(t *testing.T) {
	app := newFakeApp(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-app.started
		cancel()
	}()
	location := config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")}
	if err := Run(ctx, Options{App: app,
		Files: Files{Location: location, Link: filepath.Join(shortDir(t), "l")}}); err != nil {
		t.Error(err)
	}
}

// A second start makes the running app show its window, and ends.
func TestSecondStart(t *testing.T) {
	b := newBench(t, oneServer, nil)
	err := Run(t.Context(), Options{App: b.app, Files: Files{Location: config.Location{Path: b.path}, Link: b.link}})
	var running *RunningError
	if !errors.As(err, &running) || running.Config != b.path {
		t.Errorf("a second start ended with %v", err)
	}
}

// A second start without a window, as at login, shows nothing.
func TestSecondStartHidden(t *testing.T) {
	shows := make(chan string, 10)
	link := filepath.Join(shortDir(t), "l")
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: link, Program: "test", Config: "/c", OnShow: func(open string) {
		shows <- open
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		_ = hub.Run(ctx)
		close(ended)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	start := func(hidden bool, open string) {
		t.Helper()
		var running *RunningError
		err := Run(t.Context(), Options{App: newFakeApp(t), Hidden: hidden, Open: open,
			Files: Files{Location: config.Location{Path: "/c"}, Link: link}})
		if !errors.As(err, &running) || running.Config != "/c" {
			t.Errorf("it ended with %v", err)
		}
	}
	start(true, "")
	start(true, "workbench://add")
	if got := <-shows; got != "workbench://add" {
		t.Errorf("the hidden start showed %q", got)
	}
	start(false, "")
	if got := <-shows; got != "" {
		t.Errorf("the usual start opened %q", got)
	}
}

func TestStatusLine(t *testing.T) {
	b := newBench(t, "", nil)
	status := b.window.Status
	b.until(func() string {
		if status.Word.Text() != "No file yet" || status.File.Text.Text() != "workbench-config.json" ||
			status.Problems.Visible() {
			return "without a file it says " + status.Word.Text()
		}
		return ""
	})
	says := func(word, problems string) {
		t.Helper()
		b.until(func() string {
			if got := status.Word.Text(); got != word {
				return "it says " + got + ", not " + word
			}
			if status.Problems.Visible() != (problems != "") || problems != "" && problems != "any" &&
				status.Problems.Text.Text() != problems {
				return "its problems are " + status.Problems.Text.Text()
			}
			return ""
		})
	}
	b.write(oneServer)
	says("Saved", "")
	b.write(`{"toolboxes": `)
	says("Cannot be used", "any")
	b.write(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "surely-not-there"}}}}}`)
	says("Saved", "1 problem")
}

// A folder in place of the file is reported, and the file is read when it exists.
func TestFileThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "workbench-config.json")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, "", func(o *Options) { o.Location.Path = path })
	b.path = path
	b.until(func() string {
		if got := b.window.Status.Word.Text(); got != "The file cannot be read" {
			return "it says " + got
		}
		return ""
	})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b.write(oneServer)
	b.until(func() string {
		if got := b.window.Status.Word.Text(); got != "Saved" {
			return "it says " + got
		}
		return ""
	})
}

// A file that another program has removed is put back as it was, with one click.
func TestFileIsGone(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.untilOwn()
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	b.until(func() string { return differs(b.window.Status.Word.Text(), "No file yet") })
	ofToolboxes{b.controller}.PutBack()
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Saved") })
	if got := b.text(); got != oneServer {
		t.Errorf("the file is\n%s", got)
	}
}

func TestOpenFolderMakesIt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "there yet")
	b := newBench(t, "", func(o *Options) { o.Location.Path = filepath.Join(folder, "workbench-config.json") })
	b.path = b.options.Location.Path
	opened := func(n int) func() string {
		return func() string {
			if len(b.app.opened) < n {
				return "nothing was opened"
			}
			return ""
		}
	}
	b.window.OpenFile(b.options.Location.Path) // there is no file, so the folder is opened
	b.until(opened(1))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the folder was not made for its owner alone: %v, %v", info, err)
	}
	if b.app.opened[0].Scheme != "file" || !strings.HasSuffix(b.app.opened[0].String(), "there%20yet") {
		t.Errorf("opened %v", b.app.opened)
	}
	b.write("{}")
	b.window.OpenFile(b.options.Location.Path)
	b.until(opened(2))
	if !strings.HasSuffix(b.app.opened[1].Path, "workbench-config.json") {
		t.Errorf("opened %v", b.app.opened[1])
	}
	b.app.fails = errors.New("no program for that")
	b.window.OpenFile(b.options.Location.Path)
	b.until(func() string {
		if b.window.Window.Canvas().Overlays().Top() == nil {
			return "that the file cannot be opened is not said"
		}
		return ""
	})
	if copied := b.app.Clipboard().Content(); copied != b.options.Location.Path {
		t.Errorf("copied is %q", copied)
	}
}

// TestNoBrowser: a button that opens a page says so if there is no browser, and copies the address.
func TestNoBrowser(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.app.fails = errors.New("exit status 3")
	b.window.OpenURL("https://claude.ai/download")
	if b.window.Window.Canvas().Overlays().Top() == nil || b.app.Clipboard().Content() != "https://claude.ai/download" {
		t.Errorf("nothing is said, and %q is copied", b.app.Clipboard().Content())
	}
}
