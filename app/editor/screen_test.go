package editor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Each state has the buttons that help in it.
func TestHeaderButtons(t *testing.T) {
	b := open(t, plain, wide)
	for state, want := range map[status.State]string{
		status.NotStarted: "Start", status.Starting: "Stop", status.Connected: "Restart Stop",
		status.Failed: "Show log Try again", status.Stopped: "Show log Try again Stop", status.SignIn: "Sign in…",
		status.NeedsApproval: "Try it",
	} {
		b.live.State = state
		b.shown = live.Words(b.live, time.Time{})
		b.apply()
		var got []string
		for _, button := range []*kit.Button{b.header.fix, b.header.start, b.header.restart, b.header.stop, b.header.on} {
			if button.Visible() {
				got = append(got, button.Text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
	b.live.State = status.Failed
	b.shown = live.Shown{State: theme.StateWrong, Word: "Can't start", Note: "Can't start", Detail: "npx was not found.",
		Help: model.HelpCommand}
	b.apply()
	b.reads("Can't start", "npx was not found.")
	b.tap("Change the command")
	b.tap("Try again")
	if got := strings.Join(b.log, ", "); got != "fix dev/files, restart dev/files" {
		t.Errorf("the actions are %s", got)
	}
}

// missing makes the header show a server whose program was not found.
func (b *bench) missing(command string, state status.State) {
	b.warnings = b.store.Current().CheckEnvironment(config.Lookup{Env: func(string) (string, bool) { return "", false }})
	b.live = model.Server{Server: status.Server{Toolbox: b.toolbox, Name: b.server, State: state}}
	if state == status.Failed {
		b.live.Problem = &status.Problem{Kind: status.KindProgram, Program: command,
			Message: words.New("process.not_found", "Command", command),
			Hint:    words.New("toolbox.install_product", "Product", "Python", "Address", "https://www.python.org/downloads/")}
	}
	b.shown = live.Words(b.live, time.Time{})
	b.apply()
}

// For a server that needs a product which is not installed, the header has a button that gets the product and, beside
// it, a button that tries again. The menu leads to the command.
func TestHeaderGetsWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		command string
		state   status.State
		known   model.Runtimes
		want    string
		menu    bool
	}{
		{"python3", status.Failed, nil, "Get Python Try again", true},
		{"python3", status.NotStarted, nil, "Get Python Try it", true},
		{"npx", status.Failed, model.Runtimes{{ID: "node", Name: "Node.js", Size: 57_000_000}},
			"Get Node.js (about 57 MB, for you only) Try again", true},
		{"npx", status.NotStarted, model.Runtimes{{ID: "node", Name: "Node.js", Size: 57_000_000}},
			"Get Node.js (about 57 MB, for you only)", true},
		{"npx", status.Failed, model.Runtimes{}, "Get Node.js Try again", true},
		{"python3", status.Connected, nil, "Restart Stop", false},
		{"./python3", status.Failed, nil, "Change the command Try again", false},
	} {
		b := open(t, strings.Replace(plain, `"npx"`, `"`+c.command+`"`, 1), wide)
		b.runtimes = c.known
		b.missing(c.command, c.state)
		var got []string
		for _, button := range []*kit.Button{b.header.fix, b.header.start, b.header.restart, b.header.stop, b.header.on} {
			if button.Visible() {
				got = append(got, button.Text)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %s: %q, want %q", c.command, c.state, got, c.want)
		}
		has := false
		for _, item := range b.header.menu().Items {
			has = has || item.Label == "Change the command"
		}
		if has != c.menu {
			t.Errorf("%s, %s: the menu leads to the command: %v", c.command, c.state, has)
		}
		if c.menu {
			b.Choose(model.TabJSON)
			b.choose(t, "Change the command")
			if b.Tab() != model.TabSetup || b.window.Canvas().Focused() != fyne.Focusable(b.setup.form.command.input.Input) {
				t.Errorf("%s, %s: the focus is not on the command", c.command, c.state)
			}
			b.log = nil
			b.tap(got[0])
			if len(b.log) != 1 || b.log[0] != "fix dev/files" {
				t.Errorf("%q calls %q", got[0], b.log)
			}
		}
	}
}

func (b *bench) choose(t *testing.T, path ...string) {
	t.Helper()
	menu := b.header.menu()
	for _, label := range path {
		var found *fyne.MenuItem
		for _, item := range menu.Items {
			if item.Label == lang.L(label) {
				found = item
			}
		}
		if found == nil || found.Disabled {
			t.Fatalf("the menu has no %q that can be chosen", label)
		}
		if found.ChildMenu != nil {
			menu = found.ChildMenu
			continue
		}
		found.Action()
		b.settle()
	}
}

func TestHeaderMenu(t *testing.T) {
	b := open(t, plain, wide)
	b.choose(t, "Duplicate")
	if b.server != "files-2" || !strings.Contains(b.file(), `"files-2"`) {
		t.Errorf("after duplicating, %s is shown", b.server)
	}
	b.choose(t, "Move to", "prod")
	if b.toolbox != "prod" || entryOf(t, b, "prod", "files-2").Command != "npx" {
		t.Errorf("after moving, %s is shown", b.toolbox)
	}
	b.choose(t, "Switch off")
	if !entryOf(t, b, "prod", "files-2").Disabled || !b.header.on.Visible() {
		t.Error("the server is not switched off")
	}
	b.tap("Switch on")
	if entryOf(t, b, "prod", "files-2").Disabled {
		t.Error("the server is not switched on")
	}
	b.choose(t, "Delete")
	if got := b.log[len(b.log)-1]; got != "show prod/" || b.file() != plain {
		t.Errorf("after deleting, the last action is %q, and the file is\n%s", got, b.file())
	}
}

// TestSignOut checks that the menu has Sign out only if the user has signed in.
func TestSignOut(t *testing.T) {
	b := open(t, plain, wide)
	signedIn := false
	b.fake.signedIn = func(at model.Choice) bool { return signedIn && at.Server == "files" }
	for _, item := range b.header.menu().Items {
		if item.Label == "Sign out" {
			t.Error("Sign out is offered to a user who has not signed in")
		}
	}
	signedIn = true
	b.choose(t, "Sign out")
	if len(b.log) != 1 || b.log[0] != "sign out dev/files" {
		t.Errorf("the actions are %q", b.log)
	}
}

func TestRename(t *testing.T) {
	b := open(t, plain, wide)
	b.tap("Rename")
	entry := b.header.name.Field
	if b.window.Canvas().Focused() != entry {
		t.Fatal("the focus is not in the name")
	}
	for name, says := range map[string]string{"git": "already", " ": "cannot be empty", "a\tb": "control character"} {
		entry.SetText(name)
		b.reads(says)
		entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if b.file() != plain {
			t.Errorf("the name %q was saved", name)
		}
	}
	entry.SetText("documents")
	b.lacks("already", "cannot be")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	b.has(plain, `"files"`, `"documents"`)
	b.reads("documents")
	if b.server != "documents" || entry.Visible() {
		t.Error("the new name is not shown")
	}

	// Text that could not be saved is kept when the server is renamed.
	b.enter(b.setup.form.startup.input, "ten")
	b.leave()
	b.tap("Rename")
	entry.SetText("papers")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	b.reads("<ten>", "Write a number of seconds")
	b.enter(b.setup.form.startup.input, "10")
	b.leave()
	if limit := entryOf(t, b, "dev", "papers").StartupTimeout; limit == nil || b.server != "papers" {
		t.Errorf("the limit is %v", limit)
	}
	b.tap("Rename")
	entry.SetText("documents")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()

	b.tap("Rename")
	entry.SetText("x")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.reads("documents")
	if b.window.Canvas().Focused() != b.header.name.Pencil {
		t.Error("Esc does not cancel the renaming")
	}
}

func TestTabs(t *testing.T) {
	b := open(t, plain, wide)
	b.window.Canvas().Focus(b.Screen.tabs)
	b.Screen.tabs.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	b.reads("the tools")
	b.Screen.tabs.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyTab, Modifier: fyne.KeyModifierControl})
	b.Screen.tabs.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyTab,
		Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift})
	b.StepTab(-1)
	if got := fmt.Sprint(b.seenTabs); got != "[0 1 0 2]" {
		t.Errorf("the tabs were %s", got)
	}
}

// Hidden text is nowhere in the window: neither drawn nor in a field of a widget.
func TestSecretsAreNotInTheWindow(t *testing.T) {
	const first, second, third = "sesame-open-1234567", "hunter2-hunter2-99", "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	source := strings.Replace(plain, `"server-filesystem",`, `"--api-key", "`+second+`", "--token=`+third+`",`, 1)
	b := open(t, source, wide)
	hold := func(when string) {
		t.Helper()
		for _, tab := range []model.Tab{model.TabJSON, model.TabSetup} {
			b.Choose(tab)
			for _, object := range test.LaidOutObjects(b.window.Content()) {
				text := ""
				switch object := object.(type) {
				case *canvas.Text:
					text = object.Text
				case *kit.Text:
					text = object.Text()
				case *kit.Lines:
					text = object.Text()
				case *widget.RichText:
					text = object.String()
				case *kit.Input:
					text = object.Text + object.PlaceHolder
				case *code.Entry:
					text = object.Text()
				}
				for _, secret := range []string{first, second, third} {
					if strings.Contains(text, secret) {
						t.Fatalf("%s, a %T in tab %d has %q", when, object, tab, text)
					}
				}
			}
		}
	}
	hold("at first")
	row := b.setup.form.env.rows[1]
	b.focus(row.valueInput)
	hold("with the keyboard in it")
	row.valueInput.Eye.Tapped(nil)
	if row.valueInput.Text != first {
		t.Error("the eye does not show the secret")
	}
	row.valueInput.Eye.Tapped(nil)
	b.leave()
	hold("after it was shown")
	// A secret just typed is hidden when the line loses the focus.
	b.enter(row.valueInput, "quite-another-7")
	if !row.valueInput.Password {
		t.Error("the secret is shown while it is typed")
	}
	b.leave()
	if row.valueInput.Text != "" || b.keychain["TOKEN"] != "quite-another-7" {
		t.Errorf("the input has %q", row.valueInput.Text)
	}
	hold("after another was typed")
	b.server = "git"
	b.apply()
	hold("in another entry")
}

// Any text of the file stays on one line, and text that the user does not change keeps its bytes in the file.
func TestHostileValues(t *testing.T) {
	long := strings.Repeat("long ", 2000)
	source := `{"toolboxes": {"dev": {"mcpServers": {"files": {
  "command": "a\u202eexe.txt", "cwd": "` + strings.Repeat("/x", 300) + `",
  "args": ["two\nlines\ttab", "` + long + `", "\u2066x\u0000", "␊", {"an": "object"}, null],
  "env": {"\u202eNAME": "v\r\nw", "` + strings.Repeat("N", 500) + `": "` + long + `", "": "x"}
}}}}}`
	for _, size := range []fyne.Size{wide, narrow} {
		b := open(t, source, size)
		for _, object := range test.LaidOutObjects(b.window.Content()) {
			var text string
			switch object := object.(type) {
			case *canvas.Text:
				text = object.Text
			case *kit.Input:
				text = object.Text
			}
			if strings.ContainsAny(text, "\u202e\u2066\n\r\t\x00") {
				t.Errorf("a %T shows %q", object, text)
			}
			if len(text) > 2000 {
				t.Errorf("a %T shows %d bytes", object, len(text))
			}
		}
		if got := b.window.Canvas().Size(); got.Width > size.Width || got.Height > size.Height {
			t.Errorf("the window has grown to %v", got)
		}
		if least := b.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
			t.Errorf("the screen needs %v", least)
		}
		f := &b.setup.form
		if !f.arguments.rows[1].input.Disabled() {
			t.Error("a text that is too long can be changed in its input")
		}
		// A letter typed at the end keeps the line break in the text.
		b.focus(f.arguments.rows[0].input)
		b.typed(f.arguments.rows[0].input, "!")
		b.leave()
		if got := f.arguments.rows[0].text; got != "two\nlines\ttab!" {
			t.Errorf("the argument is now %q", got)
		}
		for _, tab := range []model.Tab{model.TabJSON, model.TabSetup} {
			b.Choose(tab)
		}
	}
}

// The Tab key reaches everything in reading order, and the control with the focus is visible.
func TestKeyboardReachesEverything(t *testing.T) {
	b := open(t, plain, narrow)
	b.live.State = status.Connected
	b.setup.form.advanced.set(true)
	b.apply()
	window := b.window.Canvas()
	var reached []string
	seenBefore := map[fyne.Focusable]bool{}
	for range 200 {
		window.FocusNext()
		focused := window.Focused()
		if seenBefore[focused] {
			break
		}
		seenBefore[focused] = true
		reached = append(reached, nameOf(focused))
		object := focused.(fyne.CanvasObject)
		if object == fyne.CanvasObject(b.Screen.tabs) || strings.HasPrefix(nameOf(focused), "[R") && len(reached) < 4 {
			continue
		}
		top := fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Y
		if top < 0 || top+object.Size().Height > narrow.Height+1 {
			t.Errorf("%s is out of view, at %v", nameOf(focused), top)
		}
	}
	all := strings.Join(reached, " ")
	want := "[Rename] [Restart] [Stop] [More] tabs <LEVEL> <info> [Remove] <TOKEN> <> [Show the value] [Remove] Keep it in " +
		"the file [Add a key or value] <${HOME}> [Choose a folder] [Remove] [How it starts] choice <npx> [Choose a file] " +
		"<-y> [Move down] [Remove] <server-filesystem> [Move up] [Move down] [Remove] [Add argument] <> [Choose a " +
		"folder] [Advanced] <> <> Pass on everything from the AI app Allow tool changes without asking Ask me before " +
		"its tools act Run it once for all AI apps Switched on [As JSON]"
	if all != want {
		t.Errorf("the Tab key reaches\n%s\nwant\n%s", all, want)
	}
	// Enter and the space bar press the focused button.
	b.window.Canvas().Focus(b.setup.form.advanced.button)
	b.setup.form.advanced.button.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.setup.form.advanced.box.Visible() {
		t.Error("Enter does not fold the advanced part")
	}
}

// The mouse wheel scrolls the form, even over its inputs.
func TestWheel(t *testing.T) {
	b := open(t, plain, narrow)
	input := b.setup.form.command.input.Input
	before := fyne.CurrentApp().Driver().AbsolutePositionForObject(input)
	test.Scroll(b.window.Canvas(), before.AddXY(30, 10), 0, -40)
	if after := fyne.CurrentApp().Driver().AbsolutePositionForObject(input); after.Y != before.Y-40 {
		t.Errorf("the input was at %v and is at %v", before, after)
	}
}

func nameOf(focused fyne.Focusable) string {
	switch object := focused.(type) {
	case *kit.Button:
		return "[" + object.AccessibilityLabel() + "]"
	case *kit.Input:
		return "<" + object.Text + ">"
	case *kit.Check:
		return object.Text
	case *kit.Switch:
		return object.AccessibilityLabel()
	case *kit.Tabs:
		return "tabs"
	case *kit.Choice:
		return "choice"
	}
	return fmt.Sprintf("%T", focused)
}

// In the JSON, the Tab key leaves the text until the user does something in it. From then on, Tab edits the text.
// After Esc, Tab leaves it again.
func TestTabLeavesTheJSON(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	window := b.window.Canvas()
	window.Focus(b.json.code.Focusable())
	tabbable := b.json.code.Focusable().(fyne.Tabbable)
	if tabbable.AcceptsTab() {
		t.Error("the Tab key edits a text in which the user has done nothing")
	}
	b.json.code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if !tabbable.AcceptsTab() {
		t.Error("the text does not take the Tab key")
	}
	b.json.code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if tabbable.AcceptsTab() {
		t.Error("after Esc, the Tab key still edits the text")
	}
	window.FocusNext()
	b.json.code.Focusable().TypedRune('x')
	if !tabbable.AcceptsTab() {
		t.Error("after typing, the Tab key does not edit the text")
	}
}

func FuzzSplitCommand(f *testing.F) {
	for _, line := range []string{"npx -y server", `docker run --rm "a b" 'c d'`, "a \\\n b -c", `C:\x\y.exe --z`, "\" -",
		"$ npx -y x", "${A} -b", "a  -b\t-c"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		command, args, ok := splitCommand(line)
		if !ok {
			return
		}
		if command == "" || len(args) == 0 {
			t.Errorf("splitCommand(%q) = %q, %q", line, command, args)
		}
		// Every letter of the result comes from the line, in its order.
		rest := []rune(line)
		for _, r := range command + strings.Join(args, "") {
			i := 0
			for i < len(rest) && rest[i] != r && !(rest[i] < ' ' && r == ' ') && !(r == '\ufffd') {
				i++
			}
			if i == len(rest) {
				t.Fatalf("splitCommand(%q) = %q, %q", line, command, args)
			}
			rest = rest[i+1:]
		}
	})
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string]string{
		"npx -y server":                    "npx|-y|server",
		"  $ uvx --from x y ":              "uvx|--from|x|y",
		"docker run \\\n  -i 'mcp/time a'": "docker|run|-i|mcp/time a",
		"npx":                              "",
		"C:\\Program Files\\nodejs\\node":  "",
		"":                                 "",
		`npx -y "open`:                     "",
	} {
		command, args, ok := splitCommand(line)
		got := ""
		if ok {
			got = strings.Join(append([]string{command}, args...), "|")
		}
		if got != want {
			t.Errorf("splitCommand(%q) = %q, want %q", line, got, want)
		}
	}
}

// BenchmarkLook measures a change of state and a letter in a field, for one server of a large file.
func BenchmarkLook(b *testing.B) {
	var servers strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&servers, ",\n    \"server-%05d\": {\"command\": \"npx\", \"args\": [\"-y\", \"package-%d\"], "+
			"\"env\": {\"API_TOKEN\": \"%d-secret\"}}", i, i, i)
	}
	source := `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx"}` + servers.String() + `}}}}`
	document := config.Parse("", []byte(source))
	look := Source{At: model.Choice{Toolbox: "dev", Server: "files"}, Now: document}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			NewView(look)
		}
	})
	b.Run("same", func(b *testing.B) {
		test.NewTempApp(b).Settings().SetTheme(theme.Theme{})
		screen := New(&fake{bench: &bench{}}, Slots{}, &model.Drafts{}, &model.Opened{Tab: model.TabSetup})
		test.NewTempWindow(b, screen.Object()).Resize(wide)
		screen.Apply(NewView(look))
		for b.Loop() {
			screen.Apply(NewView(look))
		}
	})
}

// If the name would be cut, the buttons are below it.
func TestNameBesideButtons(t *testing.T) {
	b := open(t, plain, wide)
	for _, c := range []struct {
		width float32
		below bool
	}{{680, false}, {330, true}} {
		b.live.State = status.Connected
		b.apply()
		top := b.header.root.(*fyne.Container).Objects[0].(*fyne.Container).Objects[0].(*fyne.Container)
		b.header.name.Set("a-server-with-a-name")
		kit.Settle(top, c.width)
		if got := top.Objects[1].Position().Y >= b.header.name.Line.Size().Height; got != c.below {
			t.Errorf("in %v pixels the buttons are below the name: %v", c.width, got)
		}
		if c.below && b.header.name.Line.Size().Width < b.header.name.Full() {
			t.Errorf("the name has %v of %v pixels", b.header.name.Line.Size().Width, b.header.name.Full())
		}
	}
}

// TestHeaderHasTheMark checks that the page of a server begins with the mark that its card has.
func TestHeaderHasTheMark(t *testing.T) {
	b := open(t, strings.Replace(plain, `"server-filesystem"`, `"@modelcontextprotocol/server-filesystem"`, 1), fyne.NewSize(700, 800))
	marks := func() (shown []string) {
		for _, object := range seen(b.header.tile.Object) {
			switch object := object.(type) {
			case *canvas.Image:
				shown = append(shown, object.Resource.Name())
			case *canvas.Text:
				shown = append(shown, object.Text)
			}
		}
		return shown
	}
	if got := marks(); !slices.Contains(got, "mark-modelcontextprotocol.svg") {
		t.Errorf("a server of the catalogue has %q", got)
	}
	b.server = "git"
	b.apply()
	if got := marks(); !slices.Contains(got, "G") {
		t.Errorf("another server has %q", got)
	}
}
