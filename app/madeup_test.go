package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/registry"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// textFinder finds shown texts that are not translated.
type textFinder struct {
	*bench
	data  []string // words that are the same in every language: names in the configuration, paths, messages of servers
	found map[string][]string
}

// madeUp makes the window speak the made-up language until the test ends.
func madeUp(t *testing.T) *locale.Voice {
	voice := locale.Install()
	voice.Alter(wordstest.Alter)
	t.Cleanup(func() { voice.Speak("en") })
	return voice
}

// tell reports what was found.
func (l *textFinder) tell() {
	l.t.Helper()
	for _, word := range slices.Sorted(maps.Keys(l.found)) {
		l.t.Errorf("%q is not translated in %s", word, strings.Join(l.found[word], "\n\tand "))
	}
}

// shown returns all visible texts of the window, dialogs included.
func (l *textFinder) shown() []string {
	var said []string
	window := l.window.Window.Canvas()
	roots := append([]fyne.CanvasObject{window.Content()}, window.Overlays().List()...)
	for _, root := range roots {
		said = append(said, textsIn(root)...)
	}
	return said
}

// textsIn returns all visible texts of an object, and the names of its controls.
func textsIn(root fyne.CanvasObject) (said []string) {
	lines := map[fyne.CanvasObject]bool{} // the lines of texts that break paths and words; such a text is read as a whole
	whole := func(object fyne.CanvasObject, text string) {
		said = append(said, text)
		for _, part := range test.LaidOutObjects(object) {
			lines[part] = true
		}
	}
	for _, object := range test.LaidOutObjects(root) {
		switch object := object.(type) {
		case *kit.Selectable:
			whole(object, object.Text)
		case *kit.Lines:
			whole(object, object.Text())
		case *code.Whole:
			whole(object, object.Text())
		case *canvas.Text:
			if !lines[object] {
				said = append(said, object.Text)
			}
		case *widget.RichText:
			said = append(said, object.String())
		case *kit.Select:
			said = append(said, object.Options...)
		case *code.Entry: // it draws each character by itself
			words, _, _ := strings.Cut(object.Text(), "{") // the rest is JSON
			said = append(said, words)
		}
		labelled, ok := object.(interface{ AccessibilityLabel() string })
		// labels of Fyne's own widgets only name their kind
		if ok && strings.Contains(reflect.TypeOf(object).Elem().PkgPath(), "workbench-desktop") {
			said = append(said, labelled.AccessibilityLabel())
		}
		if holder := reflect.Indirect(reflect.ValueOf(object)); holder.Kind() == reflect.Struct {
			if hint := holder.FieldByName("PlaceHolder"); hint.IsValid() && hint.Kind() == reflect.String {
				said = append(said, hint.String())
			}
		}
	}
	return said
}

// look records the texts of the window that are not translated. place says where the window is.
func (l *textFinder) look(place string) {
	l.t.Helper()
	l.drain()
	l.check(place, l.shown()...)
}

// settle waits for what the window does in the background, such as reading the files that a dialog shows.
func (l *textFinder) settle() {
	l.drain()
	l.tasks.Wait()
	l.drain()
}

// menus checks the menus at a place of the window: those of the "⋯" buttons, and those that the right mouse button
// opens on our objects.
func (l *textFinder) menus(place string) {
	l.t.Helper()
	canvas := l.window.Window.Canvas()
	opened := 0
	for _, object := range test.LaidOutObjects(canvas.Content()) {
		var name string
		switch object := object.(type) {
		case *kit.Button:
			if object.Icon != base.MoreHorizontalIcon() || !object.Visible() || object.Disabled() {
				continue
			}
			name = object.AccessibilityLabel()
			test.Tap(object)
		case fyne.SecondaryTappable:
			// the menus of text fields are Fyne's
			if !strings.Contains(reflect.TypeOf(object).Elem().PkgPath(), "workbench-desktop/app/toolboxes") {
				continue
			}
			name = reflect.TypeOf(object).String()
			object.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(10, 10)})
		}
		menu, ok := canvas.Focused().(*widget.PopUpMenu)
		if !ok || canvas.Overlays().Top() == nil {
			continue
		}
		opened++
		for range len(menu.Items) + 1 {
			l.check(place+", menu "+name, textsIn(canvas.Overlays().Top())...)
			menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
			menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) // opens the submenu, if there is one
		}
		menu.Hide()
		l.drain()
	}
	if opened == 0 {
		l.t.Errorf("%s: no menu opens", place)
	}
}

// tap taps the first visible button with a text.
func (l *textFinder) tap(text string) {
	for _, object := range test.LaidOutObjects(l.window.Window.Content()) {
		if button, ok := object.(*kit.Button); ok && button.Text == text && button.Visible() && !button.Disabled() {
			test.Tap(button)
			l.settle()
			return
		}
	}
	l.t.Errorf("there is no button %q", text)
}

// quotedByGo matches a value in straight quotation marks in a sentence. The words of the made-up language have other
// letters. A member of JSON ("command": …) does not match.
var quotedByGo = regexp.MustCompile(`(^|[^:\[{,] )"[\w./~-]+"([^:]|$)`)

func (l *textFinder) check(place string, texts ...string) {
	known := []*regexp.Regexp{
		regexp.MustCompile(`\$\{[^}]*\}`),
		regexp.MustCompile(`[\w-]+…`),                     // text that was cut
		regexp.MustCompile(`[^\s"'(“]*[/\\][^\s"',:)”]*`), // paths and addresses
		regexp.MustCompile(`\b(Ctrl|Shift|Tab|Enter|Esc|Alt|F1|Up|Down|Left|Right|Space|Delete|Home|End|PageUp|PageDown)\b`),
		regexp.MustCompile(`\b[\w-]+\.(json|toml|yaml|mcpb|dxt)\b`),
	}
	for _, text := range texts {
		if strings.HasPrefix(strings.TrimSpace(text), "{") { // JSON
			continue
		}
		if quotedByGo.MatchString(text) && strings.ContainsFunc(text, func(r rune) bool { return r >= 'Ⓐ' && r <= 'ⓩ' }) {
			l.t.Errorf("%s: a value is in straight quotation marks: %s", place, text)
		}
		bare := text
		for _, pattern := range known {
			bare = pattern.ReplaceAllString(bare, " ")
		}
		for _, word := range wordstest.English(bare, l.data...) {
			if at := fmt.Sprintf("%s: %q", place, text); !slices.Contains(l.found[word], at) {
				l.found[word] = append(l.found[word], at)
			}
		}
	}
}

// TestMadeUpLanguage draws every screen, dialog and menu in a made-up language without English letters. It reports
// each English word that does not come from the configuration or another program. Names in the configuration have one
// letter.
func TestMadeUpLanguage(t *testing.T) {
	keychaintest.Mock(t)
	voice := madeUp(t)
	folder := t.TempDir()
	h := &home{folder: folder, claude: filepath.Join(folder, ".config", "Claude", "claude_desktop_config.json")}
	h.write(t, h.claude, `{"mcpServers": {"k2": {"command": "9-9", "env": {"X1": "1"}}, "l2": {"command": "9-9"}}}`)
	system := engine.System{OS: "linux", Home: folder, Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	fake := func(script fakeserver.Script) map[string]any {
		return map[string]any{"command": os.Args[0], "env": map[string]string{fakeserver.Variable: script.String()}}
	}
	text, err := json.Marshal(map[string]any{"toolboxes": map[string]any{
		"a1": map[string]any{"description": "1, 2", "mcpServers": map[string]any{
			"g1": fake(fakeserver.Script{}),
			"d1": fake(fakeserver.Script{InitializeError: json.RawMessage(`{"code": -32601, "message": "0"}`)}),
			"e1": map[string]any{"command": "9-9"}, "z1": map[string]any{"url": "https://example.com/mcp", "disabled": true},
			"h1": map[string]any{"command": "sh", "env": map[string]string{"X1": "${Y1}", "X2": "${keyring:x3}"},
				"toolFilters": []string{"t1"}},
		}},
		"a2": map[string]any{"mcpServers": map[string]any{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := model.OpenPreferences(filepath.Join(folder, "preferences.json"))
	if err != nil {
		t.Fatal(err)
	}
	notices := make(chan string, 100)
	b := newBench(t, string(text), func(o *Options) {
		o.voice, o.Preferences, o.Login = voice, kept, &fakeLogin{}
		o.Environ = asking(t, "#!/bin/sh\nexit 1\n") // so that the advice for this problem is shown
		o.Notices = noticed(func(notice notify.Notice) { notices <- notice.Title + " " + notice.Text })
		o.Apps = &setup.Setup{Location: o.Location, System: system,
			Registrar: engine.New(system, filepath.Join(folder, "state")),
			Launch: func() (engine.Launch, error) {
				return system.Launch(filepath.Join(folder, "bin", "workbench-desktop"), o.Location.Path)
			}}
	})
	data := []string{"Workbench", "Qwen", "Code", "Desktop", "JSON", "MCP", "test", "sh", "npx", "uvx", "fake", "echo", "Echo",
		"mcpServers", "mcp", "https", "example", "com", "command", "toolboxes", "toolMode", "args", "url", "description",
		"env", "cwd", "claude-desktop", "Claude", "The tool echo", "Docker", "Git", "Node.js", "Python", "uv", "FAKE_SERVER",
		"WORKBENCH", environ.ResolvingVariable, "go1"}
	for _, app := range client.All() {
		data = append(data, app.Name)
	}
	for _, language := range locale.Languages() { // each is named in its own language
		data = append(data, language.Name)
	}
	for _, variable := range os.Environ() { // the message of a failed server lists variables that it did not get
		name, _, _ := strings.Cut(variable, "=")
		data = append(data, name)
	}
	for _, e := range catalogue.All() {
		data = append(data, e.Publisher)
	}
	data = append(data, strings.TrimPrefix(registry.Official, "https://"))
	l := &textFinder{bench: b, data: data, found: map[string][]string{}}
	l.untilOwn()
	at := func(server string) model.Choice { return model.Choice{Toolbox: "a1", Server: server} }
	for server, wanted := range map[string]status.State{"g1": status.Connected, "d1": status.Failed,
		"e1": status.Failed} {
		b.start(at(server))
		l.until(func() string {
			if now := b.now.Live.Server("a1", server).State; now != wanted {
				return fmt.Sprintf("%s is %v", server, now)
			}
			return ""
		})
	}

	l.places.Choose(placeToolboxes)
	l.toolboxes.Select(model.Choice{Toolbox: "a1"})
	l.look("a toolbox")
	l.menus("a toolbox")
	l.toolboxes.Select(model.Choice{Toolbox: "a2"})
	l.look("an empty toolbox")
	for _, server := range []string{"g1", "d1", "e1", "z1", "h1"} {
		for tab, name := range map[model.Tab]string{model.TabSetup: "setup", model.TabTools: "tools",
			model.TabLog: "log", model.TabJSON: "json"} {
			l.showTab(at(server), tab)
			if server == "g1" && tab == model.TabTools {
				l.until(func() string {
					if len(b.detail.List()) == 0 {
						return "the tools are not listed"
					}
					return ""
				})
			}
			if tab != model.TabSetup && server != "g1" {
				continue // they look the same
			}
			l.look(server + " " + name)
			if tab == model.TabSetup {
				l.menus(server)
			}
		}
	}
	l.showTab(at("g1"), model.TabTools)
	l.detail.Tools.Open("echo")
	l.look("a tool")
	for place, name := range map[frame.Place]string{placeClients: "AI apps", placeActivity: "activity",
		placeSettings: "settings"} {
		l.places.Choose(place)
		l.drain()
		if place == placeClients {
			l.until(func() string {
				if strings.Contains(strings.Join(l.shown(), " "), client.All()[0].Name) {
					return ""
				}
				return "the apps are not shown"
			})
		}
		l.look(name)
		if place == placeClients {
			l.menus(name)
		}
	}
	ofSettings{b.computer, b.controller}.Check()
	l.until(func() string {
		if view := b.computer.View(&b.model).Doctor; view.Running || len(view.Checks) == 0 {
			return "the computer is still being checked"
		}
		return ""
	})
	l.look("the doctor")
	l.showFile()
	l.look("the file")

	l.places.Choose(placeToolboxes)
	dialog := func(name string, open func()) {
		open()
		l.drain()
		l.look(name)
		for b.window.Window.Canvas().Overlays().Top() != nil {
			top := b.window.Window.Canvas().Overlays().Top()
			if b.adding.Dialog() != nil {
				b.adding.Dialog().Close()
			}
			b.window.Dismiss()
			if b.window.Window.Canvas().Overlays().Top() == top {
				b.window.Window.Canvas().Overlays().Remove(top)
			}
		}
	}
	for way, name := range map[add.Way]string{add.WayPaste: "pasting", add.WayFile: "from a file", add.WayHand: "by hand",
		add.WayCatalogue: "the catalogue"} {
		dialog(name, func() { b.adding.Open(add.Start{Toolbox: "a1", Way: way}) })
	}
	dialog("what was pasted", func() {
		b.adding.Open(add.Start{Toolbox: "a1", Way: add.WayPaste,
			Text: `{"mcpServers": {"m1": {"command": "sh", "args": ["${n1}"]}}}`})
	})
	dialog("what cannot be read", func() { b.adding.Open(add.Start{Toolbox: "a1", Way: add.WayPaste, Text: "[{"}) })
	noted := `{"toolboxes": {"s1": {"n2": 1, "mcpServers": {"m1": {"command": "sh", "args": ["~/n1"]}}}}, "toolMode": "auto"}`
	shared := `{"workbenchToolbox": 1, "name": "s1", "u1": 2, "mcpServers": {"m1": {"command": "sh"}}}`
	linked, err := foreign.Parse(noted)
	if err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string]add.Start{
		"notes of a text":           {Text: noted},
		"notes of a long text":      {Text: noted + strings.Repeat(" ", 16<<10)},
		"notes of files":            {Files: []add.File{{Name: "f1.json", Text: noted}, {Name: "f2.json", Text: "[{"}}},
		"notes of a link":           {Found: &linked},
		"notes of a shared toolbox": {Text: shared},
	} {
		dialog(name, func() {
			b.adding.Open(start)
			note := words.New("config.typed_home")
			switch start.Text {
			case noted:
				b.window.Window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyReturn})
			case shared:
				note = words.New("share.left_out", "Name", "u1")
			}
			l.drain()
			if seen := strings.Join(l.shown(), "\n"); !strings.Contains(seen, wordstest.MadeUp().Text(note)) {
				t.Errorf("%s: the note is not shown:\n%s", name, seen)
			}
		})
	}
	dialog("a name that is taken", func() {
		b.saver.Edit([]edit.Op{edit.RenameServer{Toolbox: "a1", Name: "g1", To: "d1"}}, func(err error) {
			b.window.Fail(err)
		})
		b.until(func() string {
			if b.window.Window.Canvas().Overlays().Top() == nil {
				return "it is not refused"
			}
			return ""
		})
	})
	dialog("something typed is lost", func() { b.askToQuit([]loss{{text: "w", back: func() {}}}) })
	dialog("keys", b.window.ShowKeys)
	b.places.Choose(placeClients)
	l.drain()
	dialog("connecting", func() { l.tap(lang.L("Connect…")) })
	dialog("bringing in", func() {
		b.clients.BringFile(b.path)
		l.settle()
	})
	b.places.Choose(placeActivity)
	l.drain()
	dialog("exporting", func() { l.tap(lang.L("Export…")) })
	ofSettings{b.computer, b.controller}.FirstSteps()
	for step := range 3 {
		l.settle()
		l.look(fmt.Sprintf("step %d", step+1))
		b.welcome.Enter()
		l.drain()
	}
	b.places.Choose(placeToolboxes)

	// Edits that were made and undone.
	change := func(ops ...edit.Op) {
		t.Helper()
		if err := b.await(func(done func(error)) { b.saver.Edit(ops, done) }); err != nil {
			t.Fatal(err)
		}
	}
	change(edit.RenameServer{Toolbox: "a1", Name: "h1", To: "h2"})
	change(edit.AddToolbox{Name: "k1"})
	change(edit.SetField{Target: edit.Target{Toolbox: "a1", Server: "h2"}, Field: []string{"cwd"},
		Value: jsonc.Value("/")})
	for _, step := range []func(){b.saver.Undo, b.saver.Redo, b.saver.Undo} {
		b.window.Toast.Hide()
		step()
		b.until(func() string {
			if b.toast() == "" {
				return "it is not said"
			}
			return ""
		})
		l.look("undone")
	}
	l.showFile()
	l.file.ShowHistory()
	l.settle()
	l.look("the history")

	var walk func(items []tray.Item)
	walk = func(items []tray.Item) {
		for _, item := range items {
			l.check("the tray", item.Label)
			walk(item.Children)
		}
	}
	b.pause(true)
	l.drain()
	walk(tray.Menu(tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login)))
	b.places.Choose(placeToolboxes)
	l.look("paused")
	b.pause(false)

	b.write(`{"toolboxes": {"a1": {"mcpServers": {"g1": {"command": 5, "r1": 1}}}}`)
	l.until(func() string {
		if !b.now.view.Broken {
			return "the file is not broken"
		}
		return ""
	})
	for _, show := range []func(){func() { b.places.Choose(placeToolboxes) }, b.showFile, b.showProblems} {
		show()
		l.look("a broken file")
	}
	walk(tray.Menu(tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login)))

	for len(notices) > 0 {
		l.check("a notification", <-notices)
	}
	l.tell()
}
