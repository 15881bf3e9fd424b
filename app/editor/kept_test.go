package editor

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/store"
)

// visit shows another server.
func (b *bench) visit(server string) {
	b.t.Helper()
	b.server = server
	b.apply()
}

// asks holds for which server and tab it is asked before the window goes; an empty server means that it is not asked.
func (b *bench) asks(server string, tab Tab) {
	b.t.Helper()
	at, on, any := b.Screen.Unsavable(b.store.Current())
	if any != (server != "") || at.Server != server || any && on != tab {
		b.t.Errorf("something would be lost: %v, of %q in tab %d; want %q in %d", any, at.Server, on, server, tab)
	}
}

const brokenFour = `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "args": "a"`

// What is typed while the file is broken is there again with its server, and saved when the file is right again, as it is said.
func TestTypedWhileTheFileIsBroken(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	b.write(brokenFour)
	b.reads("What you type here is kept")
	b.enter(f.command.input, "node")
	b.enter(f.arguments.rows[1].input, "bee")
	b.enter(f.env.rows[0].valueInput, "11")
	b.tap("Add variable")
	b.enter(f.env.rows[3].nameInput, "FOUR")
	b.enter(f.env.rows[3].valueInput, "4")
	f.arguments.rows[3].remove.OnTapped()
	b.leave()
	b.pass(quiet)

	typed := []string{"<node>", "<a>\n", "<bee>", "<c>", "<11>", "<TWO>", "<FOUR>", "<4>"}
	for range 2 {
		b.visit("git")
		b.lacks("<node>", "<bee>", "<11>", "<FOUR>")
		if b.file() != brokenFour || len(b.log) > 0 {
			t.Errorf("the window says %q, and the file is\n%s", b.log, b.file())
		}
		b.asks("files", TabSetup)
		b.visit("files")
		b.reads(typed...)
		b.lacks("<d>")
	}
	b.visit("git")
	b.write(four)
	b.lacks("<node>", "<bee>", "<11>", "<FOUR>")
	b.asks("files", TabSetup)
	b.visit("files")
	b.reads(typed...)
	want := strings.NewReplacer(`"npx"`, `"node"`, `"b", "c", "d"`, `"bee", "c"`, `"ONE": "1"`, `"ONE": "11"`, `"THREE": "3"`, `"THREE": "3", "FOUR": "4"`).Replace(four)
	if b.file() != want {
		t.Errorf("the file is\n%s\nwant\n%s", b.file(), want)
	}
	b.lacks("Changed elsewhere", "Not saved")
	b.asks("", 0)
	b.visit("git")
	b.asks("", 0)
}

// What cannot be saved as it is comes back with its server, with what is wrong with it.
func TestRefusedTextComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(b *bench, f *form)
		shows []string
		right func(b *bench, f *form)
		saved string
	}{
		"limit": {func(b *bench, f *form) { b.enter(f.startup.input, "ten") }, []string{"<ten>", "Write a number of seconds"},
			func(b *bench, f *form) { b.enter(f.startup.input, "10") }, `"startupTimeout": 10`},
		"argument": {func(b *bench, f *form) { b.enter(f.arguments.rows[2].input, "${X") }, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.arguments.rows[2].input, "${X}") }, `["a", "b", "${X}", "d"]`},
		"new argument": {func(b *bench, f *form) { b.tap("Add argument"); b.enter(f.arguments.rows[4].input, "${X") }, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.arguments.rows[4].input, "${X}") }, `"d", "${X}"]`},
		"value": {func(b *bench, f *form) { b.enter(f.env.rows[1].valueInput, "${X") }, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.env.rows[1].valueInput, "${X}") }, `"TWO": "${X}"`},
		"name": {func(b *bench, f *form) { b.enter(f.env.rows[1].nameInput, "ONE") }, []string{"There is a variable of that name already."},
			func(b *bench, f *form) { b.enter(f.env.rows[1].nameInput, "TO") }, `"TO": "2"`},
		"other kind": {func(b *bench, f *form) {
			f.kind.OnChosen(kindAddress)
			f.kind.Follow(kindAddress)
			b.setup.check()
			b.enter(f.url.input, "no address")
		}, []string{"<no address>", "is no address", "Until then the file stays as it is"},
			func(b *bench, f *form) { b.enter(f.url.input, "https://example.com/mcp") }, `{"url": "https://example.com/mcp"}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			f := &b.setup.form
			c.do(b, f)
			b.visit("git")
			b.lacks(c.shows...)
			b.asks("files", TabSetup)
			if b.setup.unsaved() || b.file() != four {
				t.Errorf("it is at another server, or the file is\n%s", b.file())
			}
			b.visit("files")
			b.reads(c.shows...)
			b.asks("files", TabSetup)
			b.pass(quiet)
			if b.file() != four {
				t.Errorf("the file is\n%s", b.file())
			}
			c.right(b, f)
			b.leave()
			if !strings.Contains(b.file(), c.saved) {
				t.Errorf("the file is\n%s", b.file())
			}
			b.asks("", 0)
		})
	}
}

// Whoever has to choose between two texts can do so later.
func TestChoiceComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		do       func(b *bench, f *form)
		old, new string
		saved    string
	}{
		"command":  {func(b *bench, f *form) { b.enter(f.command.input, "mine") }, `"npx"`, `"theirs"`, `"mine"`},
		"argument": {func(b *bench, f *form) { b.enter(f.arguments.rows[1].input, "mine") }, `"b"`, `"theirs"`, `["a", "mine", "c", "d"]`},
		"gone":     {func(b *bench, f *form) { b.enter(f.arguments.rows[1].input, "mine") }, `"b", `, ``, `["a", "mine", "c", "d"]`},
		"value":    {func(b *bench, f *form) { b.enter(f.env.rows[1].valueInput, "mine") }, `"2"`, `"theirs"`, `"TWO": "mine"`},
		"variable": {func(b *bench, f *form) { b.enter(f.env.rows[1].valueInput, "mine") }, `, "TWO": "2"`, ``, `"TWO": "mine"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			f := &b.setup.form
			c.do(b, f)
			b.other(c.old, c.new)
			b.leave()
			b.visit("git")
			b.lacks("mine", "theirs")
			b.asks("files", TabSetup)
			b.visit("files")
			b.reads("elsewhere, while you were changing it", "<mine>")
			b.tap("Keep mine")
			if !strings.Contains(b.file(), c.saved) {
				t.Errorf("the file is\n%s", b.file())
			}
			b.asks("", 0)
		})
	}
}

// What was on its way when its server was left, and has not come to the file, is told and comes back.
func TestSavingFailsAfterLeaving(t *testing.T) {
	for name, back := range map[string]bool{"another is shown": false, "it is shown again": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			edits := b.setup.actions.Edit
			var ends []func()
			b.setup.actions.Edit = func(_ []edit.Op, done func(error)) {
				ends = append(ends, func() { done(errors.New("the disk is full")) })
			}
			f := &b.setup.form
			b.enter(f.command.input, "no")
			b.leave()
			b.enter(f.command.input, "node")
			b.enter(f.env.rows[1].valueInput, "22")
			b.leave()
			b.visit("git")
			b.asks("", 0) // it is on its way
			if back {
				b.visit("files")
				b.lacks("<node>", "<22>")
				b.enter(f.startup.input, "ten")
			}
			b.setup.actions.Edit = edits
			for _, end := range ends {
				end()
			}
			if len(b.log) != len(ends) || b.log[0] != "not saved dev/files" {
				t.Errorf("the window says %q", b.log)
			}
			if !back {
				b.asks("files", TabSetup)
				b.lacks("<node>", "<22>")
				b.visit("files")
			}
			b.reads("<node>", "<22>")
			b.pass(quiet)
			if got := b.file(); !strings.Contains(got, `"node"`) || !strings.Contains(got, `"22"`) {
				t.Errorf("what came back is not saved:\n%s", got)
			}
			if back {
				b.reads("<ten>")
				b.enter(f.startup.input, "")
			}
			b.asks("", 0)
		})
	}
}

// What was on its way when its server was left is what the file says of it afterwards, also beside what cannot be saved.
func TestSentBesideUnsavable(t *testing.T) {
	const added = `"d", "--verbose"]`
	saved := strings.Replace(four, `"d"]`, added, 1)
	for name, want := range map[string]string{"saved": saved, "undone": four, "refused": saved} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			edits := b.setup.actions.Edit
			next := b.slow()
			f := &b.setup.form
			b.enter(f.startup.input, "ten")
			b.tap("Add argument")
			b.enter(f.arguments.rows[4].input, "--verbose")
			b.visit("git")
			refused := name == "refused"
			if refused { // until it is sent again
				b.write(strings.Replace(four, `["a", "b", "c", "d"]`, `7`, 1))
			}
			for next() {
			}
			if strings.Contains(b.file(), added) == refused {
				t.Fatalf("the file is\n%s", b.file())
			}
			if refused {
				b.write(four)
			}
			if name == "undone" {
				if _, err := b.store.Undo(context.Background()); err != nil {
					t.Fatal(err)
				}
				b.apply()
			}
			b.setup.actions.Edit = edits
			b.asks("files", TabSetup)
			b.visit("files")
			b.pass(quiet)
			b.reads("<ten>")
			if b.file() != want {
				t.Errorf("the file is\n%s\nwant\n%s", b.file(), want)
			}
			if got := strings.Count(b.texts(), "<--verbose>"); got != strings.Count(want, "--verbose") {
				t.Errorf("the argument is shown %d times", got)
			}
			b.enter(f.startup.input, "")
			b.asks("", 0)
		})
	}
}

// What the file says after the saving that was under way when its server was left is no change of somebody else's.
func TestTypedOnWhileSavingAndLeft(t *testing.T) {
	for _, second := range []string{"", "20"} { // which is refused
		b := open(t, four, wide)
		var ends []func(error)
		edits := b.setup.actions.Edit
		b.setup.actions.Edit = func(ops []edit.Op, done func(error)) {
			ends = append(ends, func(err error) {
				if err != nil {
					done(err)
					return
				}
				edits(ops, done)
			})
		}
		f := &b.setup.form
		b.enter(f.startup.input, "10")
		b.leave()
		if second != "" {
			b.enter(f.startup.input, second)
			b.Settle()
		}
		b.enter(f.startup.input, "ten")
		b.visit("git")
		ends[0](nil)
		for _, end := range ends[1:] {
			end(errors.New("the disk is full"))
		}
		if !strings.Contains(b.file(), `"startupTimeout": 10}`) {
			t.Fatalf("the file is\n%s", b.file())
		}
		b.visit("files")
		b.reads("<ten>")
		b.lacks("Changed elsewhere")
	}
}

// An argument that comes to the file when the next one, sent behind it, does not, is not written again with that.
func TestArgumentsSentTwiceAndLeft(t *testing.T) {
	for next, saved := range map[string][]string{"--more": {"a", "b", "c", "d", "--verbose", "--more"}, "${X": {"a", "b", "c", "d", "--verbose"}} {
		b := open(t, four, wide)
		end := b.slow()
		f := &b.setup.form
		b.tap("Add argument")
		b.enter(f.arguments.rows[4].input, "--verbose")
		b.leave()
		b.tap("Add argument")
		b.enter(f.arguments.rows[5].input, next)
		b.visit("git")
		for end() { // the second from before the first, so that it is refused
		}
		if len(b.log) != 1 {
			t.Fatalf("the window says %q", b.log)
		}
		b.visit("files")
		for end() {
		}
		shown, got := b.args(t)
		if want := []string{"a", "b", "c", "d", "--verbose", next}; !slices.Equal(shown, want) || !slices.Equal(got, saved) {
			t.Errorf("with %s it shows %q and saves %q", next, shown, got)
		}
		b.lacks("elsewhere")
	}
}

// A variable that gets another name while it is saved, one that cannot be saved, is the same variable afterwards.
func TestVariableIsNamedOnWhileSavingAndLeft(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	f := &b.setup.form
	b.tap("Add variable")
	b.enter(f.env.rows[3].nameInput, "FOUR")
	b.enter(f.env.rows[3].valueInput, "4")
	b.leave()
	b.enter(f.env.rows[3].nameInput, "ONE")
	b.visit("git")
	for next() {
	}
	if !strings.Contains(b.file(), `"FOUR": "4"`) {
		t.Fatalf("the file is\n%s", b.file())
	}
	b.visit("files")
	b.reads("There is a variable of that name already.")
	if len(f.env.rows) != 4 {
		t.Errorf("there are %d variables:\n%s", len(f.env.rows), b.texts())
	}
}

// What is on its way is not asked about, also when nothing is left of it.
func TestOnItsWay(t *testing.T) {
	b := open(t, strings.Replace(four, `["a", "b", "c", "d"]`, `["a"]`, 1), wide)
	next := b.slow()
	b.setup.form.arguments.rows[0].remove.OnTapped()
	b.asks("", 0)
	b.visit("git")
	b.asks("", 0)
	next()
	if strings.Contains(b.file(), `"a"`) {
		t.Errorf("the file is\n%s", b.file())
	}
}

// What waits to be checked when the file breaks comes back too.
func TestFileBreaksWhileChecking(t *testing.T) {
	b := open(t, four, wide)
	b.hold = true
	b.enter(b.setup.form.command.input, "node")
	b.leave()
	b.write(brokenFour)
	edits := b.setup.actions.Edit
	next := b.slow()
	b.visit("git")
	for next() {
	}
	b.setup.actions.Edit = edits
	if len(b.log) > 0 {
		t.Errorf("the window says %q", b.log)
	}
	b.asks("files", TabSetup)
	b.hold = false
	b.write(four)
	b.visit("files")
	b.settle()
	if !strings.Contains(b.file(), `"node"`) {
		t.Errorf("the file is\n%s", b.file())
	}
}

// What ends late is not about what is typed into the same server when it is shown again.
func TestSavingEndsInALaterVisit(t *testing.T) {
	b := open(t, four, wide)
	var ends []func(error)
	b.setup.actions.Edit = func(_ []edit.Op, done func(error)) { ends = append(ends, done) }
	f := &b.setup.form
	b.enter(f.command.input, "first")
	b.leave()
	b.visit("git")
	b.visit("files")
	b.enter(f.command.input, "second")
	b.leave()
	ends[0](nil) // of the first, though the file cannot be seen to have it
	ends[1](errors.New("the disk is full"))
	b.reads("<second>", "Not saved: The disk is full")
	b.asks("files", TabSetup)
}

// A server that gets another name while something is saved is the same server: what comes of it is said there, and it goes on being saved.
func TestRenamedWhileSaving(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	f := &b.setup.form
	b.enter(f.command.input, "node")
	b.leave()
	b.tap("Rename")
	b.header.entry.SetText("papers")
	b.header.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	next() // there is no "files" any more
	b.reads("Not saved", "<node>")
	b.asks("papers", TabSetup)
	b.tap("Try again")
	next()
	if b.file() != strings.NewReplacer(`"files"`, `"papers"`, `"npx"`, `"node"`).Replace(four) {
		t.Errorf("the file is\n%s", b.file())
	}
	b.lacks("Not saved")
	b.asks("", 0)
}

// What was typed for a server that is not in the file any more is not asked about. It comes back when the server does.
func TestTypedForAServerThatIsGone(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	b.enter(f.startup.input, "ten")
	b.leave()
	b.visit("git")
	without := `{"toolboxes": {"dev": {"mcpServers": {"git": {"command": "uvx", "args": ["x"]}}}}}`
	b.write(without)
	b.asks("", 0)
	if err := os.WriteFile(b.path, []byte(four), 0o600); err != nil {
		t.Fatal(err)
	}
	b.write(four)
	b.asks("files", TabSetup)
	b.visit("files")
	b.reads("<ten>")
	b.write(without)
	b.asks("", 0) // also while it is the one that is shown
}

// What is typed for a server stays with it under another name and in another toolbox, and goes with it when the user deletes it: a server
// that gets the name later is another one.
func TestTypedForAServerThatIsRenamed(t *testing.T) {
	ops := map[string]struct {
		op              edit.Op
		toolbox, server string // empty: deleted
	}{
		"renamed":         {edit.RenameServer{Toolbox: "dev", Name: "files", To: "papers"}, "dev", "papers"},
		"moved":           {edit.MoveServer{Toolbox: "dev", Name: "files", ToToolbox: "prod"}, "prod", "files"},
		"toolbox renamed": {edit.RenameToolbox{Name: "dev", To: "work"}, "work", "files"},
		"deleted":         {edit.RemoveServer{Toolbox: "dev", Name: "files"}, "", ""},
		"toolbox deleted": {edit.RemoveToolbox{Name: "dev"}, "", ""},
	}
	for name, c := range ops {
		for _, shown := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				b := open(t, plain, wide)
				f := &b.setup.form
				b.enter(f.startup.input, "ten")
				b.enter(f.env.rows[0].valueInput, "${X")
				b.leave()
				b.Choose(TabJSON)
				b.tap("Show secrets")
				b.retype(`"npx"`, `npx`)
				b.Choose(TabSetup)
				if !shown {
					b.toolbox, b.server = "prod", "remote"
					b.apply()
				}
				if _, err := b.store.Edit(context.Background(), "test", store.Edits(c.op)); err != nil {
					t.Fatal(err)
				}
				if shown && c.server != "" { // as the list of servers does it, before the end is told
					b.toolbox, b.server = c.toolbox, c.server
					b.apply()
				}
				b.Edited([]edit.Op{c.op})
				b.settle()
				if c.server == "" {
					b.asks("", 0)
					b.toolbox, b.server = "prod", "remote"
					b.apply()
					b.write(plain) // one of that name
					b.toolbox, b.server = "dev", "files"
					b.apply()
					b.lacks("<ten>", "<${X>")
					b.asks("", 0)
					return
				}
				b.asks(c.server, TabSetup)
				b.toolbox, b.server = c.toolbox, c.server
				b.apply()
				b.reads("<ten>", "<${X>", "is not closed by")
				if text := b.json.code.Text(); !strings.Contains(text, `: npx`) {
					t.Errorf("the JSON is %s", text)
				}
				b.asks(c.server, TabSetup)
			})
		}
	}
}

// Before the end what waits to be checked is saved, and what cannot be is asked about.
func TestBeforeTheEnd(t *testing.T) {
	b := open(t, four, wide)
	b.hold = true
	f := &b.setup.form
	b.enter(f.command.input, "node")
	b.Settle()
	if !strings.Contains(b.file(), `"node"`) {
		t.Errorf("the file is\n%s", b.file())
	}
	b.asks("", 0)
	b.enter(f.startup.input, "ten")
	b.Settle()
	b.asks("files", TabSetup)
}

// What was sent last counts: who stays after all, and whose text was sent twice, is told when the second is refused.
func TestSentTwice(t *testing.T) {
	b := open(t, four, wide)
	var ends []func(error)
	edits := b.setup.actions.Edit
	b.setup.actions.Edit = func(ops []edit.Op, done func(error)) {
		ends = append(ends, func(err error) {
			if err != nil {
				done(err)
				return
			}
			edits(ops, done)
		})
	}
	f := &b.setup.form
	b.enter(f.call.input, "5")
	b.leave()
	b.enter(f.call.input, "50")
	b.leave()
	b.Settle()
	b.asks("", 0)
	if len(ends) != 2 {
		t.Fatalf("it is sent %d times", len(ends))
	}
	ends[0](nil)
	b.lacks("elsewhere")
	ends[1](errors.New("the disk is full"))
	b.reads("<50>", "Not saved: The disk is full")
	b.asks("files", TabSetup)
}

// A secret that is on its way to the keychain while another server is shown does not get into the file instead.
func TestKeychainAnswersAfterLeaving(t *testing.T) {
	for name, back := range map[string]bool{"another is shown": false, "it is shown again": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			var answer func()
			b.setup.actions.KeepSecret = func(_, value string, done func(string, error)) { answer = func() { done("KEPT", nil) } }
			f := &b.setup.form
			b.tap("Add variable")
			b.enter(f.env.rows[3].nameInput, "TOKEN")
			b.enter(f.env.rows[3].valueInput, "sesame-open-1234567")
			f.env.rows[3].keep.OnChanged(true)
			b.leave()
			b.visit("git")
			b.asks("files", TabSetup)
			if back {
				b.visit("files")
			}
			b.pass(quiet)
			answer()
			b.visit("files")
			b.settle()
			if got := b.file(); strings.Contains(got, "sesame") || !strings.Contains(got, `"TOKEN": "${keyring:KEPT}"`) {
				t.Errorf("the file is\n%s", got)
			}
			b.asks("", 0)
		})
	}
}

// A path that was asked for one server is not written into another.
func TestPathIsChosenAfterLeaving(t *testing.T) {
	b := open(t, four, wide)
	var choose func(string)
	b.setup.actions.PickFolder = func(done func(string)) { choose = done }
	b.setup = newSetup(b.setup.actions, func() {})
	b.setup.apply(Look(Source{Toolbox: "dev", Server: "files", Now: b.store.Current()}))
	b.setup.picker("Choose", b.setup.actions.PickFolder, func() *textField { return b.setup.form.cwd })[0].(*kit.Button).OnTapped()
	b.setup.forget()
	b.setup.apply(Look(Source{Toolbox: "dev", Server: "git", Now: b.store.Current()}))
	choose("/tmp")
	b.pass(quiet)
	if b.file() != four || len(b.log) != 1 || b.log[0] != "not saved dev/files" {
		t.Errorf("the window says %q, and the file is\n%s", b.log, b.file())
	}
}
