package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// entryOf returns the entry of a fake server.
func entryOf(script fakeserver.Script) json.RawMessage {
	text, _ := json.Marshal(map[string]any{"command": os.Args[0],
		"env": map[string]string{fakeserver.Variable: script.String()}})
	return text
}

// A server is added to a new toolbox and tried at once.
func TestAddAndTry(t *testing.T) {
	for name, c := range map[string]struct {
		script fakeserver.Script
		want   status.State
	}{
		"works":  {fakeserver.Script{}, status.Connected},
		"broken": {fakeserver.Script{InitializeError: json.RawMessage(`{"code": -32601, "message": "no"}`)}, status.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "", nil)
			if err := b.await(func(done func(error)) {
				b.adding.Add("mine", true, "", []add.Server{{Name: "a", Entry: entryOf(c.script)}}, done)
			}); err != nil {
				t.Fatal(err)
			}
			if got := b.toolboxes.Selected().Toolbox; got != "mine" {
				t.Errorf("selected is %q", got)
			}
			var last status.Server
			b.adding.Try(t.Context(), "mine", "a", func(status.Server) {}, func(now status.Server) { last = now })
			b.until(func() string {
				if last.Name == "" {
					return "the trial does not end"
				}
				return ""
			})
			if last.State != c.want || c.want == status.Connected && last.Tools != 1 || c.want == status.Failed &&
				last.Problem == nil {
				t.Errorf("the trial ended with %+v", last)
			}
			b.undo() // as one step
			b.until(func() string {
				if len(b.now.view.Toolboxes) > 0 {
					return "the toolbox is still there"
				}
				return ""
			})
		})
	}
}

func TestTrialCanBeGivenUp(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {InitializeDelayMs: 3_600_000}}), nil)
	b.untilOwn()
	ctx, cancel := context.WithCancel(t.Context())
	reported := make(chan struct{}, 100)
	b.adding.Try(ctx, "dev", "a", func(status.Server) {
		reported <- struct{}{}
	}, func(status.Server) { t.Error("the cancelled trial reports its end") })
	b.until(func() string {
		if len(reported) == 0 {
			return "nothing is told of the trial"
		}
		return ""
	})
	cancel()
}

func TestDroppedFile(t *testing.T) {
	b := newBench(t, oneServer, nil)
	path := filepath.Join(t.TempDir(), "claude_desktop_config.json")
	if err := os.WriteFile(path, []byte(`{"mcpServers": {"b": {"command": "sh"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.adding.Drop("dev", []fyne.URI{storage.NewFileURI(path)})
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "the dialog does not open"
		}
		return ""
	})
	b.addHere() // a dialog is open already
	b.adding.Dialog().Close()
	if b.adding.Dialog() != nil {
		t.Error("the dialog is still kept")
	}
	b.adding.Drop("dev", []fyne.URI{storage.NewFileURI(path + ".not-there")})
	b.until(func() string {
		if b.window.Window.Canvas().Overlays().Top() == nil {
			return "that the file cannot be read is not said"
		}
		return ""
	})
}

// If several files are dropped together, all are read.
func TestDroppedFiles(t *testing.T) {
	b := newBench(t, oneServer, nil)
	folder := t.TempDir()
	var uris []fyne.URI
	for name, text := range map[string]string{
		"a.json":   `{"mcpServers": {"first": {"command": "sh"}}}`,
		"b.toml":   "[mcp_servers.second]\ncommand = \"sh\"\n",
		"note.txt": "How do I add a server to this app?",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		uris = append(uris, storage.NewFileURI(path))
	}
	uris = append(uris, storage.NewFileURI(filepath.Join(folder, "not-there.json")))
	b.adding.Drop("dev", uris)
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "the dialog does not open"
		}
		return ""
	})
	if got := b.overlay(); !strings.Contains(got, "2 servers to look at") {
		t.Errorf("shown is %s", got)
	}
	b.adding.Dialog().Close()

	b.adding.Drop("dev", make([]fyne.URI, 51))
	if got := b.toast(); b.adding.Dialog() != nil || !strings.Contains(got, "These are 51 files") {
		t.Errorf("a folder full of files is not refused: %q", got)
	}
}

// fakeLogin is a start at login that can fail.
type fakeLogin struct {
	on    bool
	fails error
}

func (l *fakeLogin) On() (bool, error) { return l.on, nil }
func (l *fakeLogin) Set(on bool) error {
	if l.fails == nil {
		l.on = on
	}
	return l.fails
}

func TestSettings(t *testing.T) {
	keychaintest.Mock(t)
	login := &fakeLogin{}
	path := filepath.Join(t.TempDir(), "preferences.json")
	preferences, err := model.OpenPreferences(path)
	if err != nil {
		t.Fatal(err)
	}
	level := &slog.LevelVar{}
	b := newBench(t, `{"toolMode": "proxy", "toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh", "env": {"T": "${keyring:token}"}}}}}}`, func(o *Options) {
		o.Login, o.Preferences, o.LogLevel = login, preferences, level
	})
	b.computer.AskLogin()
	b.places.Choose(placeSettings)
	secret := func(want model.SecretState) {
		t.Helper()
		b.until(func() string {
			if secrets := b.computer.View(&b.model).Secrets; len(secrets) != 1 || secrets[0].State != want {
				return "the secret is not as it should be"
			}
			return ""
		})
	}
	secret(model.SecretMissing)
	actions := ofSettings{b.computer, b.controller}
	if err := b.await(func(done func(error)) { actions.SetSecret("token", "s3cret", done) }); err != nil {
		t.Fatal(err)
	}
	secret(model.SecretPresent)
	if err := b.await(func(done func(error)) { actions.DeleteSecret("token", done) }); err != nil {
		t.Fatal(err)
	}
	secret(model.SecretMissing)

	if err := b.await(func(done func(error)) {
		actions.Prefer(func(p *model.Preferences) { p.Theme = model.ThemeDark }, done)
	}); err != nil {
		t.Fatal(err)
	}
	if got := b.app.Settings().Theme(); got != (theme.Theme{Look: theme.LookDark}) {
		t.Errorf("the theme is %v", got)
	}
	if err := b.await(func(done func(error)) {
		actions.Prefer(func(p *model.Preferences) { p.LogLevel = "debug" }, done)
	}); err != nil || level.Level() != slog.LevelDebug {
		t.Errorf("the level is %v, %v", level.Level(), err)
	}
	b.remember()
	again, err := model.OpenPreferences(path)
	if err != nil || again.Get().Theme != model.ThemeDark ||
		again.Get().Window.Width != b.window.Window.Canvas().Size().Width {
		t.Errorf("the saved preferences are %+v, %v", again.Get(), err)
	}

	ofTray{b.controller}.Do(tray.Action{Verb: tray.VerbLogin})
	b.until(func() string {
		if view := b.computer.View(&b.model).Login; !view.On || !view.Known {
			return "it does not start at login"
		}
		return ""
	})
	login.fails = errors.New("Workbench did not make it")
	if err := b.await(func(done func(error)) { actions.SetStartAtLogin(false, done) }); err == nil || !b.model.Login.On {
		t.Errorf("start at login is shown as off, although it could not be switched off: %v", err)
	}

	view := b.computer.View(&b.model)
	if view.ToolMode.Mode != "proxy" || view.ToolMode.Fixed || view.About.Version != "test" {
		t.Errorf("the settings are %+v", view)
	}
	actions.Check()
	b.until(func() string {
		if view := b.computer.View(&b.model).Doctor; view.Running || len(view.Checks) == 0 || view.Finished.IsZero() {
			return "the computer is still being checked"
		}
		return ""
	})
	if err := b.await(actions.CopyReport); err != nil {
		t.Fatal(err)
	}
	if got := b.app.Clipboard().Content(); !strings.Contains(got, "Workbench Desktop test") {
		t.Errorf("the report is\n%s", got)
	}
}

// A problem leads to its place in the text of the file, and Esc leads back.
func TestProblemInTheFile(t *testing.T) {
	b := newBench(t, strings.Replace(oneServer, `"sh"`, `5`, 1), nil)
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
	b.showProblem(b.now.File.Now.Diagnostics[0])
	if b.places.At() != placeFile || b.window.Content.Shown() != b.file.Object() {
		t.Fatal("the file is not shown")
	}
	b.window.Window.Canvas().Unfocus()
	b.escape()
	if b.places.At() != placeToolboxes {
		t.Error("Esc does not lead back")
	}
}

func TestTrayState(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {},
		"b": {InitializeError: json.RawMessage(`{"code": -32601, "message": "no"}`)}}), nil)
	b.untilOwn()
	b.openToolbox("dev", true)
	b.untilWord("a", "Connected")
	b.untilWord("b", "Can't start")
	state := tray.StateOf(b.now.Snapshot, b.now.view, model.Login{Known: true, On: true})
	servers := state.Toolboxes[0].Servers
	if servers[0].Text != "1 tool" || !strings.Contains(servers[1].Text, "'initialize'") || !state.Login ||
		state.NoLogin {
		t.Errorf("the tray has %+v", state)
	}
	ofTray{b.controller}.Do(tray.Action{Verb: tray.VerbFix, Toolbox: "dev", Server: "b"})
	if b.detail.At.Server != "b" {
		t.Errorf("the window shows %v", b.detail.At)
	}
	ofTray{b.controller}.Do(tray.Action{Verb: tray.VerbPause})
	b.until(func() string {
		if !tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login).Paused {
			return "it is not paused"
		}
		return ""
	})
}

// Ctrl+F focuses the visible search field, and Ctrl+Tab shows the next tab of the server.
func TestKeysFollowWhatIsShown(t *testing.T) {
	b := newBench(t, oneServer, nil)
	canvas := b.window.Window.Canvas()
	choice := model.Choice{Toolbox: b.now.view.Toolboxes[0].Name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	placeholder := func() string {
		switch focused := canvas.Focused().(type) {
		case *kit.Input:
			return focused.PlaceHolder
		}
		return fmt.Sprintf("%T", canvas.Focused())
	}
	b.showServer(choice) // not connected, so there are no tools to search
	for _, step := range []struct {
		by   int
		tab  model.Tab
		find string
	}{
		{0, model.TabSetup, "Search"},
		{1, model.TabLog, "Search"},
		{-1, model.TabSetup, "Search"},
		{-1, model.TabTools, "Search"},
	} {
		if step.by != 0 {
			b.stepTab(step.by)
		}
		if b.detail.Editor.Tab() != step.tab {
			t.Fatalf("tab %v is shown, not %v", b.detail.Editor.Tab(), step.tab)
		}
		canvas.Unfocus()
		b.search()
		if got := placeholder(); got != step.find {
			t.Errorf("in tab %v Ctrl+F goes to %q, not %q", step.tab, got, step.find)
		}
	}
	b.places.Choose(placeSettings)
	b.stepTab(1)
	if b.detail.Editor.Tab() != model.TabTools {
		t.Error("the tab was changed although it is not visible")
	}
	b.places.Choose(placeToolboxes)
	b.addHere()
	canvas.Unfocus()
	b.search()
	if got := placeholder(); got != "Search" {
		t.Errorf("in the catalogue Ctrl+F goes to %q", got)
	}
}
