package clients

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// planOf returns a real plan, made in a temporary home folder.
func planOf(t *testing.T, id string, running bool) Proposal {
	t.Helper()
	home := t.TempDir()
	program := filepath.Join(home, "workbench-desktop")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	system := engine.System{OS: "linux", Home: home, Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	c, _ := engine.ByID(id)
	if c.ByHand == "" {
		file := system.Locate(c).Files[0].Path
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		before := "{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"npx\",\n      \"env\": {\"API_TOKEN\": " +
			"\"s3cret-of-ada-81\"}\n    }\n  }\n}\n"
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := engine.New(system, filepath.Join(home, "state")).PlanConnect(c,
		engine.Launch{Program: program, Config: "/home/ada/workbench-config.json"})
	if err != nil {
		t.Fatal(err)
	}
	return Proposal{Plan: plan, Running: running}
}

func TestConnect(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	o.reads(t, "Also works with", "Warp", "LM Studio", "Using Workbench now")
	if !o.offers("cursor", "Copy the path: ~/.cursor/mcp.json") {
		t.Error("its file is not in the menu")
	}
	o.pick(t, "cursor", "Copy the path: ~/.cursor/mcp.json")
	if !slices.Contains(o.did, "copy /home/ada/.cursor/mcp.json") {
		t.Errorf("the actions are %q", o.did)
	}
	test.Tap(o.buttons["cursor connect"])
	o.planned(planOf(t, "cursor", false), nil)
	o.reads(t, `"--client", "cursor"`,
		"A copy of each file is kept, and “Disconnect” under AI apps puts it back.")
	for _, object := range test.LaidOutObjects(o.top()) {
		if text, ok := object.(*canvas.Text); ok && text.Text == "C" {
			t.Error("the row shows a letter in place of the mark of Cursor")
		}
	}
	if strings.Contains(o.texts(), "s3cret") {
		t.Errorf("a secret is shown:\n%s", o.texts())
	}
	o.tap(t, "Connect")
	if o.last() != "carry" {
		t.Fatalf("the actions are %q", o.did)
	}
	o.carried(nil)
	o.reads(t, "press Refresh in its MCP settings")
	o.tap(t, "Done")
	if o.dialog != nil || o.window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still open")
	}
	test.Tap(o.buttons["codex connect"])
	o.planned(Proposal{}, errors.New("the file cannot be read: it has an error in line 3"))
	o.reads(t, "The file cannot be read: it has an error in line 3.", "Nothing was changed.")
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if o.dialog != nil {
		t.Error("Esc does not close the dialog")
	}
	test.Tap(o.buttons["codex connect"])
	o.planned(Proposal{Plan: engine.Plan{Entry: "[mcp_servers.workbench]"}}, errors.New("edit it by hand"))
	o.reads(t, "Add this to it, next to what is already there:", "[mcp_servers.workbench]")
	o.tap(t, "Close")

	// If an error comes while the file is written, something may have changed, so the dialog must not say that nothing
	// was changed.
	test.Tap(o.buttons["cursor connect"])
	o.planned(planOf(t, "cursor", false), nil)
	o.tap(t, "Connect")
	o.carried(errors.New("the file was written, but another program wrote it right after"))
	o.reads(t, "another program wrote it right after.")
	if strings.Contains(o.texts(), "Nothing was changed.") {
		t.Error("the dialog says that nothing was changed")
	}
}

// An entry that starts another Workbench is corrected; no second one is added.
func TestConnectCorrects(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	test.Tap(o.buttons["cursor connect"])
	found := planOf(t, "cursor", false)
	found.Plan.Changes[0].Corrects = true
	o.planned(found, nil)
	o.reads(t, "Changes in ")
}

// If an app is running, Workbench waits for it. Cancelling ends the wait.
func TestConnectWhenItQuits(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	test.Tap(o.buttons["cursor connect"])
	running := planOf(t, "cursor", true)
	o.planned(running, nil)
	o.reads(t, "Cursor is running. Quit it fully first")
	o.tap(t, "Connect")
	if o.last() != "wait" {
		t.Fatalf("the actions are %q", o.did)
	}
	o.carried(&engine.RunningError{Client: running.Plan.Client}) // the app was started again
	o.tap(t, "Try again")
	o.planned(running, nil)
	o.tap(t, "Connect")
	o.isCalm(t)
	o.tap(t, "Stop waiting")
	if o.carrying.Err() == nil || o.dialog != nil {
		t.Error("Workbench still waits for the app")
	}
}

// If Workbench finds the app's own program, it runs that program after the user has seen the command. If the program
// fails, its message is shown.
func TestOwnCommand(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	client, _ := engine.ByID("claude-code")
	const line = "/home/ada/.local/bin/claude mcp add -s user workbench"
	found := Proposal{Plan: engine.Plan{Client: client, Connect: true, Runs: []engine.Command{{}}, Line: line}}
	for _, problem := range []error{errors.New("the command of Claude Code failed: no room"), nil} {
		test.Tap(o.buttons["claude-code connect"])
		o.planned(found, nil)
		o.reads(t, "Workbench runs it for you:", line)
		if strings.Contains(o.texts(), "Run this in a terminal") || o.last() == "carry" {
			t.Errorf("the actions are %q, and the texts\n%s", o.did, o.texts())
		}
		o.tap(t, "Connect")
		if o.last() != "carry" {
			t.Fatalf("the actions are %q", o.did)
		}
		if o.carried(problem); problem != nil {
			o.reads(t, "The command of Claude Code failed: no room.")
			o.tap(t, "Close")
			o.did = nil
		}
	}
	o.reads(t, "Done")
}

func TestPaste(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	test.Tap(o.buttons["claude-code connect"])
	found := planOf(t, "claude-code", false)
	o.planned(found, nil)
	o.tap(t, "Copy")
	if o.last() != "copy "+found.Plan.Paste || !strings.Contains(found.Plan.Paste, "mcp add") {
		t.Errorf("the last action is %q", o.last())
	}
	o.reads(t, "Copied")
}

// offered returns the servers of an app, found in a temporary home folder.
func offered(t *testing.T) Offer {
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
	system := engine.System{OS: "linux", Home: home, Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	return Offer{Plan: imports.Make(imports.Options{System: system, Clients: []string{"cursor"}})}
}

func TestBringIn(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	o.pick(t, "cursor", "Bring in its servers…")
	var brought imports.Plan
	var kept bool
	var done func(error)
	o.fake.bring = func(plan imports.Plan, keychain bool, end func(error)) {
		brought, kept, done = plan, keychain, end
	}
	o.looked(offered(t), nil)
	o.reads(t, "Bring in 3 servers", "https://search.example.com/mcp",
		"Goes into the keychain: env GITHUB_TOKEN.")
	if strings.Contains(o.texts(), "ghp_") {
		t.Error("a secret is shown")
	}
	for _, object := range seen(o.top()) {
		if check, ok := object.(*kit.Check); ok &&
			check.Text == "notes" {
			test.Tap(check)
		}
	}
	o.tap(t, "Bring in 2 servers")
	if len(brought.Servers) != 2 || brought.Servers[1].As != "search" || !kept {
		t.Errorf("%d servers were brought in, kept: %v", len(brought.Servers), kept)
	}
	done(errors.New("the disk is full"))
	o.reads(t, "The disk is full.", "Bring in 2 servers")
	o.tap(t, "Bring in 2 servers")
	done(nil)
	if o.dialog != nil {
		t.Error("the dialog is still open")
	}

	o.pick(t, "cursor", "Bring in its servers…")
	o.looked(offered(t), nil)
	for _, object := range seen(o.top()) {
		if choice, ok := object.(*kit.Select); ok {
			choice.SetSelected("dev")
		}
	}
	if o.last() != "import cursor dev" {
		t.Errorf("choosing another toolbox calls %q", o.last())
	}
	o.looked(offered(t), nil)
	for _, object := range seen(o.top()) {
		if check, ok := object.(*kit.Check); ok {
			o.window.Canvas().Focus(check)
		}
	}
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if o.dialog != nil {
		t.Error("Esc does not close the dialog")
	}
}

func TestEmpty(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, View{}, normal)
	o.reads(t, "Looking for AI apps…")
	o.Apply(View{Known: true, Also: []string{"Cursor"}})
	o.reads(t, "No AI app found", "Works with", "Cursor")
	if strings.Contains(o.texts(), "Also works with") {
		t.Error("apps are added to none")
	}
	o.tap(t, "Look again")
	if o.last() != "look" {
		t.Errorf("the actions are %q", o.did)
	}
}

// In the smallest window, the state of an app and the path of a file to be changed must be shown in full.
func TestNothingIsCutShort(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	outdated := facts()
	outdated.Statuses = []engine.Status{client("cursor", engine.Outdated, noon)}
	outdated.Uses = map[string]Use{"Cursor": {Here: true}}
	o := open(t, NewView(outdated), small)
	found := false
	for _, object := range seen(o.top()) {
		if text, ok := object.(*kit.Text); ok && text.Text() == "Using Workbench now" {
			found = true
			if text.Size().Width < text.Full().Width {
				t.Errorf("%q has a size of %v, want %v", text.Text(), text.Size(), text.Full())
			}
		}
	}
	if !found {
		t.Errorf("the state of the app is not shown:\n%s", o.texts())
	}

	o.connect(Card{ID: "cursor", Name: "Cursor"})
	plan := planOf(t, "cursor", false)
	plan.Plan.Changes[0].File = "/home/ada/" + strings.Repeat("far/away/", 30) + "mcp.json"
	o.planned(plan, nil)
	for _, object := range seen(o.top()) {
		if lines, ok := object.(*kit.Lines); ok && strings.HasPrefix(lines.Text(), "Changes in ") {
			if least := lines.Height(lines.Size().Width); lines.Size().Height < least || least < 2*lines.Full().Height {
				t.Errorf("the name of the file has a size of %v, and needs a height of %v", lines.Size(), least)
			}
			return
		}
	}
	t.Errorf("the name of the file is not shown:\n%s", o.texts())
}

// If a file cannot be read, the dialog must not say that it has no servers.
func TestBringFromAnUnreadableFile(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	o.pick(t, "cursor", "Bring in its servers…")
	broken := imports.Skipped{Origin: imports.Origin{App: "Cursor", File: "/home/ada/.cursor/mcp.json"},
		Reason: words.Foreign("The file cannot be read: line 3, column 7: a comma is missing.")}
	o.looked(Offer{Plan: imports.Plan{Toolbox: "cursor", Skipped: []imports.Skipped{broken}}}, nil)
	o.reads(t, broken.Reason.String(), "/home/ada/.cursor/mcp.json was not changed.")
	if said := o.texts(); strings.Contains(said, "nothing to bring in") || strings.Contains(said, "Not brought in") {
		t.Errorf("the texts are\n%s", said)
	}
	o.tap(t, "Try again")
	some := offered(t)
	some.Plan.Skipped = append(some.Plan.Skipped, broken)
	o.looked(some, nil)
	o.reads(t, broken.Reason.String(), "Bring in 3 servers", "Not brought in", "workbench: It is Workbench itself.")
	if strings.Count(o.texts(), broken.Reason.String()) != 1 {
		t.Errorf("the reason is not shown once:\n%s", o.texts())
	}
}

// The card of a connected app has a check mark for each toolbox.
func TestToolboxesOfAnApp(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	now := facts()
	now.Toolboxes = []*config.Toolbox{{Name: "dev"}, {Name: "office", Apps: []string{"zed"}},
		{Name: "home", Apps: []string{}}}
	o := open(t, NewView(now), normal)
	o.reads(t, "Sees 1 of 3 toolboxes", "Sees 2 of 3 toolboxes")
	if o.buttons["cursor boxes"] != nil {
		t.Error("an app that is not connected has check marks")
	}
	for _, card := range o.view.Cards {
		if card.ID != "claude-desktop" {
			continue
		}
		items := o.boxesMenu(card, card.ID).Items
		if len(items) != 3 || !items[0].Checked || items[1].Checked || items[2].Checked {
			t.Fatal(items)
		}
		items[0].Action()
		if o.last() != "show dev claude-desktop false" {
			t.Errorf("the actions are %q", o.did)
		}
		items[1].Action()
		if o.last() != "show office claude-desktop true" {
			t.Errorf("the actions are %q", o.did)
		}
	}
	now.Toolboxes = now.Toolboxes[:1]
	o.Apply(NewView(now))
	o.reads(t, "Sees 1 of 1 toolboxes")
	now.Toolboxes = []*config.Toolbox{{Name: "dev", Apps: []string{}}}
	o.Apply(NewView(now))
	o.reads(t, "Sees 0 of 1 toolboxes")
}
