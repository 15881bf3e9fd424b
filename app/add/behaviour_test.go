package add

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestFromTheCatalogue(t *testing.T) {
	o := newOpened(t).show(normal, Start{Toolbox: "research"})
	o.reads("Add a server", "Files and folders", "Needs Node.js", "62 servers to choose from")
	test.Type(o.chooser.catalogue.search, "github container")
	if len(o.chooser.catalogue.shown) != 1 {
		t.Fatalf("%d servers are found, want 1", len(o.chooser.catalogue.shown))
	}
	o.key(fyne.KeyReturn) // chooses the first server
	o.reads("GitHub (in a container)", "Personal access token", "This will run on your computer:",
		"docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
		"To fill in: Personal access token.")
	if !o.review.confirm.Disabled() {
		t.Error("the server can be added although a value is missing")
	}
	test.Type(o.window.Canvas().Focused(), "ghp_0123456789abcdefghijklmnop")
	o.lacks("ghp_0123456789", "To fill in")
	o.reads("GITHUB_PERSONAL_ACCESS_TOKEN=${keyring:research/github-docker/token}")
	o.key(fyne.KeyReturn)
	const name = "research/github-docker/token"
	if o.kept[name] != "ghp_0123456789abcdefghijklmnop" {
		t.Errorf("kept: %v", o.kept)
	}
	want := `{"command":"docker","args":["run","-i","--rm","-e","GITHUB_PERSONAL_ACCESS_TOKEN","ghcr.io/github/github-mcp-server"],"env":{"GITHUB_PERSONAL_ACCESS_TOKEN":"${keyring:` + name + `}"}}`
	if len(o.added) != 1 || o.added[0].Name != "github-docker" || string(o.added[0].Entry) != want ||
		o.addedTo != "research" || o.addedNew {
		t.Errorf("added to %s: %s", o.addedTo, o.added)
	}
	if !slices.Equal(o.tried, []string{"github-docker"}) {
		t.Errorf("tried: %v", o.tried)
	}
}

// TestLinkToAKey checks that the address of the page with the key is a link.
func TestLinkToAKey(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	test.Type(o.chooser.catalogue.search, "brave")
	o.key(fyne.KeyReturn)
	o.reads("Make", "brave.com/search/api")
	for _, object := range test.LaidOutObjects(o.window.Canvas().Overlays().Top()) {
		if link, ok := object.(*kit.Link); ok {
			test.Tap(link)
		}
	}
	if want := []string{"https://brave.com/search/api/"}; !slices.Equal(o.asked, want) {
		t.Errorf("asked for %q", o.asked)
	}
}

// TestNothingFoundInTheCatalogue checks that no number of servers is shown if nothing was found.
func TestNothingFoundInTheCatalogue(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	test.Type(o.chooser.catalogue.search, "quantum")
	o.reads("Nothing matches")
	o.lacks("0 servers to choose from")
}

// TestEveryServerOfTheCatalogue checks that each server can be added after its fields were filled in.
func TestEveryServerOfTheCatalogue(t *testing.T) {
	for _, e := range catalogue.All() {
		c := fromCatalogue(e)
		for _, f := range c.fields {
			if f.required {
				f.value = "https://example.com/x"
			}
			f.inFile = true
		}
		p := newPreview(c, surroundings{toolbox: "x"})
		if p.blocked != "" || strings.Contains(p.judged.Line(), "‹") {
			t.Errorf("%s: %q, %q", e.ID, p.blocked, p.judged.Line())
		}
		server, secrets := c.server("x")
		if _, problems, ok := foreign.Read(server.Name, foreign.JSON(server)); !ok || len(secrets) > 0 {
			t.Errorf("%s: %v, %v", e.ID, problems, secrets)
		}
		empty := newPreview(fromCatalogue(e), surroundings{toolbox: "x"})
		if empty.judged.Line() == "" {
			t.Errorf("%s: nothing is shown before it is filled in", e.ID)
		}
	}
}

// TestWheelOverFields checks that the mouse wheel scrolls the page even over a field of several lines.
func TestWheelOverFields(t *testing.T) {
	o := newOpened(t).show(fyne.NewSize(800, 400), Start{Way: WayHand})
	turned := false
	for _, object := range test.LaidOutObjects(o.chooser.hand.args) {
		if wheel, is := object.(fyne.Scrollable); is && object.Size() == o.chooser.hand.args.Size() {
			turned = true
			before := fyne.CurrentApp().Driver().AbsolutePositionForObject(o.chooser.hand.args)
			wheel.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -50)})
			if after := fyne.CurrentApp().Driver().AbsolutePositionForObject(o.chooser.hand.args); after.Y >= before.Y {
				t.Errorf("the field was at %v and is at %v", before, after)
			}
		}
	}
	if !turned {
		t.Error("no field takes the turns of the wheel")
	}
}

// TestNoKeychain checks that a secret goes to the keychain without being asked, and that the window offers to keep it
// in the file only if the keychain cannot be used, even if this is found out after the field was shown.
func TestNoKeychain(t *testing.T) {
	for _, late := range []bool{false, true} {
		o := newOpened(t)
		o.keepError = errors.New("there is no keychain")
		o.show(normal, Start{Way: WayPaste})
		if !late {
			o.absent(true)
		}
		o.chooser.paste.text.SetText("npx -y some-server --api-key s3cr3tvalue99")
		o.tap("Continue")
		if late {
			o.lacks("Keep it in the file")
			o.absent(true)
		}
		o.reads("Keep it in the file")
		o.tap("Add and try")
		o.reads("There is no keychain.")
		if len(o.added) > 0 {
			t.Fatal("the secret is in the file, and the person has not agreed")
		}
		test.Tap(o.review.cards[0].fields[0].inFile)
		o.tap("Add and try")
		if len(o.added) != 1 || !strings.Contains(string(o.added[0].Entry), "s3cr3tvalue99") {
			t.Errorf("added: %s", o.added)
		}
	}
}

// TestKeychainThatRefuses checks that there is a way out if the keychain turns out to refuse a secret: the box that
// keeps it in the file comes, is seen, and has the keyboard.
func TestKeychainThatRefuses(t *testing.T) {
	o := newOpened(t)
	o.keepError = errors.New("it is locked")
	o.show(fyne.NewSize(800, 400), Start{Way: WayPaste, Text: `{"mcpServers": {
		"a": {"command": "npx", "args": ["a", "b", "c"]}, "b": {"command": "npx", "args": ["b"]},
		"c": {"command": "npx", "env": {"API_KEY": "s3cr3tvalue99"}}}}`})
	o.tap("Continue")
	o.absent(false)
	o.tap("Add and try")
	box, is := o.window.Canvas().Focused().(*kit.Check)
	if !is || box.Text != "Keep it in the file" {
		t.Fatalf("the keyboard is in %T", o.window.Canvas().Focused())
	}
	if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(box); at.Y < 0 || at.Y > 400-60 {
		t.Errorf("the box is at %v", at)
	}
	box.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	box.TypedRune(' ')
	o.tap("Add and try")
	if len(o.added) != 3 {
		t.Errorf("added: %s", o.added)
	}
}

func TestPaste(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayPaste})
	o.lacks("Found")
	o.chooser.paste.text.SetText("npx -y @modelcontextprotocol/server-")
	o.chooser.paste.text.SetText("npx -y @modelcontextprotocol/server-filesystem /path/to/dir --api-key s3cr3tvalue99")
	o.reads("1 server found", "A command line", "filesystem")
	o.lacks("s3cr3tvalue99 ")
	o.tap("Continue")
	o.reads("Folder", "In the text: “/path/to/dir”", "--api-key")
	o.tap("Choose a folder")
	if got := o.review.candidates[0].fields[0].value; got != "/home/ann/notes" {
		t.Errorf("the folder is %q", got)
	}
	o.tap("Add and try")
	want := `{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/home/ann/notes","--api-key","${keyring:dev/filesystem/api-key}"]}`
	if string(o.added[0].Entry) != want {
		t.Errorf("added %s", o.added[0].Entry)
	}
}

// TestKeptSecretLeavesNothingBehind checks that a secret is replaced only where it is secret, even if its text also
// occurs elsewhere in the value.
func TestKeptSecretLeavesNothingBehind(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayPaste})
	o.chooser.paste.text.SetText(`{"mcpServers": {"x": {"command": "run", "args": ["--pass=pass", "postgres://db:db@host/db"]}}}`)
	o.tap("Continue")
	o.tap("Add and try")
	if want := `{"command":"run","args":["--pass=${keyring:dev/x/pass}","postgres://db:${keyring:dev/x/secret}@host/db"]}`; len(o.added) != 1 || string(o.added[0].Entry) != want {
		t.Errorf("added %s", o.added)
	}
}

// TestPasteNamesWhatIsLeftOut checks that the window says what an entry of another product loses, and what among the
// servers is none.
func TestPasteNamesWhatIsLeftOut(t *testing.T) {
	o := newOpened(t).show(normal, Start{Text: `{"mcpServers": {
		"far": {"baseUrl": "https://far.example/mcp", "requestOptions": {"headers": {"X-Team": "blue"}}, "registryUrl": "https://r.example"},
		"broken": {"args": ["x"]},
		"env": {"TOKEN": "x"}
	}}`})
	o.reads("1 server found", "far")
	o.chooser.next()
	o.reads("“broken”: This entry has no", "“env”: It stands beside the servers and not in one of them")
	o.reads("Left out, since it does nothing here: “registryUrl”")
	o.tap("Add and try")
	if want := `{"url":"https://far.example/mcp","headers":{"X-Team":"blue"}}`; len(o.added) != 1 ||
		string(o.added[0].Entry) != want {
		t.Errorf("added %s", o.added)
	}
}

// TestPasteOfAProject checks that the window asks for the folder of the project for which an entry was written, since
// the text does not say where it is.
func TestPasteOfAProject(t *testing.T) {
	for text, want := range map[string]string{
		`{"command": "node", "args": ["./server.js"]}`:                  `{"command":"node","args":["./server.js"],"cwd":"/home/ada/mine"}`,
		`{"command": "./bin/server", "cwd": "."}`:                       `{"command":"./bin/server","cwd":"/home/ada/mine"}`,
		`{"command": "npx", "args": ["-y", "x", "${workspaceFolder}"]}`: `{"command":"npx","args":["-y","x","/home/ada/mine"]}`,
	} {
		o := newOpened(t).show(normal, Start{Text: `{"mcpServers": {"a": ` + text + `}}`})
		o.chooser.next()
		if o.review.blocked() == "" {
			t.Errorf("%s: the window does not ask for the folder", text)
			continue
		}
		o.review.cards[0].fields[0].first.(interface{ SetText(string) }).SetText("/home/ada/mine")
		if got := o.review.blocked(); got != "" {
			t.Errorf("%s: %q", text, got)
			continue
		}
		o.tap("Add and try")
		if len(o.added) != 1 || string(o.added[0].Entry) != want {
			t.Errorf("%s: added %s", text, o.added)
		}
	}
}

func TestPasteOfSeveral(t *testing.T) {
	o := newOpened(t).show(normal, Start{Text: severalText})
	o.reads("3 servers found", "filesystem", "github", "memory")
	o.lacks("ghp_abcdef" + "ghijklmnopqrstuvwxyz0123456789\n")
	o.chooser.next()
	o.reads("3 servers to look at", "things were changed or left out")
	o.tap("3 things were changed or left out: show them")
	o.reads("Which tools may run without asking")
	// "memory" exists already and is left out, the folder is filled in, and the other servers can be added.
	o.review.cards[0].fields[0].first.(interface{ SetText(string) }).SetText("/tmp/x")
	if got := o.review.blocked(); !strings.Contains(got, "memory: There is a server called “memory”") {
		t.Errorf("blocked: %q", got)
	}
	o.tap("Call it “memory-2”")
	if got := o.review.blocked(); got != "" {
		t.Errorf("blocked: %q", got)
	}
	o.review.cards[2].include.SetChecked(false)
	o.review.cards[1].fields[0].field.inFile = true
	o.tap("Add and try")
	var names []string
	for _, s := range o.added {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"filesystem", "github"}) || len(o.kept) != 0 ||
		!strings.Contains(string(o.added[1].Entry), `"ghp_abc`) {
		t.Errorf("added %s, kept %v", o.added, o.kept)
	}
}

// TestSearchPutsTheNamedFirst checks that the server with the typed name is the first result, so that Enter chooses
// it.
func TestSearchPutsTheNamedFirst(t *testing.T) {
	all := catalogue.All()
	if got := matching("", "git"); len(got) < 4 || got[0].Title.String() != "Git" ||
		got[len(got)-1].Title.String() != "DeepWiki" {
		t.Errorf("a search for git begins with %q and ends with %q", got[0].Title, got[len(got)-1].Title)
	}
	for i, e := range matching("", " ") {
		if e.ID != all[i].ID {
			t.Fatalf("without a search, the order is not that of the catalogue: %s", e.ID)
		}
	}
}

// TestSeveralFiles checks that files dropped together are shown together: each server has its own name, and files
// without servers are named.
func TestSeveralFiles(t *testing.T) {
	o := newOpened(t)
	o.show(normal, Start{Toolbox: "dev", Files: []File{
		{Name: "a.json", Text: `{"mcpServers": {"same": {"command": "sh", "args": ["1"]}}}`},
		{Name: "notes.txt", Text: "How do I add a server to this app?"},
		{Name: "gone.json", Err: errors.New("it is not there")},
		{Name: "b.toml", Text: "[mcp_servers.same]\ncommand = \"sh\"\nargs = [\"2\"]\n"},
	}})
	o.reads("2 servers to look at", "Nothing was taken from notes.txt: ",
		"Nothing was taken from gone.json: it is not there", "sh 1", "sh 2")
	o.tap("Add and try")
	if len(o.added) != 2 || o.added[0].Name != "same" || o.added[1].Name == "same" {
		t.Errorf("added is %+v", o.added)
	}

	o = newOpened(t)
	o.show(normal, Start{Files: []File{{Name: "notes.txt", Text: "How do I add a server?"},
		{Name: "gone.json", Err: errors.New("it is not there")}}})
	o.reads("Nothing was recognised yet.", "How do I add a server?")
}

func TestNothingRecognised(t *testing.T) {
	o := newOpened(t).show(normal, Start{Text: "How do I add a server?"})
	o.reads("No server was recognised", "mcpServers", "Nothing was recognised yet.")
	o.chooser.next()
	if o.step != stepChoose {
		t.Error("the dialog went on although nothing was recognised")
	}
}

func TestFromAFile(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayFile})
	o.chooser.file.path.SetText("/missing.json")
	o.chooser.file.path.OnSubmitted(o.chooser.file.path.Text)
	o.reads("“missing.json” cannot be read: no such file")
	o.tap("Choose a file")
	o.reads("1 server found", "uvx mcp-server-fetch")
}

func TestByHand(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayHand})
	h := o.chooser.hand
	o.chooser.next()
	if o.step != stepChoose {
		t.Fatal("the dialog went on without a command")
	}
	h.name.SetText("mine")
	h.command.SetText("npx -y some-mcp")
	h.env.SetText("API_TOKEN = abcdef0123456789\nDEBUG=1")
	// Enter begins a line
	h.env.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	o.reads("npx -y some-mcp", "API_TOKEN", "DEBUG")
	o.tap("Add and try")
	want := `{"command":"npx","args":["-y","some-mcp"],"env":{"API_TOKEN":"${keyring:dev/mine/API_TOKEN}","DEBUG":"1"}}`
	if o.added[0].Name != "mine" || string(o.added[0].Entry) != want {
		t.Errorf("added %s %s", o.added[0].Name, o.added[0].Entry)
	}

	o = newOpened(t).show(normal, Start{Way: WayHand})
	h = o.chooser.hand
	h.kind.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	h.url.SetText("http://example.com/sse")
	h.headers.SetText("X-Team: blue")
	o.tap("Continue")
	o.reads("This will be connected to:", "http://example.com/sse", "not encrypted", "X-Team")
	o.tap("Add and try")
	if want := `{"transport":"sse","url":"http://example.com/sse","headers":{"X-Team":"blue"}}`; string(o.added[0].Entry) != want {
		t.Errorf("added %s", o.added[0].Entry)
	}
}

func TestNewToolbox(t *testing.T) {
	o := newOpened(t)
	o.toolboxes = nil
	o.show(normal, Start{Text: "uvx mcp-server-time"})
	o.chooser.next()
	o.review.newName.SetText(" ")
	o.reads("The new toolbox needs a name.")
	o.review.newName.SetText("mine")
	o.tap("Add and try")
	if o.addedTo != "mine" || !o.addedNew {
		t.Errorf("added to %q, new %v", o.addedTo, o.addedNew)
	}
	o.done(status.Server{State: status.Connected, Tools: 2, AllTools: 2})
	o.toolboxes = []string{"mine"}
	o.tap("Add another")
	o.reads("Add a server")
	if o.places.chosen() != "mine" || o.places.isNew() {
		t.Errorf("the next server goes to %+v", o.places)
	}

	o = newOpened(t).show(normal, Start{Text: "uvx mcp-server-time"})
	o.chooser.next()
	o.review.toolbox.SetSelectedIndex(2)
	o.review.newName.SetText("research")
	o.reads("There is a toolbox called “research” already.")
}

func TestTakenInAnotherToolbox(t *testing.T) {
	o := newOpened(t).show(normal, Start{Text: "npx -y @modelcontextprotocol/server-memory"})
	o.chooser.next()
	o.reads("There is a server called “memory” in this toolbox already.")
	o.review.toolbox.SetSelected("research")
	o.lacks("already")
}

func TestMissingProgram(t *testing.T) {
	o := newOpened(t)
	o.missing = []string{"uvx"}
	o.show(normal, Start{Text: "uvx mcp-server-time"})
	o.reads("1 server found")
	o.chooser.next()
	o.reads("uv is not on this computer yet")
	o.tap("Get uv")
	if len(o.asked) != 1 || !strings.HasPrefix(o.asked[0], "https://docs.astral.sh/uv") {
		t.Errorf("asked for %v", o.asked)
	}
	if o.review.confirm.Disabled() {
		t.Error("the server cannot be added because its program is missing")
	}
	o.reads("Add anyway")

	o = newOpened(t)
	o.missing = []string{"python"} // there may be a python3, so the dialog must not say that Python is missing
	o.show(normal, Start{Text: "python -m server"})
	o.chooser.next()
	o.reads("“python” was not found on this computer.")
	o.lacks("Python is not on this computer")
	o.tap("Get Python")
	if len(o.asked) != 1 || o.asked[0] != config.FindProduct("python").Page {
		t.Errorf("asked for %v", o.asked)
	}
	o.lacks("Add and try")
}

// getter is a button that gets a program.
type getter struct{ *kit.Button }

func (g getter) TakeFocus() { kit.Focus(g) }

// TestMissingProgramIsGotFirst checks that the button that gets a missing program has the focus. The add button is not
// the main button until the program is there.
func TestMissingProgramIsGotFirst(t *testing.T) {
	o := newOpened(t)
	o.missing = []string{"uvx"}
	o.get = func(id string, changed func(bool)) fyne.CanvasObject {
		var g getter
		g.Button = kit.NewButton("Get "+id, widget.MediumImportance, func() {
			o.missing = nil
			g.Hide()
			o.window.Canvas().Unfocus()
			changed(true)
		})
		return g
	}
	o.show(normal, Start{Text: "uvx mcp-server-time"})
	o.chooser.next()
	o.reads("uv is not on this computer yet.", "Add anyway")
	o.lacks("Add and try")
	if focused, ok := o.window.Canvas().Focused().(getter); !ok || focused.Text != "Get uv" {
		t.Fatalf("the focus is on %v", o.window.Canvas().Focused())
	}
	o.key(fyne.KeyReturn)
	o.reads("Add and try")
	o.lacks("Add anyway", "not on this computer")
	if o.window.Canvas().Focused() != fyne.Focusable(o.review.confirm) || len(o.added) > 0 {
		t.Errorf("the focus is on %v, %d servers are added", o.window.Canvas().Focused(), len(o.added))
	}
}

func TestAddingFails(t *testing.T) {
	o := newOpened(t)
	o.addError = errors.New("the file was changed meanwhile")
	o.show(normal, Start{Text: "uvx mcp-server-time"})
	o.chooser.next()
	o.tap("Add and try")
	o.reads("The file was changed meanwhile.")
	o.addError = nil
	o.tap("Add and try")
	o.reads("1 server is added", "time")

	o = newOpened(t)
	o.keepError = errors.New("the keychain does not take the secret: it is locked")
	o.show(normal, Start{Text: "API_KEY=abcdef0123456789 npx -y some-mcp"})
	o.chooser.next()
	o.tap("Add and try")
	o.reads("The keychain does not take the secret: it is locked.", "Keep it in the file")
	if len(o.added) > 0 {
		t.Error("the server was added although the keychain failed")
	}
}

func TestEscape(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	o.key(fyne.KeyEscape)
	if o.closed != 1 {
		t.Error("Esc does not close the dialog")
	}
	o = newOpened(t).show(normal, Start{Text: "uvx mcp-server-time"})
	o.key(fyne.KeyEscape)
	o.reads("Close without adding anything?")
	o.tap("Keep editing")
	o.lacks("Close without adding anything?")
	o.key(fyne.KeyEscape)
	o.tap("Close")
	if o.closed != 1 {
		t.Error("the button does not close the dialog")
	}
}

// TestKeyboard checks that the Tab key reaches every control, and what Esc does on each.
func TestKeyboard(t *testing.T) {
	for name, scene := range scenes() {
		o := newOpened(t)
		scene(o, normal)
		seen := map[fyne.Focusable]bool{}
		for range 60 {
			o.window.Canvas().FocusNext()
			seen[o.window.Canvas().Focused()] = true
		}
		for _, object := range test.LaidOutObjects(o.window.Canvas().Overlays().Top()) {
			if b, ok := object.(*kit.Button); ok && (b.Text != "Paste" || o.chooser.catalogue.nothing.Visible()) &&
				b.Visible() && !b.Disabled() && !seen[b] {
				t.Errorf("%s: Tab does not reach %q", name, b.AccessibilityLabel())
			}
		}
		for focusable := range seen {
			if focusable == nil || o.Closed() {
				continue
			}
			o.closing.asking = false
			o.window.Canvas().Focus(focusable)
			o.key(fyne.KeyEscape)
			if !o.closing.asking && !o.Closed() {
				t.Errorf("%s: Esc does nothing on a %T", name, focusable)
			}
		}
	}
}

func TestOffer(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	o.Offer("uvx mcp-server-time")
	o.reads("1 server found")
	o.chooser.next()
	o.Offer("uvx mcp-server-fetch")
	o.reads("1 server found", "fetch")
	o.chooser.next()
	o.tap("Add and try")
	o.Offer("uvx mcp-server-git")
	o.reads("1 server is added", "fetch")
}

// TestKeysOverTheDialog checks that keys do nothing in the dialog while another overlay covers it, such as a file
// dialog.
func TestKeysOverTheDialog(t *testing.T) {
	for name, start := range map[string]Start{"nothing typed": {},
		"something to add": {Text: `{"mcpServers":{"fetch":{"command":"uvx"}}}`}} {
		t.Run(name, func(t *testing.T) {
			o := newOpened(t)
			var keys []fyne.KeyName
			o.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) { keys = append(keys, event.Name) })
			o.show(normal, start)
			if start.Text != "" {
				o.tap("Continue")
			}
			over := dialog.NewFileOpen(func(fyne.URIReadCloser, error) {}, o.window)
			over.Show()
			o.window.Canvas().Unfocus()
			for _, key := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEscape} {
				o.key(key)
			}
			if o.Closed() || o.closing.asking || len(o.added) > 0 ||
				!slices.Equal(keys, []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEscape}) {
				t.Errorf("closed: %v, asking: %v, added: %v; the window got %v", o.Closed(), o.closing.asking, o.added, keys)
			}
			over.Hide()
			o.key(fyne.KeyEscape)
			if o.Closed() == (start.Text != "") || o.closing.asking == (start.Text == "") {
				t.Errorf("without the overlay: closed %v, asking %v", o.Closed(), o.closing.asking)
			}
		})
	}
}
