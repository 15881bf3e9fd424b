package app

import (
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// A key that is missing is seen before anything is started, in list, card and tray, and "Fill it in" puts the keyboard
// into its field.
func TestMissingKeyComesFirst(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {
		"brave": {"command": "sh", "env": {"LEVEL": "info", "BRAVE_API_KEY": ""}}, "b": {"command": "sh"}}}}}`, nil)
	b.untilOwn()
	b.untilWord("brave", "Needs a key")
	server := b.serverShown("brave")
	if server.State != theme.StateKey || server.Detail != "To fill in: BRAVE_API_KEY." || server.FixWord() != "Fill it in" {
		t.Errorf("the card shows %+v", server)
	}
	if box := b.now.view.Toolboxes[0]; box.Note != "1 needs something" || b.now.view.Count() != 1 {
		t.Errorf("the toolbox says %q, and there are %d problems", box.Note, b.now.view.Count())
	}
	state := tray.StateOf(b.now.Snapshot, b.now.view, model.Login{})
	if shown := state.Toolboxes[0].Servers[0]; shown.Text != "Needs a key" || shown.Help != "Fill it in" ||
		tray.IconOf(state) != tray.IconAttention {
		t.Errorf("the tray shows %+v", shown)
	}
	b.toolboxes.Mend(model.Choice{Toolbox: "dev", Server: "brave"})
	if !b.detail.Shows(model.TabSetup) {
		t.Error("the button does not lead to Setup")
	}
	field, ok := b.window.Window.Canvas().Focused().(*kit.Input)
	if !ok || !field.Password && field.PlaceHolder != "Value" {
		t.Fatalf("the keyboard is in %+v", b.window.Window.Canvas().Focused())
	}
}

// fillIn types what the server a lacks, and waits until it is connected.
func fillIn(b *bench, typed string) {
	b.untilWord("a", "Not complete yet")
	b.toolboxes.Mend(model.Choice{Toolbox: "dev", Server: "a"})
	canvas := b.window.Window.Canvas()
	for _, letter := range typed {
		canvas.Focused().TypedRune(letter)
	}
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.untilWord("a", "Connected")
}

// A server that gets what it lacked is tried at once, so that nobody has to guess whether the value was right.
func TestFilledInIsTried(t *testing.T) {
	entry := string(entryOf(fakeserver.Script{}))
	b := newBench(t, configured(`"a": `+strings.Replace(entry, `"env":{`, `"env":{"TEAM":"<your team>",`, 1)), nil)
	b.untilOwn()
	fillIn(b, "north")
}

// A key that an entry written by hand takes from a variable that is not set is missing like any other, before the server
// is started: once, in list, card and tray. The variable may be written as VS Code does.
func TestKeyOfUnsetVariable(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {
		"brave": {"command": "sh", "env": {"BRAVE_API_KEY": "${UNSET_BRAVE_API_KEY}"}},
		"env": {"command": "sh", "env": {"ENV_API_KEY": "${env:UNSET_ENV_API_KEY}"}},
		"search": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${UNSET_TOKEN}"}},
		"b": {"command": "sh"}}}}}`, nil)
	b.untilOwn()
	for name, lacks := range map[string]string{"brave": "BRAVE_API_KEY", "env": "ENV_API_KEY",
		"search": "Authorization"} {
		b.untilWord(name, "Needs a key")
		if server := b.serverShown(name); server.State != theme.StateKey || server.FixWord() != "Fill it in" ||
			server.Detail != "To fill in: "+lacks+"." {
			t.Errorf("the card shows %+v", server)
		}
	}
	if box := b.now.view.Toolboxes[0]; box.Note != "3 need something" || b.now.view.Count() != 3 {
		t.Errorf("the toolbox says %q, and there are %d problems", box.Note, b.now.view.Count())
	}
	state := tray.StateOf(b.now.Snapshot, b.now.view, model.Login{})
	if shown := state.Toolboxes[0].Servers[0]; shown.Text != "Needs a key" || shown.Help != "Fill it in" {
		t.Errorf("the tray shows %+v", shown)
	}
	b.toolboxes.Mend(model.Choice{Toolbox: "dev", Server: "brave"})
	field, ok := b.window.Window.Canvas().Focused().(*kit.Input)
	if !ok || field.Text != "${UNSET_BRAVE_API_KEY}" || field.SelectedText() != field.Text {
		t.Fatalf("the keyboard is in %+v", b.window.Window.Canvas().Focused())
	}
}

// What is typed in the place of a variable that is not set is tried at once.
func TestUnsetVariableIsFilledIn(t *testing.T) {
	entry := string(entryOf(fakeserver.Script{}))
	for _, c := range []struct{ value, want string }{
		{"${UNSET_TEAM}", `"TEAM":"north"`},
		{"${env:UNSET_TEAM}", `"TEAM":"north"`},
		{"team/${UNSET_TEAM}", `"UNSET_TEAM": "north"`}, // it gets a row of its own
	} {
		b := newBench(t, configured(`"a": `+strings.Replace(entry, `"env":{`, `"env":{"TEAM":"`+c.value+`",`, 1)), nil)
		b.untilOwn()
		fillIn(b, "north")
		if text := b.text(); !strings.Contains(strings.ReplaceAll(text, `": "`, `":"`),
			strings.ReplaceAll(c.want, `": "`, `":"`)) {
			t.Errorf("the file is %s", text)
		}
	}
}

// If a server has ended because a key is missing, the button leads to the variable that it has named, even if its entry
// does not have it.
func TestServerSaysThatItNeedsAKey(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server is a script of a shell")
	}
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"brave": {"command": "sh", "args": ["-c",
		"echo 'Error: BRAVE_API_KEY environment variable is required' >&2; exit 1"]}}}}}`, nil)
	at := model.Choice{Toolbox: "dev", Server: "brave"}
	b.untilOwn()
	b.openToolbox("dev", true)
	b.untilWord("brave", "Needs a key")
	if server := b.serverShown("brave"); server.FixWord() != "Fill it in" ||
		server.Detail != "It wrote: Error: BRAVE_API_KEY environment variable is required" {
		t.Errorf("the card shows %+v", server)
	}
	b.fix(at)
	typed := b.model.Drafts.Of(at)
	if len(typed) != 1 || typed[0].Now.Name != "BRAVE_API_KEY" {
		t.Fatalf("no row is added for the key: %+v", typed)
	}
	b.window.Window.Canvas().Focused().TypedRune('x')
	if typed[0].Now.Text != "x" || strings.Contains(b.text(), `"env"`) {
		t.Errorf("the keyboard is not in the value: %+v", typed[0])
	}
}

// Deleting a server on its own page can be undone with one click, as in the list.
func TestDeleteOnThePageOfAServer(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.untilOwn()
	b.showServer(model.Choice{Toolbox: "dev", Server: "a"})
	canvas := b.window.Window.Canvas()
	for _, object := range test.LaidOutObjects(b.detail.Editor.Object()) {
		if button, ok := object.(*kit.Button); ok && button.AccessibilityLabel() == "More" {
			test.Tap(button)
		}
	}
	menu, ok := canvas.Focused().(*widget.PopUpMenu)
	if !ok {
		t.Fatal("there is no menu")
	}
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp}) // to the last item: Delete
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.until(func() string { return differs(b.toast(), "Deleted “a” Undo") })
	b.toastButton().Tapped(nil)
	b.until(func() string { return differs(b.text(), oneServer) })
}
