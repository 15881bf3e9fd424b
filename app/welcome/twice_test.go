package welcome

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func begun(t *testing.T) *opened {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := brought(t, small)
	o.tried()
	o.did = nil
	return o
}

// TestServersAreTriedFirst: who connects an app while the servers are still being tried waits for that, so that what
// works leaves the app's file.
func TestServersAreTriedFirst(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := brought(t, small)
	o.did = nil
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	o.asked("plan claude-desktop true")
	o.reads("Your servers are tried first.")
	o.tried()
	if !slices.Contains(o.did, "take over claude-desktop 4 false") {
		t.Errorf("the program was asked for %q", o.did)
	}
}

// The servers that were brought in are removed from an app when it is connected. The page says so before and
// afterwards.
func TestServersGoOut(t *testing.T) {
	o := begun(t)
	o.reads("Will be removed: filesystem.", "Remove these servers from the apps, which get them from Workbench now",
		"A copy of each file is kept")
	if texts := o.texts(); strings.Contains(texts, "github") {
		t.Errorf("servers of an app that is not ticked are named:\n%s", texts)
	}
	test.Tap(o.boxes["app vscode"]) // it has the same server, and one that needs a value and so keeps its entry
	o.reads("Remove these servers from the apps, which get them from Workbench now")
	if count := strings.Count(o.texts(), "Will be removed: filesystem."); count < 2 ||
		strings.Contains(o.texts(), "search") {
		t.Errorf("the texts are\n%s", o.texts())
	}
	test.Tap(o.boxes["app vscode"])
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.asked("plan claude-desktop true", "take over claude-desktop 4 true")
	if box := o.boxes["switch"]; box != nil && !box.Disabled() {
		t.Error("the box can be changed while the servers are being removed")
	}
	o.taken["claude-desktop"](setup.Moved{Files: []setup.MovedFile{{Names: []string{"filesystem"}}},
		Stay: []imports.Skipped{{Origin: imports.Origin{Name: "notes"},
			Reason: words.Foreign("It has changed meanwhile.")}}}, nil)
	o.reads("Almost done", "Removed from Claude Desktop: filesystem.", "Stays in Claude Desktop: notes. It has changed meanwhile.")
	if strings.Contains(o.texts(), "twice") {
		t.Errorf("the texts are\n%s", o.texts())
	}
	undone := facts()
	undone.Apps[0].Linked = true
	o.Apply(undone)
	o.reads("Your toolboxes are still empty", "A copy of each file is kept")
}

// The difference of a file also shows the entries that will be removed, unless the user keeps them.
func TestShowsWhatGoesOut(t *testing.T) {
	o := begun(t)
	o.do(Button{Action: ActionShow, With: "claude-desktop"})
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.asked("plan claude-desktop true", "preview claude-desktop 4")
	o.removed["claude-desktop"](setup.Preview{
		Changes: []engine.Difference{{File: "/claude.json",
			Unified: "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-    \"filesystem\": {}\n+    \"workbench\": {}\n"}}})
	o.reads("Changes in /claude.json")
	removed := func() bool {
		for _, change := range o.view.Rows[0].Changes {
			if strings.Contains(change.Unified, `-    "filesystem"`) {
				return true
			}
		}
		return false
	}
	if !removed() {
		t.Errorf("the removed entries are not shown: %+v", o.view.Rows[0].Changes)
	}
	test.Tap(o.boxes["switch"]) // they are kept
	if removed() {
		t.Error("entries that are kept are shown as removed")
	}
}

// A user can keep the entries, and is told what that means.
func TestServersStay(t *testing.T) {
	o := begun(t)
	test.Tap(o.boxes["switch"])
	o.reads("Their tools are then there twice")
	if strings.Contains(o.texts(), "Goes out") {
		t.Error("the entries are removed although the user keeps them")
	}
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	o.asked("plan claude-desktop true", "carry claude-desktop false")
	o.carried["claude-desktop"](nil)
	o.reads("Claude Desktop has filesystem twice")
}

// If an app could not be connected, the page says so, and its entries are kept.
func TestTakingOutFails(t *testing.T) {
	o := begun(t)
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	o.taken["claude-desktop"](setup.Moved{}, errors.New("the disk is full"))
	o.reads("The disk is full.", "Not connected", "Will be removed: filesystem.")
	o.tap("Try again")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
	o.taken["claude-desktop"](setup.Moved{Failed: []error{errors.New("its file has a name twice")}}, nil)
	o.reads("Its file has a name twice.", "Claude Desktop has filesystem twice")
}

// Nothing is removed from an app that does not start Workbench, after the import was undone, or for servers that were
// only read and not brought in.
func TestWhatIsNeededStays(t *testing.T) {
	o := begun(t)
	m := o.Service.page()
	if names := m.doubles(m.facts.Apps[0]); !slices.Equal(names, []string{"filesystem"}) {
		t.Fatalf("the double servers are %q", names)
	}
	forbidden := m.facts.Apps[0]
	forbidden.Problem = "It is forbidden."
	if names := m.doubles(forbidden); names != nil {
		t.Errorf("for an app that does not start Workbench, the double servers are %q", names)
	}
	m.Bring.Stage = model.BringServers
	m.Bring.Plan.Skipped = []imports.Skipped{{Origin: imports.Origin{Client: "claude-desktop", Name: "old"}, Here: true},
		{Origin: imports.Origin{Client: "claude-desktop", Name: "other"}}}
	if names := m.doubles(m.facts.Apps[0]); !slices.Equal(names, []string{"old"}) {
		t.Errorf("when nothing was brought in, the double servers are %q", names)
	}
	m.facts.Servers = 0
	if names := m.doubles(m.facts.Apps[0]); names != nil {
		t.Errorf("after undo, the double servers are %q", names)
	}
}

// The command for an app that the user connects in a terminal also removes its entries. The last page shows the
// command too.
func TestCommandTakesOut(t *testing.T) {
	o := begun(t)
	test.Tap(o.boxes["app claude-desktop"])
	test.Tap(o.buttons["app claude-code "+keyOf(Button{Action: ActionShow, With: "claude-code"})])
	o.planned["claude-code"](planOf(t, "claude-code", false), nil)
	o.asked("plan claude-code true", "preview claude-code 4")
	o.removed["claude-code"](setup.Preview{Commands: []string{"claude mcp remove -s user time"}})
	o.reads("Remove these servers from the apps")
	o.tap("Copy")
	if last := o.did[len(o.did)-1]; !strings.HasPrefix(last, "copy claude mcp add ") ||
		!strings.HasSuffix(last, "\nclaude mcp remove -s user time") {
		t.Errorf("the last action is %q", last)
	}
	o.tap("Continue")
	o.reads("Run this in a terminal:")
	o.tap("Copy")
	done := connected()
	done.Apps[1].Proven = true
	o.Apply(done)
	o.reads("Claude Code can use your toolboxes",
		"To remove them from Claude Code, run this in a terminal:")
	if rows := o.view.Rows; rows[0].Command != "claude mcp remove -s user time" {
		t.Errorf("the command is %q", rows[0].Command)
	}
}

// If the keychain cannot be used, the page goes on without it when the button is pressed again.
func TestNoKeychain(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, facts(), model.StepBring, small)
	o.tap("Find servers")
	var kept []bool
	o.read(o.offer(func(_ imports.Plan, keep bool, done func(error)) {
		if kept = append(kept, keep); keep {
			done(words.NewError("imports.not_kept", "Why", words.Foreign("the keychain cannot be used")))
			return
		}
		done(nil)
	}), nil)
	o.tap("Bring in 3 servers")
	o.reads("Nothing was brought in: the keychain cannot be used.", "There is no keychain here, so passwords")
	if o.boxes["switch"].Checked {
		t.Error("the box is still checked")
	}
	o.tap("Bring in 3 servers")
	o.reads("A connected app starts Workbench by itself and gets your toolboxes.")
	if !slices.Equal(kept, []bool{true, false}) {
		t.Errorf("the choices were %v", kept)
	}
}

// A file that could not be read is shown like a server, and not in small print.
func TestUnreadableFile(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, facts(), model.StepBring, small)
	o.tap("Find servers")
	partly := offer()
	partly.Plan.Skipped = append(partly.Plan.Skipped, broken)
	o.read(partly, nil)
	if len(o.view.Unread) != 1 || len(o.view.Rows) != len(partly.Plan.Servers) {
		t.Fatalf("the files are shown as %+v, the servers as %+v", o.view.Unread, o.view.Rows)
	}
	row := o.view.Unread[0]
	if row.Name != "VS Code" || row.Sign.State != theme.StateWrong || row.Runs != broken.File ||
		row.Lines[0].Text != broken.Reason.String() || row.Box {
		t.Errorf("the file is shown as %+v", row)
	}
	if count := strings.Count(strings.Join(o.view.Small, "\n"), broken.File); count > 0 {
		t.Error("the file is in small print, too")
	}
	// If all files could not be read, the page does not say that the apps have no servers.
	o.tap("Back")
	o.tap("Find servers")
	none := offer()
	none.Plan.Servers, none.Plan.Skipped = nil, []imports.Skipped{broken}
	o.read(none, nil)
	o.reads("Nothing to bring in", "No AI app here has servers to bring in.", broken.Reason.String())
}

// While the page waits for an app, nothing on it moves, because the wait may be long and drawing costs power.
func TestWaitingIsCalm(t *testing.T) {
	o := begun(t)
	o.tap("Connect Claude Desktop")
	o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
	o.reads("Waiting for it to quit")
	for _, object := range test.LaidOutObjects(o.Object()) {
		if _, moves := object.(interface{ Running() bool }); moves {
			t.Errorf("%T moves", object)
		}
	}
	if c, ok := engine.ByID("claude-desktop"); !ok || c.Rewriting != client.FromMemory {
		t.Error("Workbench need not wait for Claude Desktop, so this test checks nothing")
	}
}

// An app with a program that Workbench can run is connected by that program. Its double entries still need a command,
// which the last page shows.
func TestTwiceByOwnCommand(t *testing.T) {
	o := begun(t)
	f := connected()
	f.Apps[1].ByHand = false
	o.Apply(f)
	test.Tap(o.boxes["app claude-desktop"])
	test.Tap(o.boxes["app claude-code"])
	if strings.Contains(o.texts(), "Will be removed") {
		t.Errorf("the page says that entries will be removed:\n%s", o.texts())
	}
	test.Tap(o.buttons["app claude-code "+keyOf(Button{Action: ActionShow, With: "claude-code"})])
	row, _ := engine.ByID("claude-code")
	o.planned["claude-code"](clients.Proposal{
		Plan: engine.Plan{Client: row, Connect: true, Runs: []engine.Command{{}}, Line: "claude mcp add"}}, nil)
	o.reads("Workbench runs it for you:", "claude mcp add")
	if strings.Contains(o.texts(), "A copy of each file") {
		t.Error("the page says that a copy is kept")
	}
	o.tap("Connect Claude Code")
	o.taken["claude-code"](setup.Moved{Commands: []string{"claude mcp remove -s user time"}}, nil)
	o.reads("Waiting for Claude Code to start Workbench…",
		"To remove them from Claude Code, run this in a terminal:")
	if rows := o.view.Rows; len(rows) != 1 || rows[0].Command != "claude mcp remove -s user time" {
		t.Errorf("the commands are %+v", rows)
	}
}
