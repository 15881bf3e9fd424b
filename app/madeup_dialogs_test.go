package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// untilShown waits until a dialog shows a text, which may be on several lines.
func (l *textFinder) untilShown(text string) {
	l.t.Helper()
	l.until(func() string {
		top := l.window.Window.Canvas().Overlays().Top()
		if top == nil {
			return "there is no dialog"
		}
		if all := strings.Join(strings.Fields(strings.Join(textsIn(top), " ")), " "); !strings.Contains(all, text) {
			return fmt.Sprintf("%q is not shown: %s", text, all)
		}
		return ""
	})
}

// lookOver is like look, for the topmost dialog alone.
func (l *textFinder) lookOver(place string) {
	l.t.Helper()
	l.drain()
	l.check(place, textsIn(l.window.Window.Canvas().Overlays().Top())...)
}

// TestMadeUpLanguageOfServers does what TestMadeUpLanguage does, for what servers ask the user while a tool is tried.
func TestMadeUpLanguageOfServers(t *testing.T) {
	voice := madeUp(t)
	form := `{"message":"0","requestedSchema":{"type":"object","required":["n1"],"properties":{"n1":{"type":"string","minLength":2,"format":"email"},` +
		`"n2":{"type":"integer","maximum":3,"default":9},"n3":{"type":"boolean"},"n4":{"type":"string","enum":["x","y"]},` +
		`"n5":{"type":"array","minItems":1,"items":{"type":"string","enum":["x","y"]}},"n6":{"type":"string","format":"date"},"n7":{"type":"string","format":"password"}}}}`
	long := `{"message":"` + strings.Repeat(`0 1\n`, 400) + `","requestedSchema":{"type":"object","properties":{}}}`
	page := func(address string) string { return `{"mode":"url","message":"0","url":"` + address + `"}` }
	b := newBench(t, fakes(map[string]fakeserver.Script{
		"a": askingOnCall("elicitation/create", form),
		"b": askingOnCall("elicitation/create", page("https://example.com/1")),
		"c": askingOnCall("elicitation/create", page("http://example.com/1")),
		"d": askingOnCall("elicitation/create", page("https://example.com@1.example/")),
		"e": askingOnCall("elicitation/create", `{"mode":"0"}`), "f": askingOnCall("elicitation/create", long),
		"g": {Tools: []json.RawMessage{fakeserver.Tool("echo")},
			Errors: map[string]json.RawMessage{
				"echo": json.RawMessage(`{"code":-32042,"message":"0","data":{"elicitations":[` + page("https://example.com/1") +
					`]}}`)}},
	}), func(o *Options) { o.voice = voice })
	l := &textFinder{bench: b, data: []string{"Workbench", "MCP", "JSON", "AI", "dev", "echo", "fake", "https", "http",
		"example.com", "1.example", "Claude Desktop"}, found: map[string][]string{}}
	asked := func(server string) *tried {
		t.Helper()
		r := b.tries(server)
		l.until(func() string {
			if b.overlay() == "" {
				return server + " asks nothing"
			}
			return ""
		})
		l.lookOver("a question of " + server)
		return r
	}
	ends := func(r *tried) {
		t.Helper()
		b.window.Dismiss()
		r.ends()
	}

	r := asked("a")
	l.press(lang.L("Send"))
	l.lookOver("what is wrong in a form")
	ends(r)
	r = asked("b")
	b.app.fails = fmt.Errorf("0")
	l.press(lang.L("Open the browser"))
	l.lookOver("a page that cannot be opened")
	b.app.fails = nil
	l.press(lang.L("Open the browser"))
	ends(r)
	ends(asked("c"))
	ends(asked("d"))
	r = asked("f")
	l.press(lang.L("Show all"))
	l.lookOver("a long message")
	ends(r)
	r = asked("g")
	l.press(lang.L("Open the browser"))
	l.untilShown(lang.L("Come back here when you have finished on the page."))
	l.lookOver("an open page")
	ends(r)
	b.tries("e").ends() // its question cannot be shown

	// Two calls to allow, of a tool that deletes.
	question := status.Question{Toolbox: "a1", Server: "g1", Tool: "t1", Destructive: true,
		Until: time.Now().Add(time.Minute)}
	_, first := b.asks(question)
	_, second := b.asks(question)
	l.until(func() string {
		var said []string
		for _, window := range fyne.CurrentApp().Driver().AllWindows() {
			if window != b.window.Window {
				said = append(append(said, window.Title()), textsIn(window.Canvas().Content())...)
			}
		}
		if all := strings.Join(said, "\n"); !strings.Contains(all,
			lang.N("Refuse all {{.Count}}", 2, map[string]any{"Count": 2})) {
			return "only one waits: " + all
		}
		l.check("calls to allow", said...)
		return ""
	})
	first()
	second()
	l.tell()
}

// TestMadeUpLanguageOfFiles does what TestMadeUpLanguage does, for the dialogs in which the user chooses a file or a
// folder.
func TestMadeUpLanguageOfFiles(t *testing.T) {
	voice := madeUp(t)
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(folder, ".c1"))
	for name, text := range map[string]string{".c1/user-dirs.dirs": `XDG_DOCUMENTS_DIR="$HOME/d1"`, "d1/a1.x": "",
		"d1/b1/c1.x": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t, oneServer, func(o *Options) { o.voice = voice })
	l := &textFinder{bench: b, data: strings.Split(folder, "/"), found: map[string][]string{}}
	canvas := b.window.Window.Canvas()
	look := func(name string) {
		t.Helper()
		l.check(name, textsIn(canvas.Overlays().Top())...)
	}
	// behind checks what the buttons with an icon open: a form for a new folder, and a menu.
	behind := func(name string) {
		t.Helper()
		dialog := canvas.Overlays().Top()
		shown := 0
		for _, object := range test.LaidOutObjects(dialog) {
			if button, ok := object.(*widget.Button); ok && button.Text == "" {
				test.Tap(button)
				if top := canvas.Overlays().Top(); top != dialog {
					shown++
					look(name)
					canvas.Overlays().Remove(top)
				}
			}
		}
		if shown != 2 {
			t.Errorf("%s: %d buttons open something, want 2", name, shown)
		}
	}
	b.window.PickFile(func(string) {})
	if got := textsIn(canvas.Overlays().Top()); !slices.Contains(got, lang.L("Home")) ||
		!slices.Contains(got, lang.L("Computer")) {
		t.Errorf("the places are not shown: %q", got)
	}
	look("choosing a file")
	behind("choosing a file")
	b.window.Dismiss()
	b.window.PickFolder(func(string) {})
	look("choosing a folder")
	behind("choosing a folder")
	b.window.Dismiss()
	for _, name := range []string{"a1.x", "b1"} { // an existing file, and a folder
		b.window.SaveAs(name, []byte("0"))
		look("saving")
		asked := len(textsIn(canvas.Overlays().Top()))
		b.tapDialog(lang.L("Save"))
		b.until(func() string {
			if len(textsIn(canvas.Overlays().Top())) == asked {
				return "it does not say that " + name + " exists"
			}
			return ""
		})
		look("saving over something")
		b.window.Dismiss()
	}
	l.tell()
}

// TestMadeUpLanguageOfMoving does what TestMadeUpLanguage does, for connecting AI apps, moving their servers, and the
// bundle.
func TestMadeUpLanguageOfMoving(t *testing.T) {
	keychaintest.Mock(t)
	madeUp(t)
	b, h := newHomeBench(t)
	data := []string{"Workbench", "JSON", "MCP", "dark", "theme", "mcpServers", "command", "args", "env", "npx", "uvx",
		"dev", "github", "notes", "server-github", "files", "mail", "workbench-desktop", "workbench", "stdio", "config",
		"client", "type", "GITHUB_TOKEN", "LM", "Studio", "Qwen", "Code", "uv", "json", "Echo"}
	for _, app := range client.All() {
		data = append(data, app.Name, app.ID)
	}
	data = append(data, strings.Split(h.folder, "/")...)
	l := &textFinder{bench: b, data: data, found: map[string][]string{}}
	canvas := b.window.Window.Canvas()
	// menu opens the menu of an app and chooses an item.
	menu := func(app, item string) {
		t.Helper()
		for _, object := range test.LaidOutObjects(b.window.Window.Content()) {
			button, ok := object.(*kit.Button)
			if !ok || button.AccessibilityLabel() != lang.L("More about {{.App}}", map[string]any{"App": app}) {
				continue
			}
			test.Tap(button)
			l.look("the menu of " + app)
			// the innermost object first, because its containers can be tapped, too
			for _, object := range slices.Backward(test.LaidOutObjects(canvas.Overlays().Top())) {
				if row, ok := object.(fyne.Tappable); ok && slices.Contains(textsIn(object), item) {
					row.Tapped(&fyne.PointEvent{})
					l.drain()
					return
				}
			}
			t.Errorf("%s has no %q: %q", app, item, textsIn(canvas.Overlays().Top()))
			canvas.Overlays().Remove(canvas.Overlays().Top())
			return
		}
		t.Errorf("there is no menu of %s", app)
	}
	choose := func(index int) {
		t.Helper()
		for _, object := range test.LaidOutObjects(canvas.Overlays().Top()) {
			if choice, ok := object.(*kit.Choice); ok {
				choice.Follow(index)
				choice.OnChosen(index)
				return
			}
		}
		t.Error("there is no select")
	}
	h.write(t, h.claude, ownServers)
	bring := lang.L("Bring in its servers…")

	menu("Cursor", bring)
	l.untilShown(lang.L("Copy them"))
	l.look("copying servers")
	choose(1)
	l.look("moving servers")
	l.press(lang.N("Move {{.Count}} servers", 2, map[string]any{"Count": 2}))
	l.untilShown(lang.L("Put them back"))
	l.look("moved servers")
	l.press(lang.L("Put them back"))
	l.untilShown(lang.L("{{.App}} has its servers again.", map[string]any{"App": "Cursor"}))
	l.look("servers that were put back")
	b.window.Dismiss()
	l.drain()
	menu("Cursor", bring)
	l.untilShown(lang.L("Not brought in"))
	l.look("servers with secrets that are here already")
	b.window.Dismiss()

	h.running.Store(true)
	menu("Claude Desktop", bring)
	l.untilShown(lang.L("Copy them"))
	choose(1)
	l.look("moving servers of an app that runs")
	l.press(lang.N("Move {{.Count}} servers", 2, map[string]any{"Count": 2}))
	l.look("waiting for an app to quit")
	b.window.Dismiss()
	l.tap(lang.L("Connect…"))
	l.look("connecting an app")
	b.window.Dismiss()
	h.running.Store(false)

	menu("Claude Desktop", bring)
	l.untilShown(lang.L("Copy them"))
	l.press(lang.N("Bring in {{.Count}} servers", 2, map[string]any{"Count": 2}))
	l.until(func() string {
		if !strings.Contains(b.text(), `"mail"`) {
			return "the servers are not copied"
		}
		return ""
	})
	l.until(func() string {
		if strings.Contains(strings.Join(l.shown(), " "), lang.L("Copy them")) {
			return "the dialog is still there"
		}
		return ""
	})
	l.look("servers that were copied")
	b.window.Dismiss()
	menu("Claude Desktop", bring)
	take := lang.N("Remove {{.Count}} servers from {{.App}}", 2, map[string]any{"Count": 2, "App": "Claude Desktop"})
	l.untilShown(take)
	l.look("servers that are here already")
	l.press(take)
	l.untilShown(lang.L("Put them back"))
	l.look("servers that were taken out")
	b.window.Dismiss()
	menu("Claude Desktop", bring)
	l.untilShown(lang.L("Put them back"))
	l.look("servers that were taken out before")
	b.window.Dismiss()

	menu("Claude Desktop", lang.L("Make a bundle…"))
	l.untilShown(lang.L("Make the bundle"))
	l.look("a bundle")
	l.press(lang.L("Make the bundle"))
	l.until(func() string {
		if canvas.Overlays().Top() == nil || strings.Contains(strings.Join(l.shown(), "\n"), lang.L("Make the bundle")) {
			return "the bundle is not made"
		}
		return ""
	})
	l.look("a bundle that was made")
	b.window.Dismiss()

	found, err := b.plan("cursor", true)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.await(func(done func(error)) { b.apps.Carry(t.Context(), found.Plan, false, done) }); err != nil {
		t.Fatal(err)
	}
	l.until(func() string { return differs(b.clientWord("Cursor"), lang.L("Set up")) })
	l.look("an app that is connected")
	menu("Cursor", lang.L("Disconnect…"))
	l.look("disconnecting an app")
	b.window.Dismiss()
	l.tap(lang.L("Disconnect all…"))
	l.look("disconnecting all apps")
	b.window.Dismiss()
	h.write(t, h.cursor, "{")
	if _, err := b.plan("cursor", false); err != nil {
		l.check("a file of an app that cannot be read", kit.ErrorSentence(err))
	}
	broken := b.lookAt(clients.Ask{ID: "cursor"})
	if len(broken.Plan.Skipped) == 0 {
		t.Error("a file that cannot be read is not listed as skipped")
	}
	menu("Cursor", bring)
	l.untilShown(lang.L("Try again"))
	l.look("servers of a file that cannot be read")
	b.window.Dismiss()
	l.tell()
}

// TestMadeUpLanguageOfAdding does what TestMadeUpLanguage does for servers that are added and tried, and for what is
// said when there is nothing to undo.
func TestMadeUpLanguageOfAdding(t *testing.T) {
	keychaintest.Mock(t)
	voice := madeUp(t)
	b := newBench(t, oneServer, func(o *Options) { o.voice = voice })
	l := &textFinder{bench: b, data: append(strings.Split(os.Args[0], "/"), "Workbench", "JSON", "MCP", "npx", "uvx",
		"sh", "dev", "fake", "echo", "Echo", fakeserver.Variable), found: map[string][]string{}}
	l.untilOwn()
	for _, say := range []func(){b.saver.Undo, b.saver.Redo} {
		b.window.Toast.Hide()
		say()
		l.until(func() string {
			if b.toast() == "" {
				return "nothing is said"
			}
			return ""
		})
		l.look("nothing to undo")
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"m1": map[string]any{"command": os.Args[0],
			"env": map[string]string{fakeserver.Variable: fakeserver.Script{}.String()}},
		"m2": map[string]any{"command": "9-9"}, "m3": map[string]any{"command": "sh", "disabled": true},
		"m4": map[string]any{"url": "http://127.0.0.1:1/1"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	enter := func(place string) {
		t.Helper()
		b.window.Window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyReturn})
		l.look(place)
	}
	b.adding.Open(add.Start{Toolbox: "dev", Way: add.WayPaste, Text: string(servers)})
	l.drain()
	enter("servers to check")
	enter("servers that are tried")
	l.untilShown(lang.N("Works · {{.Count}} tools", 1, map[string]any{"Count": 1}))
	l.untilShown(lang.L("Couldn't start"))
	l.look("servers that were tried")
	l.tell()
}
