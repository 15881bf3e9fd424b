package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// TestMadeUpLanguageOfQuestions does what TestMadeUpLanguage does, for what the window asks and says while it is used:
// changes by another program, a conflict, a sign-in, a call to allow, and text that was lost.
func TestMadeUpLanguageOfQuestions(t *testing.T) {
	keychaintest.Mock(t)
	voice := madeUp(t)
	service := fakeservice.New()
	t.Cleanup(service.Stop)
	folder := t.TempDir()
	file := func(args string) string {
		text, err := json.Marshal(map[string]any{
			"toolboxes": map[string]any{"a1": map[string]any{"mcpServers": map[string]any{
				"f1": map[string]any{"url": service.Address()},
				"g1": map[string]any{"command": os.Args[0], "args": []string{args},
					"env": map[string]string{fakeserver.Variable: fakeserver.Script{}.String(), "X1": "0"}},
			}}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	kept, err := model.OpenPreferences(filepath.Join(folder, "preferences.json"))
	if err != nil {
		t.Fatal(err)
	}
	source := engines.UsageSource{Folder: usage.Folder(filepath.Join(folder, "usage")),
		Preferences: filepath.Join(folder, "preferences.json")}
	notices := make(chan notify.Notice, 100)
	b := newBench(t, file("1"), func(o *Options) {
		o.voice, o.Preferences, o.Usage, o.Logs = voice, kept, source, logs.Folder(filepath.Join(folder, "logs"))
		o.Unapplied = filepath.Join(folder, "unapplied")
		o.SignIns = signin.Open(signin.Options{Dir: filepath.Join(folder, "sign-ins")})
		o.Approvals = approval.New(approval.Options{Path: filepath.Join(folder, "state", "approvals.json")})
		o.Notices = noticed(func(notice notify.Notice) { notices <- notice })
	})
	data := []string{"Workbench", "Claude", "Desktop", "JSON", "MCP", "http", "mcp", "fake", "echo", "args", "env",
		"command", "url", "mcpServers", "toolboxes", "workbenchToolbox", "name", "npx", fakeserver.Variable}
	l := &textFinder{bench: b, data: data, found: map[string][]string{}}
	l.untilOwn()
	l.until(func() string { return differs(fmt.Sprint(b.now.Approval.State.On), "true") })
	at := func(server string) model.Choice { return model.Choice{Toolbox: "a1", Server: server} }
	canvas := b.window.Window.Canvas()
	asked := func(name string, open func()) {
		t.Helper()
		open()
		l.until(func() string {
			if canvas.Overlays().Top() == nil {
				return name + ": there is no dialog"
			}
			return ""
		})
		l.look(name)
		b.window.Dismiss()
		l.drain()
	}

	w := usage.NewWriter(usage.Options{Folder: source.Folder, Preferences: source.Preferences, Config: b.path,
		App: "cursor", Now: time.Now})
	w.SetOffered(func() []usage.Toolbox { return []usage.Toolbox{{Name: "a1", Servers: []string{"f1", "g1"}}} })
	w.Call("a1", "g1", "t1", time.Millisecond, true)
	w.Close(time.Minute)
	b.places.Choose(placeUsage)
	l.until(func() string {
		if b.model.Usage.Report == nil {
			return "what was used is not read"
		}
		return ""
	})
	l.look("usage")

	b.places.Choose(placeToolboxes)
	if err := os.WriteFile(filepath.Join(folder, "unapplied"), []byte("f1\ng1"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.detail.SayUnapplied()
	b.tasks.Wait()
	b.drain()
	if !strings.Contains(b.toast(), "g1") {
		t.Errorf("the toast says %q", b.toast())
	}
	l.look("what was not applied")
	b.window.Toast.Hide()

	asked("sharing", func() { b.share("a1") })
	asked("the log of an engine", func() {
		serverlog.ShowEngine(model.Engine{Client: "Claude"}, b.window, b.tasks, b.options.Logs)
	})
	asked("an error", func() { b.window.Fail(errors.New("0")) })
	b.start(at("f1"))
	l.until(func() string {
		if b.now.Live.Server("a1", "f1").State != status.SignIn {
			return "it needs no sign-in"
		}
		return ""
	})
	asked("a sign-in", func() {
		b.fix(at("f1"))
		l.look("the beginning of a sign-in")
		l.until(func() string {
			if !strings.Contains(strings.Join(l.shown(), " "), "127.0.0.1") {
				return "the host is not shown"
			}
			return ""
		})
	})

	// Another program changes the same argument.
	before := b.now.File.Now
	b.write(file("2"))
	b.untilWaiting(1)
	walk := func(items []tray.Item) {
		for _, item := range items {
			l.check("the tray", item.Label)
		}
	}
	walk(tray.Menu(tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login)))
	l.look("a changed server")
	asked("what has changed", b.approving.Show)
	asked("a conflict", func() {
		b.saver.EditFrom(before, []edit.Op{
			edit.SetField{Target: edit.Target{Toolbox: "a1", Server: "g1"}, Field: []string{"args"},
				Value: json.RawMessage(`["3"]`)}}, func(error) {})
	})

	answer, withdraw := b.asks(status.Question{Toolbox: "a1", Server: "g1", Tool: "t1",
		Arguments: json.RawMessage(`{"k1": 1}`), Until: time.Now().Add(time.Minute)})
	for _, window := range fyne.CurrentApp().Driver().AllWindows() {
		if window != b.window.Window {
			l.check("a call to allow", window.Title())
			l.check("a call to allow", textsIn(window.Canvas().Content())...)
		}
	}
	withdraw()
	<-answer

	for len(notices) > 0 {
		notice := <-notices
		l.check("a notification", notice.Title, notice.Text)
	}
	l.tell()
}
