package clients

import (
	"context"
	"errors"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/assets"
	engine "github.com/workbench-mcp/workbench-desktop/engine/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/clients/imports"
)

// The parts of the window that are the screen's: without the bar at the left and the line at the bottom.
var (
	normal = fyne.NewSize(1100-96, 720-36)
	small  = fyne.NewSize(800-96, 560-36)
)

func TestMain(m *testing.M) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		panic(err)
	}
	m.Run()
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)

// client is one of the table, as found here.
func client(id string, state engine.State, since time.Time) engine.Status {
	c, ok := engine.ByID(id)
	if !ok {
		panic("there is no " + id)
	}
	status := engine.Status{Found: engine.Found{Client: c, Installed: true, Files: []engine.File{{Path: "/home/ada/." + id + "/mcp.json", Exists: true}}}, State: state}
	if state != engine.NotConnected {
		status.Records = []engine.Record{{Client: id, Time: since}}
	}
	return status
}

// proven is one that has started us by its entry at a time.
func proven(id string, since, at time.Time) engine.Status {
	status := client(id, engine.Connected, since)
	status.Proof = &engine.Proof{Client: id, Time: at, Name: "its-words", Version: "1.2"}
	return status
}

// asking is one whose entry has vanished again.
func asking(id, why string) engine.Status {
	status := client(id, engine.Lost, noon)
	status.Loss = &engine.Loss{Client: id, Asks: true, Again: id == "claude-desktop", Why: why}
	return status
}

func facts() Facts {
	gone := client("warp", engine.NotConnected, noon)
	gone.Installed = false
	lmstudio := client("lmstudio", engine.NotConnected, noon)
	lmstudio.Installed = false
	return Facts{
		Known: true, Home: "/home/ada", Now: noon, Sources: []string{"claude-desktop", "cursor"},
		Statuses: []engine.Status{
			proven("claude-desktop", noon.Add(-time.Hour), noon.Add(-time.Minute)), client("claude-code", engine.NotConnected, noon),
			client("cursor", engine.NotConnected, noon), proven("zed", noon.Add(-time.Minute), noon.Add(-time.Hour)), client("codex", engine.Lost, noon),
			gone, lmstudio,
		},
		Uses: map[string]Use{"Claude Desktop": {Here: true}, "Zed": {Last: noon.Add(-time.Hour)}},
	}
}

func TestLook(t *testing.T) {
	view := Look(facts())
	if !slices.Equal(view.Also, []string{"Warp", "LM Studio"}) {
		t.Errorf("not found are %q", view.Also)
	}
	for i, want := range []struct {
		word, used, file string
		next             bool
		way              Way
	}{
		{"Connected", "Using Workbench now", "~/.claude-desktop/mcp.json", false, NoWay},
		{"Not connected", "", "~/.claude-code/mcp.json", false, WayPaste},
		{"Not connected", "", "~/.cursor/mcp.json", false, WayConnect},
		// It started us before it was connected, which proves nothing of the entry.
		{"Set up", "Last seen 11:00", "~/.zed/mcp.json", true, NoWay},
		{"The entry is gone", "", "~/.codex/mcp.json", true, WayRepair},
	} {
		card := view.Cards[i]
		if card.Word != want.word || card.Used != want.used || !slices.Equal(card.Files, []string{want.file}) || (len(card.Next) > 0) != want.next || card.Way != want.way {
			t.Errorf("%s is shown as %+v", card.Name, card)
		}
	}
	if got := view.Cards[0].Proof; got != "Started Workbench: 11:59, as “its-words 1.2”" || view.Cards[3].Proof != "" {
		t.Errorf("the proof is shown as %q", got)
	}
	if !view.Cards[0].Import || view.Cards[1].Import || !view.Cards[0].Disconnect || view.Cards[2].Disconnect {
		t.Errorf("the cards offer %+v", view.Cards)
	}
	broken := facts()
	broken.Problem = "It runs from a folder that goes away."
	broken.Sources = append(broken.Sources, "roo")
	view = Look(broken)
	for _, card := range view.Cards {
		if card.Way != NoWay {
			t.Errorf("%s can be connected although nothing can", card.Name)
		}
	}
	if last := view.Cards[len(view.Cards)-1]; last.ID != "roo" || !last.Import {
		t.Errorf("an app that is only read from is shown as %+v", last)
	}
}

// What can be known of an app, and what its card says of it.
func TestCards(t *testing.T) {
	since, yesterday := noon.Add(-48*time.Hour), noon.Add(-24*time.Hour)
	other := proven("cursor", since, yesterday)
	other.Proof.Config = "/another.json"
	byHand := client("claude-code", engine.NotConnected, since)
	byHand.Proof = &engine.Proof{Client: "claude-code", Time: yesterday}
	for _, test := range []struct {
		name       string
		status     engine.Status
		use        *Use
		word, used string
		says       string
		way        Way
		leave      bool
	}{
		{"proven, before this start", proven("cursor", since, yesterday), nil, "Connected", "Last seen 20 Nov 12:00", "", NoWay, false},
		{"proven, and here", proven("cursor", since, yesterday), &Use{Here: true}, "Connected", "Using Workbench now", "", NoWay, false},
		{"here, but not by this entry", proven("cursor", noon, yesterday), &Use{Here: true}, "Set up", "Using Workbench now", "press Refresh", NoWay, false},
		{"here, with another configuration", other, &Use{Here: true}, "Set up", "Using Workbench now", "press Refresh", NoWay, false},
		{"never seen", client("vscode", engine.Connected, since), nil, "Set up", "Not seen yet", "asks whether you trust", NoWay, false},
		{"disconnected", client("cursor", engine.NotConnected, since), &Use{Last: yesterday}, "Not connected", "Last seen 20 Nov 12:00", "", WayConnect, false},
		{"by hand", client("cursor", engine.NotConnected, since), &Use{Here: true}, "Connected by hand", "Using Workbench now", "", WayConnect, false},
		{"by its own command", byHand, nil, "Set up by hand", "Last seen 20 Nov 12:00", "", WayPaste, false},
		{"dropped", client("claude-desktop", engine.Lost, since), nil, "The entry is gone", "", "As soon as Claude Desktop has been quit fully", WayRepair, false},
		{"dropped again", asking("claude-desktop", ""), nil, "The entry is gone", "", "no longer put back without asking", WayRepair, true},
		{"cannot be put back", asking("claude-desktop", "The disk is full."), nil, "The entry is gone", "", "The disk is full.", WayRepair, true},
		{"taken out", asking("cursor", ""), nil, "The entry is gone", "", "Was that you?", WayRepair, true},
	} {
		facts := Facts{Known: true, Now: noon, Statuses: []engine.Status{test.status}, Uses: map[string]Use{}}
		if test.use != nil {
			facts.Uses[test.status.Client.Name] = *test.use
		}
		card := Look(facts).Cards[0]
		if card.Word != test.word || card.Used != test.used || card.Way != test.way || card.LeaveOut != test.leave ||
			!strings.Contains(strings.Join(card.Next, " "), test.says) || (test.says == "") != (len(card.Next) == 0) || card.LeaveOut && card.Disconnect {
			t.Errorf("%s: %+v", test.name, card)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	lost := facts()
	lost.Statuses[2] = asking("cursor", "")
	lost.Note = "It is from another version of Workbench."
	o := open(t, Look(lost), normal)
	o.reads(t, "Was that you? Then leave it out.", "It is from another version of Workbench.", "Put it back…")
	test.Tap(o.buttons["cursor leave"])
	if o.last() != "leave cursor" {
		t.Errorf("it did %q", o.did)
	}
}

func TestDiffLines(t *testing.T) {
	lines := diffLines("--- a\n+++ b\n@@ -1,2 +1,3 @@\n {\n-\told\n+\tnew\n+more\n\\ No newline at end of file\n@@ -9 +9 @@\n+" + strings.Repeat("x", 1000) + "\n")
	if len(lines) != 6 || lines[1] != (diffLine{'-', "    old"}) || lines[4].sign != '@' || len([]rune(lines[5].text)) != maxDiffText+1 {
		t.Errorf("it is shown as %q", lines)
	}
	if many := diffLines("@@ -1 +1 @@\n" + strings.Repeat("+x\n", 1000)); len(many) != maxDiffLines+1 {
		t.Errorf("%d lines of a long one are shown", len(many))
	}
}

// opened is a screen in a window, with what was asked of it.
type opened struct {
	*Screen
	window   fyne.Window
	did      []string
	planned  func(Proposal, error)
	carried  func(error)
	carrying context.Context
	looked   func(Offer, error)
	asked    Ask
	bundled  func(string, error)
}

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{window: test.NewWindow(nil)}
	t.Cleanup(o.window.Close)
	note := func(words ...string) { o.did = append(o.did, strings.Join(words, " ")) }
	o.Screen = New(o.window, Actions{
		Plan: func(id string, connect bool, done func(Proposal, error)) { note("plan", id); o.planned = done },
		Carry: func(ctx context.Context, _ engine.Plan, wait bool, done func(error)) {
			note("carry")
			if wait {
				note("wait")
			}
			o.carried, o.carrying = done, ctx
		},
		LeaveOut: func(id string) { note("leave", id) },
		Import: func(ask Ask, done func(Offer, error)) {
			note("import", ask.ID+ask.File, ask.Into)
			o.asked, o.looked = ask, done
		},
		PickFile:  func(done func(string)) { done("/home/ada/mcp-servers.json") },
		Bundle:    o.bundling(),
		Toolboxes: func() []string { return []string{"dev"} },
		Copy:      func(text string) { note("copy", text) },
		Say:       func(text string) { note("say", text) },
		Look:      func() { note("look") },
	})
	o.window.SetPadded(false)
	o.window.SetContent(kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	o.window.Resize(size)
	o.Apply(view)
	return o
}

// seen lists everything that is shown, in sight or not.
func seen(object fyne.CanvasObject) []fyne.CanvasObject {
	if object == nil || !object.Visible() {
		return nil
	}
	all := []fyne.CanvasObject{object}
	var parts []fyne.CanvasObject
	switch object := object.(type) {
	case *fyne.Container:
		parts = object.Objects
	case fyne.Widget:
		parts = test.WidgetRenderer(object).Objects()
	}
	for _, part := range parts {
		all = append(all, seen(part)...)
	}
	return all
}

// top is the dialog, else the screen.
func (o *opened) top() fyne.CanvasObject {
	if top := o.window.Canvas().Overlays().Top(); top != nil {
		return top
	}
	return o.window.Content()
}

func (o *opened) texts() string {
	var texts []string
	for _, object := range seen(o.top()) {
		switch object := object.(type) {
		case *kit.Text:
			texts = append(texts, object.Text())
		case *kit.Lines:
			texts = append(texts, object.Text())
		case *kit.Button:
			texts = append(texts, object.AccessibilityLabel())
		case *kit.Check:
			texts = append(texts, object.Text)
		case *widget.RichText:
			texts = append(texts, object.String())
		}
	}
	return strings.Join(texts, "\n")
}

func (o *opened) reads(t *testing.T, wanted ...string) {
	t.Helper()
	for _, text := range wanted {
		if all := o.texts(); !strings.Contains(all, text) {
			t.Errorf("it does not say %q, but:\n%s", text, all)
		}
	}
}

func (o *opened) tap(t *testing.T, label string) {
	t.Helper()
	for _, object := range seen(o.top()) {
		if button, ok := object.(*kit.Button); ok && button.AccessibilityLabel() == label && !button.Disabled() {
			test.Tap(button)
			return
		}
	}
	t.Fatalf("there is no button %q:\n%s", label, o.texts())
}

func (o *opened) last() string { return o.did[len(o.did)-1] }

// planOf is a real plan, in a made-up home.
func planOf(t *testing.T, id string, running bool) Proposal {
	t.Helper()
	home := t.TempDir()
	program := filepath.Join(home, "workbench-desktop")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	system := engine.System{OS: "linux", Home: home, Getenv: func(string) string { return "" }, Stat: os.Stat, ReadDir: os.ReadDir}
	c, _ := engine.ByID(id)
	if c.ByHand == "" {
		file := system.Locate(c).Files[0].Path
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		before := "{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"npx\",\n      \"env\": {\"API_TOKEN\": \"s3cret-of-ada-81\"}\n    }\n  }\n}\n"
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := engine.New(system, filepath.Join(home, "state")).PlanConnect(c, engine.Launch{Program: program, Config: "/home/ada/workbench-config.json"})
	if err != nil {
		t.Fatal(err)
	}
	return Proposal{Plan: plan, Running: running, Backups: "/home/ada/.local/state/workbench/clients"}
}

func TestConnect(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, Look(facts()), normal)
	o.reads(t, "Also works with: Warp, LM Studio.", "Using Workbench now", "~/.cursor/mcp.json")
	test.Tap(o.buttons["cursor connect"])
	o.planned(planOf(t, "cursor", false), nil)
	o.reads(t, `"--client", "cursor"`, "A copy of the file as it is now is kept in /home/ada/.local/state/workbench/clients.")
	if strings.Contains(o.texts(), "s3cret") {
		t.Errorf("a secret is shown:\n%s", o.texts())
	}
	o.tap(t, "Connect")
	if o.last() != "carry" {
		t.Fatalf("it did %q", o.did)
	}
	o.carried(nil)
	o.reads(t, "press Refresh in its MCP settings")
	o.tap(t, "Done")
	if o.dialog != nil || o.window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still there")
	}
	test.Tap(o.buttons["codex connect"])
	o.planned(Proposal{}, errors.New("the file cannot be read: it has an error in line 3"))
	o.reads(t, "The file cannot be read: it has an error in line 3.", "Nothing was changed.")
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if o.dialog != nil {
		t.Error("Esc does not close it")
	}
	test.Tap(o.buttons["codex connect"])
	o.planned(Proposal{Plan: engine.Plan{Entry: "[mcp_servers.workbench]"}}, errors.New("edit it by hand"))
	o.reads(t, "This has to stand in it, beside what is there:", "[mcp_servers.workbench]")
	o.tap(t, "Close")

	// What went wrong when it was written may have changed something.
	test.Tap(o.buttons["cursor connect"])
	o.planned(planOf(t, "cursor", false), nil)
	o.tap(t, "Connect")
	o.carried(errors.New("the file was written, but another program wrote it right after"))
	o.reads(t, "another program wrote it right after.")
	if strings.Contains(o.texts(), "Nothing was changed.") {
		t.Error("it says that nothing was changed")
	}
}

// An entry that starts another Workbench is corrected, and nothing is added.
func TestConnectCorrects(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, Look(facts()), normal)
	test.Tap(o.buttons["cursor connect"])
	found := planOf(t, "cursor", false)
	found.Plan.Changes[0].Corrects = true
	o.planned(found, nil)
	o.reads(t, "The entry of Workbench in the file of Cursor is corrected.")
	if strings.Contains(o.texts(), "This is added") {
		t.Errorf("it says that something is added:\n%s", o.texts())
	}
}

// An app that runs is waited for; giving up ends the waiting.
func TestConnectWhenItQuits(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, Look(facts()), normal)
	test.Tap(o.buttons["cursor connect"])
	running := planOf(t, "cursor", true)
	o.planned(running, nil)
	o.reads(t, "Cursor is running: quit it first, fully.")
	o.tap(t, "Wait for it to quit, then connect")
	if o.last() != "wait" {
		t.Fatalf("it did %q", o.did)
	}
	o.carried(&engine.RunningError{Client: running.Plan.Client}) // it was started again
	o.planned(running, nil)
	o.tap(t, "Wait for it to quit, then connect")
	o.tap(t, "Stop waiting")
	if o.carrying.Err() == nil || o.dialog != nil {
		t.Error("it is still waited for")
	}
}

func TestPaste(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, Look(facts()), normal)
	test.Tap(o.buttons["claude-code connect"])
	found := planOf(t, "claude-code", false)
	o.planned(found, nil)
	o.tap(t, "Copy")
	if o.last() != "copy "+found.Plan.Paste || !strings.Contains(found.Plan.Paste, "mcp add") {
		t.Errorf("it did %q", o.last())
	}
	o.reads(t, "Copied")
}

// offered is what an app has, found in a made-up home.
func offered(t *testing.T, bring func(imports.Plan, bool, func(error))) Offer {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"mcpServers": {
		"github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"], "env": {"GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}},
		"notes": {"command": "uvx", "args": ["notes-server", "--folder", "${workspaceFolder}"]},
		"search": {"url": "https://search.example.com/mcp"},
		"workbench": {"command": "/opt/workbench-desktop", "args": ["stdio", "--client", "cursor"]}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	system := engine.System{OS: "linux", Home: home, Getenv: func(string) string { return "" }, Stat: os.Stat, ReadDir: os.ReadDir}
	return Offer{Plan: imports.Make(imports.Options{System: system, Clients: []string{"cursor"}}), Bring: bring}
}

func TestBringIn(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, Look(facts()), normal)
	test.Tap(o.buttons["cursor import"])
	var brought imports.Plan
	var kept bool
	var done func(error)
	o.looked(offered(t, func(plan imports.Plan, keychain bool, end func(error)) { brought, kept, done = plan, keychain, end }), nil)
	o.reads(t, "Bring in 3 servers", "This toolbox will be made.", "https://search.example.com/mcp", "Looks like a secret: env GITHUB_TOKEN.")
	if strings.Contains(o.texts(), "ghp_") {
		t.Error("a secret is shown")
	}
	for _, object := range seen(o.top()) {
		if check, ok := object.(*kit.Check); ok && (check.Text == "notes" || strings.HasPrefix(check.Text, "Keep passwords")) {
			test.Tap(check)
		}
	}
	o.tap(t, "Bring in 2 servers")
	if len(brought.Servers) != 2 || brought.Servers[1].As != "search" || kept {
		t.Errorf("%d servers were brought, kept: %v", len(brought.Servers), kept)
	}
	done(errors.New("the disk is full"))
	o.reads(t, "The disk is full.", "Bring in 2 servers")
	o.tap(t, "Bring in 2 servers")
	done(nil)
	if o.dialog != nil {
		t.Error("the dialog is still there")
	}

	test.Tap(o.buttons["cursor import"])
	o.looked(offered(t, nil), nil)
	for _, object := range seen(o.top()) {
		if choice, ok := object.(*kit.Select); ok {
			choice.SetSelected("dev")
		}
	}
	if o.last() != "import cursor dev" {
		t.Errorf("another toolbox does %q", o.last())
	}
	o.looked(offered(t, nil), nil)
	for _, object := range seen(o.top()) {
		if check, ok := object.(*kit.Check); ok {
			o.window.Canvas().Focus(check)
		}
	}
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if o.dialog != nil {
		t.Error("Esc does not close it")
	}
}

func TestEmpty(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, View{}, normal)
	o.reads(t, "Looking for AI apps…")
	o.Apply(View{Known: true, Also: []string{"Cursor"}})
	o.reads(t, "No AI app found", "Works with: Cursor.")
	o.tap(t, "Look again")
	if o.last() != "look" {
		t.Errorf("it did %q", o.did)
	}
}

// pinned is the theme in one of its variants, whatever the system says.
type pinned struct {
	theme.Theme
	variant fyne.ThemeVariant
}

func (p pinned) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return p.Theme.Color(name, p.variant)
}

// TestScenes draws every state of the screen in both sizes: none asks for more room than there is. With WORKBENCH_PICTURES
// set to a folder it leaves pictures of them there, light and dark, for people to look at.
func TestScenes(t *testing.T) {
	folder := os.Getenv("WORKBENCH_PICTURES")
	scenes := map[string]func(t *testing.T, size fyne.Size) *opened{
		"cards": func(t *testing.T, size fyne.Size) *opened { return open(t, Look(facts()), size) },
		"lost": func(t *testing.T, size fyne.Size) *opened {
			lost := facts()
			lost.Note = "Which AI apps have started Workbench cannot be read."
			lost.Statuses = []engine.Status{
				asking("claude-desktop", ""), asking("cursor", ""), asking("zed", strings.Repeat("It is long. ", 20)),
				client("codex", engine.Lost, noon), client("vscode", engine.Connected, noon),
			}
			return open(t, Look(lost), size)
		},
		"repair": func(t *testing.T, size fyne.Size) *opened {
			lost := facts()
			lost.Statuses = []engine.Status{client("claude-desktop", engine.Lost, noon), client("cursor", engine.Outdated, noon), client("windsurf", engine.Broken, noon)}
			lost.Sources, lost.Uses = []string{"claude-desktop", "cursor", "windsurf"}, map[string]Use{"Claude Desktop": {Last: noon.Add(-48 * time.Hour)}, "Cursor": {Here: true}}
			return open(t, Look(lost), size)
		},
		"empty": func(t *testing.T, size fyne.Size) *opened {
			none := facts()
			none.Sources, none.Uses = nil, nil
			for i := range none.Statuses {
				none.Statuses[i].Installed, none.Statuses[i].State = false, engine.NotConnected
			}
			return open(t, Look(none), size)
		},
		"problem": func(t *testing.T, size fyne.Size) *opened {
			broken := facts()
			broken.Problem = "AI apps cannot be connected now: this program runs from a folder that will not be there any more when they start it."
			broken.Statuses[2].Client.Name = strings.Repeat("long ", 60)
			return open(t, Look(broken), size)
		},
		"connect": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("cursor", "Cursor", true)
			o.planned(planOf(t, "cursor", false), nil)
			return o
		},
		"running": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("claude-desktop", "Claude Desktop", true)
			o.planned(planOf(t, "claude-desktop", true), nil)
			return o
		},
		"connected": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("cursor", "Cursor", true)
			o.planned(planOf(t, "cursor", false), nil)
			o.tap(t, "Connect")
			o.carried(nil)
			return o
		},
		"waiting": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("cursor", "Cursor", true)
			o.planned(planOf(t, "cursor", true), nil)
			o.tap(t, "Wait for it to quit, then connect")
			return o
		},
		"refused": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("cursor", "Cursor", true)
			o.planned(Proposal{}, errors.New("/home/ada/.cursor/mcp.json: line 3, column 7: a comma is missing. Correct it, then try again"))
			return o
		},
		"paste": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.propose("claude-code", "Claude Code", true)
			o.planned(planOf(t, "claude-code", false), nil)
			return o
		},
		"bring": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, Look(facts()), size)
			o.bringIn("cursor", "Cursor")
			o.looked(offered(t, nil), nil)
			return o
		},
	}
	for name, scene := range scenes {
		for tag, size := range map[string]fyne.Size{"": normal, "-small": small} {
			variants := map[string]fyne.ThemeVariant{"light": base.VariantLight}
			if folder != "" {
				variants["dark"] = base.VariantDark
			}
			for look, variant := range variants {
				t.Run(name+tag+"-"+look, func(t *testing.T) {
					test.NewTempApp(t).Settings().SetTheme(pinned{variant: variant})
					o := scene(t, size)
					if least := o.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen wants %v of %v", least, size)
					}
					if o.dialog != nil {
						if least := o.dialog.panel.MinSize(); least.Width > size.Width-2*sheetMargin || least.Height > size.Height-2*sheetMargin {
							t.Errorf("the dialog wants %v of %v", least, size)
						}
					}
					if folder == "" {
						return
					}
					file, err := os.Create(filepath.Join(folder, name+tag+"-"+look+".png"))
					if err != nil {
						t.Fatal(err)
					}
					defer file.Close()
					if err := png.Encode(file, o.window.Canvas().Capture()); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}
