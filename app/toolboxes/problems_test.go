package toolboxes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestProblems(t *testing.T) {
	source := lively(true)
	source.File.Now = parse(strings.Replace(livelyText, `"notes-mcp"`, `"notes-mcp", "comand": "x"`, 1))
	source.Good = source.File.Now
	o := open(t, source, fyne.NewSize(1400, 800))
	o.reads("2 problems", "research › search: npx was not found") // problems that keep a server from working come first
	o.lacks("Unknown key")
	folded := o.strip.Size().Height
	o.tap("Show or hide all problems")
	o.reads("research › search", "npx was not found", "home › notes › comand", `Unknown key “comand”.`)
	if o.strip.Size().Height <= folded+40 || o.strip.Position().Y+o.strip.Size().Height > o.side.Size().Height {
		t.Errorf("unfolded, the problems have %v, at %v of %v", o.strip.Size(), o.strip.Position(), o.side.Size())
	}
	o.asked()
	// For a server that does not run, Show goes to the server and the other button helps with it.
	var shows []*kit.Button
	for _, object := range seen(o.strip.list) {
		if button, ok := object.(*kit.Button); ok && (button.Text == "Show" || button.Text == "Change the command") {
			shows = append(shows, button)
		}
	}
	for _, button := range shows {
		test.Tap(button)
	}
	if got := o.asked(); got != "fix research/search; settings of research/search; field comand of notes" {
		t.Error(got)
	}
}

// TestProblemsAfterTheFirstToolbox checks that the strip lists a problem that the file had before it had a toolbox.
func TestProblemsAfterTheFirstToolbox(t *testing.T) {
	o := open(t, from(`{"comand": 1, "toolboxes": {}}`), fyne.NewSize(1400, 800))
	o.reads("Unknown key “comand”.")
	o.write(`{"comand": 1, "toolboxes": {"dev": {"mcpServers": {}}}}`)
	o.tap("Show or hide all problems")
	o.reads("Unknown key “comand”.")
}

// TestTheOnlyProblem checks that a single problem is shown in full if there is room for it, with a button that helps
// and without a count.
func TestTheOnlyProblem(t *testing.T) {
	o := open(t, lively(true), normal)
	o.reads("research › search", "npx was not found by apps, though your terminal finds it.")
	o.lacks("1 problem")
	if o.strip.fix.Visible() != true || o.strip.showIt.Visible() {
		t.Error("Fix… is not offered for a server that does not run")
	}
	source := lively(false)
	source.File.Now = parse(strings.Replace(livelyText, `"disabled"`, `"comand": "x", "disabled"`, 1))
	source.Good = source.File.Now
	o = open(t, source, normal)
	o.reads("home › notes › comand", `Unknown key “comand”`)
	o.asked()
	test.Tap(o.strip.showIt)
	if got := o.asked(); got != "field comand of notes" {
		t.Error(got)
	}
}

// TestGetWhatIsMissing checks that every button of a problem with a missing program offers to install it, even if the
// file has another problem with the same server.
func TestGetWhatIsMissing(t *testing.T) {
	gone := config.Diagnostic{Code: config.ProgramNotFound, Severity: config.SeverityWarning, Line: 3, Column: 1,
		Path:    config.ServerPath("dev", "a") + ".command",
		Message: words.Foreign("npx is gone")}
	for _, text := range []string{
		`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx"}}}}}`,
		`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "arg": []}}}}}`,
	} {
		source := from(text)
		source.Warnings = []config.Diagnostic{gone}
		o := open(t, source, normal)
		o.Apply(viewWith(source, model.Runtimes{{ID: "node", Name: "Node.js", Size: 50_000_000}}))
		found := 0
		for range 2 { // with the problems hidden, since the card says them, and unfolded
			for _, object := range seen(o.side) {
				if button, ok := object.(*kit.Button); ok && strings.HasPrefix(button.Text, "Get Node.js") {
					found++
					o.asked()
					test.Tap(button)
					if got := o.asked(); got != "fix dev/a" {
						t.Errorf("%s: %q calls %q", text, button.Text, got)
					}
				}
			}
			o.ShowProblems()
		}
		if found < 3 {
			t.Errorf("%s: Node.js is offered %d times, want 3 at least", text, found)
		}
	}
}

// lacking returns a configuration whose only server needs a command that was not found.
func lacking(command string, state status.State, fix *config.Fix) *model.Snapshot {
	source := from(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "` + command + `", "args": ["x"]}}}}}`)
	source.Warnings = source.File.Now.CheckEnvironment(config.Lookup{Env: func(string) (string, bool) {
		return "", false
	}})
	source.Warnings[0].Fix = fix
	source.Live = &model.Live{Config: source.Good.Config,
		Engines: []model.Engine{{Servers: []status.Server{{Toolbox: "dev", Name: "a", State: state}}}}}
	if state == status.Failed {
		source.Live.Engines[0].Servers[0].Problem = &status.Problem{Kind: status.KindProgram, Program: command,
			Message: words.New("process.not_found", "Command", command),
			Hint:    words.New("toolbox.install_product", "Product", "Python", "Address", "https://www.python.org/downloads/")}
	}
	return source
}

// TestOneSaysThatAProgramIsMissing checks that the strip does not repeat what a card says about its program, though the
// engine and the check of this computer say it in other words.
func TestOneSaysThatAProgramIsMissing(t *testing.T) {
	o := open(t, lacking("clio-mcp", status.Failed, nil), normal)
	if o.strip.Visible() {
		t.Error("the strip says what the card says")
	}
	o.reads("clio-mcp was not found", "Change the command")
}

// TestOffersAreNoProblems checks that the offer of a server of our own is not listed: the page of the server makes it.
func TestOffersAreNoProblems(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"npx", "npx.exe"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	source := from(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "args": [
		"-y", "@modelcontextprotocol/server-memory"]}}}}}`)
	source.Warnings = source.File.Now.CheckEnvironment(config.Lookup{Env: func(name string) (string, bool) {
		return folder, name == "PATH"
	}})
	if len(source.Warnings) != 1 || source.Warnings[0].Fix == nil {
		t.Fatalf("the offer is %+v", source.Warnings)
	}
	if view := viewOf(source); len(view.Problems) > 0 {
		t.Errorf("the problems are %+v", view.Problems)
	}
}

// faulty returns a configuration with a server whose definitions were corrected, and one of which some were left out.
func faulty() *model.Snapshot {
	source := lively(false)
	source.Live.Engines[0].Servers[0].Faulty = 3
	source.Live.Engines[0].Servers[1].Faulty, source.Live.Engines[0].Servers[1].LeftOut = 1, 1
	return source
}

// TestFaultyDefinitions checks that the cards say what of a server's definitions was corrected or left out, and that
// no problem is made of it.
func TestFaultyDefinitions(t *testing.T) {
	o := openIn(t, faulty(), normal)
	o.pick(model.Choice{Toolbox: "dev"}, toLook)
	o.reads("3 of its definitions are faulty. The log says why.",
		"1 of its definitions is faulty. The log says why.")
	if count := o.view.Count(); count != 0 {
		t.Errorf("the screen has %d problems", count)
	}
}

// TestGetFromItsPage checks a server whose program comes with a product that Workbench cannot install. The window
// offers the page of the product and, beside it, a way to try again after the product was installed. The menu still
// leads to the command.
func TestGetFromItsPage(t *testing.T) {
	for _, c := range []struct {
		command string
		state   status.State
		known   model.Runtimes
		get     string // the text of the button; "" if it does something else
		again   string
	}{
		{"python3", status.Failed, nil, "Get Python", "Try again"},
		{"python3", status.NotStarted, nil, "Get Python", "Try it"},
		{"pipx", status.Failed, nil, "Get pipx", "Try again"},
		{"docker", status.Failed, model.Runtimes{{ID: "uv", Name: "uv"}}, "Get Docker", "Try again"},
		// on a system for which there is no archive
		{"npx", status.Failed, model.Runtimes{}, "Get Node.js", "Try again"},
		// before the runtimes are known
		{"npx", status.Failed, nil, "", "Try again"},
		// the server only needs another try
		{"uvx", status.Failed, model.Runtimes{{ID: "uv", Name: "uv", Installed: "1"}}, "", "Try again"},
		// in an AI app that finds the program
		{"python3", status.Connected, nil, "", ""},
		{"/opt/python3", status.Failed, nil, "", "Try again"},
		{"my-server", status.Failed, nil, "", "Try again"},
	} {
		t.Run(c.command+" "+string(c.state)+" "+c.get, func(t *testing.T) {
			o := open(t, from(`{"toolboxes": {}}`), normal)
			o.Apply(viewWith(lacking(c.command, c.state, nil), c.known))
			at := model.Choice{Toolbox: "dev", Server: "a"}
			o.pick(model.Choice{Toolbox: "dev"}, toLook)
			found, again := 0, 0
			for range 2 { // with the problems hidden, since the card says them, and unfolded
				for _, object := range seen(o.side) {
					button, ok := object.(*kit.Button)
					switch {
					case ok && c.get != "" && button.Text == c.get:
						found++
						o.asked()
						test.Tap(button)
						if got := o.asked(); got != "fix dev/a" {
							t.Errorf("%q calls %q", button.Text, got)
						}
					case ok && strings.HasPrefix(button.Text, "Get "):
						t.Errorf("the window offers %q", button.Text)
					case ok && c.again != "" && button.Text == c.again:
						again++
					}
				}
				o.ShowProblems()
			}
			if c.get != "" && found < 3 || c.again != "" && again == 0 {
				t.Errorf("the program is offered %d times, another try %d times", found, again)
			}
			menu := 0
			for _, item := range o.menuFor(at).Items {
				if item.Label == "Change the command" {
					menu++
				}
			}
			if want := c.get != "" || c.state == status.Failed; (menu == 1) != want {
				t.Errorf("%d menu items lead to the command", menu)
			}
			if c.get != "" {
				o.asked()
				o.menu(at, "Change the command")
				if got := o.asked(); got != "field command of a" {
					t.Errorf("the item calls %q", got)
				}
			}
		})
	}
}

// TestMissingProgramIsOneProblem checks that a server that could not start because its program is missing, which the
// file's problem says too, is one problem, and that its button does what it says.
func TestMissingProgramIsOneProblem(t *testing.T) {
	for _, fix := range []*config.Fix{nil, {Title: words.Foreign("Use “node”")}} {
		o := open(t, from(`{"toolboxes": {}}`), normal)
		view := viewWith(lacking("ndoe", status.Failed, fix), nil)
		if len(view.Problems) != 1 || view.Count() != 1 || view.Worst() != model.Wrong {
			t.Fatalf("the problems are %+v", view.Problems)
		}
		want, does := "Change the command", "fix dev/a"
		if fix != nil {
			want, does = "Use “node”", "apply: Use “node”"
		}
		o.Apply(view)
		o.asked()
		o.strip.fix.Tapped(nil)
		if got := o.asked(); o.strip.fix.Text != want || got != does {
			t.Errorf("the button %q does %q", o.strip.fix.Text, got)
		}
	}
}

// TestButtonsOfProblemsDoWhatTheySay checks the button of a server that does not run while the file has a fix for it:
// both the card and the list offer the fix.
func TestButtonsOfProblemsDoWhatTheySay(t *testing.T) {
	source := lacking("ndoe", status.Failed, &config.Fix{Title: words.Foreign("Mend the entry")})
	source.Warnings[0].Code = "something-else"
	for _, problem := range viewOf(source).Problems {
		if problem.Fix != "Mend the entry" {
			t.Errorf("%s offers %q", problem.Where, problem.Fix)
		}
	}
}

// TestOneWayToTheLog checks that the menu of a server does not offer its log twice.
func TestOneWayToTheLog(t *testing.T) {
	source := lacking("npx", status.Failed, nil)
	source.Warnings = nil
	source.Live.Engines[0].Servers[0].Problem = &status.Problem{Kind: status.KindExited,
		Message: words.Foreign("it ended")}
	o := open(t, source, normal)
	ways := 0
	for _, item := range o.menuFor(model.Choice{Toolbox: "dev", Server: "a"}).Items {
		if item.Label == "Show log" {
			ways++
		}
	}
	if ways != 1 {
		t.Errorf("the menu offers the log %d times", ways)
	}
}

// TestFixBeforeGetting checks the order of the offers: an approval first, then a fix of the file, then the page of a
// product.
func TestFixBeforeGetting(t *testing.T) {
	fix := &config.Fix{Title: words.Foreign("Start it with uvx")}
	for _, state := range []status.State{status.NotStarted, status.Failed} {
		server := viewWith(lacking("pipx", state, fix), nil).Toolboxes[0].Servers[0]
		if got := server.FixWord(); got != "Start it with uvx" || server.Lacks() {
			t.Errorf("%s: the card offers %q", state, got)
		}
	}
	source := lacking("python3", status.NotStarted, nil)
	source.Live.Changed = map[model.Choice]approval.Reason{{Toolbox: "dev", Server: "a"}: approval.Elsewhere}
	if got := viewWith(source, nil).Toolboxes[0].Servers[0].FixWord(); got != "Review…" {
		t.Errorf("before the approval, the card offers %q", got)
	}
}

// TestProblemsGiveWayToSettings checks that the settings of a server get the room of the problems, unless the problems
// are unfolded.
func TestProblemsGiveWayToSettings(t *testing.T) {
	o := open(t, lively(true), small)
	o.Select(model.Choice{Toolbox: "dev", Server: "memory"})
	o.lacks("1 problem")
	o.ShowProblems()
	o.reads("1 problem", "npx was not found", "the settings of a server")
	o.tap("Show or hide all problems") // folds the problems again
	o.lacks("1 problem")
	o.Back()
	o.reads("1 problem")
	o.write(`{"toolboxes": {`)
	o.Select(model.Choice{Toolbox: "dev", Server: "memory"})
	o.reads("The last working version stays in use.")
}

// TestProblemsInLittleRoom checks that no text is cut if there is little room: less is shown instead.
func TestProblemsInLittleRoom(t *testing.T) {
	broken := lively(true)
	broken.File.Now = parse(strings.Replace(livelyText, `"disabled": true`, `"disabled" true,,`, 1))
	for _, source := range []*model.Snapshot{lively(true), broken} {
		for width := float32(640); width < 1500; width += 60 {
			o := open(t, source, fyne.NewSize(width, 524))
			for _, object := range seen(o.strip) {
				text, ok := object.(*kit.Text)
				if ok && text.Size().Width+1 < text.Full().Width && text.Size().Width > 0 {
					t.Errorf("at %v pixels %q is cut", width, text.Text())
				}
			}
			if got := strings.Join(o.visible(), "\n"); !strings.Contains(got, "problem") &&
				!strings.Contains(got, "npx was not found") && !strings.Contains(got, "The file cannot be used") {
				t.Errorf("at %v pixels no problem is shown", width)
			}
		}
	}
}

func TestBrokenFile(t *testing.T) {
	for _, size := range []fyne.Size{normal, small} {
		broken := strings.Replace(livelyText, `"disabled": true`, `"disabled" true,,`, 1)
		o := open(t, from(broken), size)
		o.reads("The configuration file has an error", "home › notes › In use · Line 11", "does not change it until then", path)
		o.asked()
		o.tap("Add the colon")
		o.tap("Repair everything")
		o.tap("Open the file")
		o.tap("Open folder")
		o.tap("Show")
		if got := o.asked(); got != "apply: Add the colon; repair everything; open the file; open the folder; show line 11" {
			t.Error(got)
		}
		o.NewToolbox() // must not change the file
		if got := o.asked(); got != "" {
			t.Error(got)
		}

		o.write(livelyText)
		o.isOrder(all)
		o.write(broken) // now there is a last working version
		o.isOrder(all)
		o.reads("The last working version stays in use.")
		o.asked()
		o.tap("Repair everything")
		o.tap("Add the colon")
		if got := o.asked(); got != "repair everything; apply: Add the colon" {
			t.Error(got)
		}
		o.write(livelyText)
		o.lacks("The file cannot be used")
		if o.strip.unfolded {
			t.Error("the problems are unfolded although nobody unfolded them")
		}
	}
}

func TestEmpty(t *testing.T) {
	o := open(t, from(`{"toolboxes": {}}`), small)
	o.reads("No toolboxes yet", "Add from the catalogue", "Paste", "Bring in from an AI app")
	if o.split.Visible() {
		t.Error("the tree is visible")
	}
	canvas := o.window.Canvas()
	fyne.CurrentApp().Clipboard().SetContent("x")
	o.asked()
	for range 4 {
		canvas.FocusNext()
		if choice, ok := canvas.Focused().(*bigChoice); !ok {
			t.Fatalf("Tab goes to %T", canvas.Focused())
		} else if choice.title != "Start with an empty toolbox" {
			o.key(fyne.KeyReturn)
		}
	}
	if got := o.asked(); got != `add to ; paste "x" to ; import` {
		t.Error(got)
	}
	o.key(fyne.KeyReturn) // the empty toolbox, and its name at once
	o.isOrder("my-tools")
	if field := o.tree.field; canvas.Focused() != fyne.Focusable(field) || field.Text != "my-tools" {
		t.Errorf("the focus is on %T", canvas.Focused())
	}
	o.window.Canvas().Unfocus()
	o.undo()
	o.reads("No toolboxes yet")
}

// If another program has removed the file, the screen says so and offers to put it back.
func TestGone(t *testing.T) {
	now := from(`{"toolboxes": {}}`)
	o := open(t, now, small)
	now = from(`{"toolboxes": {}}`)
	now.File.Gone = true
	o.Apply(viewOf(now))
	o.reads("The file with your toolboxes is gone", "Put it back as it was", "Add from the catalogue")
	o.window.Canvas().FocusNext()
	o.key(fyne.KeyReturn)
	if got := o.asked(); got != "put back" {
		t.Error(got)
	}
	o.Apply(viewOf(from(`{"toolboxes": {}}`)))
	o.reads("No toolboxes yet")
}

// TestNotesAreNotProblems checks that a name that AI apps see otherwise is listed as a note and counted nowhere.
func TestNotesAreNotProblems(t *testing.T) {
	view := viewOf(from(`{"toolboxes": {"my tools": {"mcpServers": {}}}}`))
	if len(view.Problems) != 1 || view.Problems[0].State != theme.StateIdle || view.Count() != 0 {
		t.Errorf("%d problems are counted of %+v", view.Count(), view.Problems)
	}
}

// A server whose program is missing says what it needs, in the list too, and that it is being installed: before
// anybody has started it, and after an engine has tried.
func TestWordOfAMissingProgram(t *testing.T) {
	for _, state := range []status.State{status.NotStarted, status.Failed} {
		now := lacking("uvx", state, nil)
		for word, known := range map[string]model.Runtimes{
			"Needs uv":    {{ID: "uv", Name: "uv"}},
			"Installing…": {{ID: "uv", Name: "uv", Busy: true}},
		} {
			if server := viewWith(now, known).Toolboxes[0].Servers[0]; server.Word != word || server.Note != word {
				t.Errorf("%s, it says %q and %q, not %q", state, server.Word, server.Note, word)
			}
		}
	}
	now := lacking("uvx", status.Failed, nil)
	now.Live.Engines[0].Servers[0].Problem = &status.Problem{Kind: status.KindTimeout, Message: words.Foreign("slow")}
	known := model.Runtimes{{ID: "uv", Name: "uv"}}
	if server := viewWith(now, known).Toolboxes[0].Servers[0]; server.Word != "Can't start" {
		t.Errorf("a server that was too slow says %q", server.Word)
	}
}

// TestFixInASmallWindow checks that the line of problems has the button that helps with the first one, however little
// room there is for its place.
func TestFixInASmallWindow(t *testing.T) {
	source := lacking("uvx", status.Failed, nil)
	source.File.Now = parse(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "uvx", "args": ["x"]}}},
		"research": {"mcpServers": {"b": {"command": "sh", "comand": "x"}}}}}`)
	source.Good = source.File.Now
	o := open(t, source, small)
	o.Apply(viewWith(source, model.Runtimes{{ID: "uv", Name: "uv", Size: 25_000_000}}))
	o.reads("2 problems")
	strip := o.strip
	if end := strip.fix.Position().X + strip.fix.Size().Width; !strip.fix.Visible() || strip.fix.Text != "Get uv" ||
		end > strip.Size().Width || strip.first.Position().X+strip.first.Size().Width > strip.fix.Position().X {
		t.Errorf("the line says %q, and its button %q, %v, is at %v of %v", strip.first.Text(), strip.fix.Text,
			strip.fix.Visible(), strip.fix.Position(), strip.Size())
	}
}
