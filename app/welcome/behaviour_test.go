package welcome

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func begin(t *testing.T, facts Facts, at model.Step) *opened {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, facts, at, small)
	o.Focus()
	return o
}

// Files are read only after the user asks for it, and only the ticked servers are brought in.
func TestBringIn(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.reads("Welcome to Workbench", "Claude Desktop", "VS Code", "Skip all steps")
	o.asked() // no file is read yet
	test.Tap(o.boxes["app vscode"])
	o.press(fyne.KeyReturn)
	o.asked("read [claude-desktop cursor]")
	o.reads("Looking for servers…")

	var brought imports.Plan
	var kept bool
	var done func(error)
	o.read(o.offer(func(plan imports.Plan, keep bool, d func(error)) { brought, kept, done = plan, keep, d }), nil)
	o.reads("3 servers found", "from Claude Desktop, VS Code", "Needs a key",
		"Keys and passwords go into the keychain of this computer.",
		"Not brought in: browser (VS Code). It is built into VS Code.")
	// Commands are for those who ask for them.
	if strings.Contains(o.texts(), "npx") {
		t.Error("a command is shown before anybody asks for it")
	}
	o.tap("Show commands")
	o.reads("npx -y @modelcontextprotocol/server-github")
	if strings.Contains(o.texts(), "ghp_") {
		t.Error("a secret is shown")
	}
	o.Focus()
	o.hasKeyboard("Bring in 3 servers")
	for key, box := range o.boxes {
		if strings.HasSuffix(key, "\x00search") {
			test.Tap(box)
			o.window.Canvas().Focus(box)
		}
	}
	o.tap("Bring in 2 servers") // nobody is asked about the keychain
	if len(brought.Servers) != 2 || brought.Servers[1].As != "github" || !kept {
		t.Errorf("brought are %+v, kept: %v", brought.Servers, kept)
	}
	done(errors.New("the disk is full"))
	o.reads("The disk is full.")
	test.Tap(o.boxes["switch"])
	o.tap("Bring in 2 servers")
	if kept {
		t.Error("the keychain is used although the box is not ticked")
	}
	done(nil)
	o.asked("try imported filesystem", "try imported github", "reached 1")
	o.reads("A connected app starts Workbench by itself and gets your toolboxes.")

	o.press(fyne.KeyEscape) // goes back
	o.reads("2 servers are in “imported” now.")
	o.asked("reached 0")
	o.tap("Look again")
	o.reads("Welcome to Workbench")
}

// The servers that were brought in are tried, a few at a time. The last page says how many work, and what to do about
// the others.
func TestBroughtInIsTried(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.press(fyne.KeyReturn)
	found := o.offer(func(_ imports.Plan, _ bool, done func(error)) { done(nil) })
	found.Plan.Servers = nil
	for i := range trying.AtOnce + 1 {
		name := string(rune('a' + i))
		found.Plan.Servers = append(found.Plan.Servers,
			imports.Found{As: name, Origin: imports.Origin{Client: "cursor", Name: name},
				Entry: config.Server{Name: name, Command: "uvx", Args: []string{name}}})
	}
	found.Plan.Servers = append(found.Plan.Servers,
		imports.Found{As: "z", ToFill: []string{"SEARCH_KEY"}, Entry: config.Server{Name: "z", Command: "sh"}})
	o.read(found, nil)
	o.did = nil
	o.tap("Bring in 6 servers")
	o.asked("try imported a", "try imported b", "try imported c", "try imported d", "reached 1")
	o.tries["a"](works)
	o.asked("try imported e")
	f := facts()
	f.Servers, f.Usable = 6, true
	o.Apply(f)
	o.goTo(model.StepDone)
	o.reads("Trying 6 servers… 1 work so far")
	for _, name := range []string{"b", "c", "d"} {
		o.tries[name](works)
	}
	o.tries["e"](status.Server{State: status.Failed,
		Problem: &status.Problem{Kind: status.KindProgram, Message: words.Foreign("uvx was not found")}})
	o.reads("4 of 6 servers work", "uv is not on this computer yet.", "Get uv", "Needs a key",
		"To fill in: SEARCH_KEY.")
	o.did = nil
	o.tap("Try again")
	o.asked("try imported e")
	o.reads("Trying 6 servers… 4 work so far")
	o.tries["e"](works)
	o.reads("5 of 6 servers work")
	o.did = nil
	o.tap("Fill it in")
	o.asked("finish", "help imported z")
	f.Servers = 0 // it was undone
	o.Apply(f)
	if strings.Contains(o.texts(), "servers work") {
		t.Error("servers whose import was undone are said to work")
	}
}

// A server that would not get a variable says so before it is brought in, and has a button to pass the variable on.
func TestPassOn(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.press(fyne.KeyReturn)
	var brought imports.Plan
	found := o.offer(func(plan imports.Plan, _ bool, _ func(error)) { brought = plan })
	found.Plan.Servers = found.Plan.Servers[:1]
	found.Plan.Servers[0].Entry.Env = nil
	found.Plan.Servers[0].Withheld = []string{"HUB_KEY"}
	o.read(found, nil)
	o.reads("It needs HUB_KEY, and would not get it here")
	o.tap("Pass on")
	o.reads("HUB_KEY=${HUB_KEY}")
	o.tap("Bring in 1 server")
	if len(brought.Servers) != 1 ||
		!slices.Equal(brought.Servers[0].Entry.Env, []config.Variable{{Name: "HUB_KEY", Value: "${HUB_KEY}"}}) {
		t.Errorf("%+v", brought.Servers)
	}
}

// Enter goes on and Esc goes back, even when a box has the focus.
func TestKeysOnBoxes(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.window.Canvas().Focus(o.boxes["app cursor"])
	o.press(fyne.KeyEnter)
	o.asked("read [claude-desktop cursor vscode]")
	o.read(offer(), nil)
	for _, box := range o.boxes {
		o.window.Canvas().Focus(box)
	}
	o.press(fyne.KeyEscape)
	o.reads("Welcome to Workbench")
	o.asked("look")
}

// A result that arrives after the user has cancelled is ignored.
func TestLookingGivenUp(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.tap("Find servers")
	o.Escape()
	o.read(offer(), nil)
	o.reads("Welcome to Workbench", "Find servers")
	o.tap("Find servers")
	o.read(clients.Offer{}, errors.New("the file is broken"))
	o.reads("The file is broken.")
	for range 3 {
		test.Tap(o.boxes["app cursor"])
	}
	test.Tap(o.boxes["app vscode"])
	test.Tap(o.boxes["app claude-desktop"])
	if !o.buttons["main"].Disabled() {
		t.Error("without an app, the main button is enabled")
	}
	o.tap("Skip this step")
	o.reads("A connected app starts Workbench by itself and gets your toolboxes.")
}

// Enter does nothing until the apps are known.
func TestEnterTooEarly(t *testing.T) {
	o := begin(t, Facts{}, model.StepBring)
	if focused := o.window.Canvas().Focused(); focused != nil {
		t.Errorf("%#v has the focus", focused)
	}
	o.Enter()
	o.asked()
	o.Apply(facts())
	o.hasKeyboard("Find servers")
}

// A user without servers to bring in gets an example, which is tried at once.
func TestExample(t *testing.T) {
	o := begin(t, Facts{Known: true}, model.StepBring)
	o.asked()
	o.reads("No AI app here has servers to bring in.", "notes", "Tells the time in any time zone.")
	o.tap("Add the example and try it")
	o.asked("example 2")
	o.example("", errors.New("the disk is full"))
	o.reads("The disk is full.")
	o.tap("Add the example and try it")
	o.example("example-2", nil)
	o.Apply(Facts{Known: true, Servers: 2, Usable: true})
	o.asked("example 2", "try example-2 notes", "try example-2 time", "reached 1")
	o.reads("Starting…", "The toolbox “example-2”")
	o.tries["notes"](works)
	o.tries["time"](status.Server{State: status.Failed,
		Problem: &status.Problem{Kind: status.KindExited, Message: words.Foreign("it ended"),
			Hint: words.Foreign("look at its log")}})
	o.reads("Works · 9 tools", "Couldn't start", "It ended. Look at its log.")
	o.tap("Try again")
	o.asked("try example-2 time")
	o.tries["time"](works)
	o.reads("Your first toolbox works")
	o.Apply(Facts{Known: true}) // as after Ctrl+Z
	o.reads("Add the example and try it")
	o.Apply(Facts{Known: true, Servers: 2, Usable: true})
	o.tap("Continue")
	o.reads("No AI app found", "Get Claude Desktop")
	o.tap("Get Claude Desktop")
	o.asked("reached 1", "open https://claude.ai/download")
}

// Without an AI app, the last page offers to try a tool. As the page before it, it finds an app that is installed while
// it is shown.
func TestLastPageWithoutApps(t *testing.T) {
	o := begin(t, Facts{Known: true, Servers: 2, Usable: true}, model.StepBring)
	o.fake.later()
	o.asked() // the first page does not look by itself
	o.tap("Continue")
	o.reads("No AI app found")
	o.asked("reached 1")
	o.fake.later()
	o.asked("look")
	o.tap("Continue")
	o.reads("Your toolboxes are ready", "Looking for AI apps. One that you install now shows up here.")
	o.asked("reached 2")
	for range 2 {
		o.fake.later()
		o.asked("look")
	}
	f := o.facts
	f.Apps = []App{app("cursor")}
	o.Apply(f)
	o.reads("Try a tool now", "Connect AI apps")
	o.tap("Try a tool now")
	o.asked("finish", "try a tool")
	o.fake.later()
	o.asked() // the steps are over
}

// Apps are connected one after the other. Those that the user must quit first come last.
func TestConnect(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	o.hasKeyboard("Connect Claude Desktop")
	test.Tap(o.boxes["app cursor"])
	o.asked() // no file is read yet
	o.tap("Connect 2 AI apps")
	o.asked("plan claude-desktop true")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.asked("plan cursor true")
	o.planned["cursor"](planOf(t, "cursor", false), nil)
	o.asked("carry cursor false")
	o.carried["cursor"](nil)
	o.asked("plan claude-desktop true")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.asked("carry claude-desktop true")
	o.reads("Waiting for it to quit", "Quit Claude Desktop now, from its menu or its icon next to the clock",
		"Stop waiting")
	if focused := o.window.Canvas().Focused(); focused != nil {
		t.Errorf("while Workbench waits for the app, %#v has the focus", focused)
	}
	o.press(fyne.KeyEscape)
	if o.carrying.Err() == nil {
		t.Error("Workbench still waits for the app")
	}
	o.reads("Connect Claude Desktop")
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.carried["claude-desktop"](nil)
	o.asked("plan claude-desktop true", "carry claude-desktop true", "reached 2")
	o.reads("Almost done")

	f := connected()
	f.Apps[0].Linked, f.Apps[2].Linked = true, true
	o.Apply(f)
	o.reads("Waiting for Claude Desktop, Cursor to start Workbench…", "Start Claude Desktop: it reads its file then.")
	f.Apps = slices.Clone(f.Apps)
	f.Apps[0].Proven = true
	o.Apply(f)
	o.reads("Claude Desktop can use your toolboxes", "“Which toolboxes do you have?”")
	o.tap("Copy")
	o.asked("copy Which toolboxes do you have?")
	o.reads("Copied")
	o.tap("Go to my toolboxes")
	o.asked("finish")
}

// If an app is started after Workbench has checked that it is not running, Workbench waits for it to quit.
func TestStartedMeanwhile(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	client, _ := engine.ByID("claude-desktop")
	o.carried["claude-desktop"](&engine.RunningError{Client: client})
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.asked("plan claude-desktop true", "carry claude-desktop false", "plan claude-desktop true",
		"carry claude-desktop true")
}

// If one app cannot be connected, the others still are.
func TestConnectFails(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	test.Tap(o.boxes["app cursor"])
	o.tap("Connect 2 AI apps")
	o.planned["claude-desktop"](clients.Proposal{}, errors.New("its file has a mistake; repair it"))
	o.planned["cursor"](planOf(t, "cursor", false), nil)
	o.carried["cursor"](nil)
	o.did = nil
	o.reads("Its file has a mistake; repair it.", "Not connected", "Set up")
	o.tap("Try again")
	o.asked("plan claude-desktop true")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	o.carried["claude-desktop"](nil)
	o.reads("Almost done")
}

// The page can show the change of a file, or the command for an app that has one.
func TestShowTheChange(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	o.do(Button{Action: ActionShow, With: "cursor"})
	o.asked("plan cursor true")
	o.reads("Reading…")
	o.planned["cursor"](planOf(t, "cursor", false), nil)
	o.reads("Changes in", "Hide the change")
	o.do(Button{Action: ActionShow, With: "cursor"})
	if strings.Contains(o.texts(), "Changes in") {
		t.Error("the change is still shown")
	}
	test.Tap(o.buttons["app claude-code "+keyOf(Button{Action: ActionShow, With: "claude-code"})])
	o.planned["claude-code"](planOf(t, "claude-code", false), nil)
	o.tap("Copy")
	if last := o.did[len(o.did)-1]; !strings.HasPrefix(last, "copy claude mcp add ") {
		t.Errorf("the last action is %q", last)
	}
	// Workbench also waits for an app that the user connects with a command.
	test.Tap(o.boxes["app claude-desktop"])
	o.tap("Continue")
	o.reads("Waiting for Claude Code to start Workbench…", "Run this in a terminal:")
}

// Skipping the steps ends the wait for an app.
func TestLeavingInTheMiddle(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.tap("Skip all steps")
	if o.carrying.Err() == nil || o.did[len(o.did)-1] != "finish" {
		t.Errorf("the actions are %q, or Workbench still waits for the app", o.did)
	}
}

// The focus stays on its control when something else changes, and the Tab key reaches every control.
func TestKeyboardStays(t *testing.T) {
	o := begin(t, connected(), model.StepConnect)
	o.window.Canvas().Focus(o.boxes["app cursor"])
	f := connected()
	f.Apps = append(f.Apps, app("zed"))
	o.Apply(f)
	if o.focused() != "app cursor" {
		t.Errorf("the focus moved to %q", o.focused())
	}
	reached := map[string]bool{}
	for range 30 {
		o.window.Canvas().FocusNext()
		reached[o.focused()] = true
	}
	for _, key := range []string{"quit", "back", "skip", "main", "app claude-desktop", "app zed"} {
		if !reached[key] {
			t.Errorf("the Tab key does not reach %q", key)
		}
	}
}
