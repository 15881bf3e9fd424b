package editor

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// visit shows another server.
func (b *bench) visit(server string) {
	b.t.Helper()
	b.server = server
	b.apply()
}

// asks checks which server and tab would lose text if the window closed. An empty server means that nothing would be
// lost.
func (b *bench) asks(server string, tab model.Tab) {
	b.t.Helper()
	at, on, any := b.Screen.Unsavable(b.store.Current())
	if any != (server != "") || at.Server != server || any && on != tab {
		b.t.Errorf("something would be lost: %v, of %q in tab %d; want %q in %d", any, at.Server, on, server, tab)
	}
}

const brokenFour = `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "args": "a"`

// Text typed while the file is broken is shown again with its server, and saved when the file is readable.
func TestTypedWhileTheFileIsBroken(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	b.write(brokenFour)
	b.reads("Show the file")
	b.enter(f.command.input, "node")
	b.enter(f.arguments.rows[1].input, "bee")
	b.enter(f.env.rows[0].valueInput, "11")
	b.tap("Add a key or value")
	b.enter(f.env.rows[3].nameInput, "FOUR")
	b.enter(f.env.rows[3].valueInput, "4")
	f.arguments.rows[3].remove.OnTapped()
	b.leave()
	b.settle()

	typed := []string{"<node>", "<a>\n", "<bee>", "<c>", "<11>", "<TWO>", "<FOUR>", "<4>"}
	for range 2 {
		b.visit("git")
		b.lacks("<node>", "<bee>", "<11>", "<FOUR>")
		if b.file() != brokenFour || len(b.log) > 0 {
			t.Errorf("the window says %q, and the file is\n%s", b.log, b.file())
		}
		b.asks("files", model.TabSetup)
		b.visit("files")
		b.reads(typed...)
		b.lacks("<d>")
	}
	b.visit("git")
	b.write(four)
	b.lacks("<node>", "<bee>", "<11>", "<FOUR>")
	b.asks("files", model.TabSetup)
	b.visit("files")
	b.reads(typed...)
	want := strings.NewReplacer(`"npx"`, `"node"`, `"b", "c", "d"`, `"bee", "c"`, `"ONE": "1"`, `"ONE": "11"`,
		`"THREE": "3"`, `"THREE": "3", "FOUR": "4"`).Replace(four)
	if b.file() != want {
		t.Errorf("the file is\n%s\nwant\n%s", b.file(), want)
	}
	b.lacks("This was changed while", "Not saved")
	b.asks("", 0)
	b.visit("git")
	b.asks("", 0)
}

// Text that cannot be saved is shown again with its server and its problem.
func TestRefusedTextComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(b *bench, f *form)
		shows []string
		right func(b *bench, f *form)
		saved string
	}{
		"limit": {func(b *bench, f *form) {
			b.enter(f.startup.input, "ten")
		}, []string{"<ten>", "Write a number of seconds"},
			func(b *bench, f *form) { b.enter(f.startup.input, "10") }, `"startupTimeout": 10`},
		"argument": {func(b *bench, f *form) {
			b.enter(f.arguments.rows[2].input, "${X")
		}, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.arguments.rows[2].input, "${X}") }, `["a", "b", "${X}", "d"]`},
		"new argument": {func(b *bench, f *form) {
			b.tap("Add argument")
			b.enter(f.arguments.rows[4].input, "${X")
		}, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.arguments.rows[4].input, "${X}") }, `"d", "${X}"]`},
		"value": {func(b *bench, f *form) {
			b.enter(f.env.rows[1].valueInput, "${X")
		}, []string{"<${X>", "is not closed by"},
			func(b *bench, f *form) { b.enter(f.env.rows[1].valueInput, "${X}") }, `"TWO": "${X}"`},
		"name": {func(b *bench, f *form) {
			b.enter(f.env.rows[1].nameInput, "ONE")
		}, []string{"There is a value of that name already."},
			func(b *bench, f *form) { b.enter(f.env.rows[1].nameInput, "TO") }, `"TO": "2"`},
		"other kind": {func(b *bench, f *form) {
			f.kind.choice.OnChosen(kindAddress)
			f.kind.choice.Follow(kindAddress)
			b.setup.check()
			b.enter(f.url.input, "no address")
		}, []string{"<no address>", "is no address", "What you fill in replaces what is in the file now"},
			func(b *bench, f *form) { b.enter(f.url.input, "https://example.com/mcp") }, `{"url": "https://example.com/mcp"}`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			f := &b.setup.form
			c.do(b, f)
			b.visit("git")
			b.lacks(c.shows...)
			b.asks("files", model.TabSetup)
			if len(b.setup.typed()) > 0 || b.file() != four {
				t.Errorf("the text is shown for another server, or the file is\n%s", b.file())
			}
			b.visit("files")
			b.reads(c.shows...)
			b.asks("files", model.TabSetup)
			b.settle()
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

// The user can choose between two versions later, when the server is shown again.
func TestChoiceComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		do       func(b *bench, f *form)
		old, new string
		saved    string
	}{
		"command": {func(b *bench, f *form) { b.enter(f.command.input, "mine") }, `"npx"`, `"theirs"`, `"mine"`},
		"argument": {func(b *bench, f *form) {
			b.enter(f.arguments.rows[1].input, "mine")
		}, `"b"`, `"theirs"`, `["a", "mine", "c", "d"]`},
		"gone": {func(b *bench, f *form) {
			b.enter(f.arguments.rows[1].input, "mine")
		}, `"b", `, ``, `["a", "mine", "c", "d"]`},
		"value": {func(b *bench, f *form) {
			b.enter(f.env.rows[1].valueInput, "mine")
		}, `"2"`, `"theirs"`, `"TWO": "mine"`},
		"variable": {func(b *bench, f *form) {
			b.enter(f.env.rows[1].valueInput, "mine")
		}, `, "TWO": "2"`, ``, `"TWO": "mine"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			f := &b.setup.form
			c.do(b, f)
			b.other(c.old, c.new)
			b.leave()
			b.visit("git")
			b.lacks("mine", "theirs")
			b.asks("files", model.TabSetup)
			b.visit("files")
			b.reads("while you were editing it", "<mine>")
			b.tap("Use my change")
			if !strings.Contains(b.file(), c.saved) {
				t.Errorf("the file is\n%s", b.file())
			}
			b.asks("", 0)
		})
	}
}

// Text that waits for a check when the file breaks is shown again.
func TestFileBreaksWhileChecking(t *testing.T) {
	b := open(t, four, wide)
	b.hold = true
	b.enter(b.setup.form.command.input, "node")
	b.leave()
	b.write(brokenFour)
	edits := b.fake.saves
	next := b.slow()
	b.visit("git")
	for next() {
	}
	b.fake.saves = edits
	if len(b.log) > 0 {
		t.Errorf("the window says %q", b.log)
	}
	b.asks("files", model.TabSetup)
	b.hold = false
	b.write(four)
	b.visit("files")
	b.settle()
	if !strings.Contains(b.file(), `"node"`) {
		t.Errorf("the file is\n%s", b.file())
	}
}

// Text for a server that is no longer in the file does not keep the window open. It is shown again when the server is
// back.
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
	b.asks("files", model.TabSetup)
	b.visit("files")
	b.reads("<ten>")
	b.write(without)
	b.asks("", 0) // also while the server is shown
}

// Text typed for a server stays with it when the server is renamed or moved, and is dropped when the user deletes the
// server. A later server with the same name is another one.
func TestTypedForAServerThatIsRenamed(t *testing.T) {
	ops := map[string]struct {
		op              edit.Op
		toolbox, server string // empty if deleted
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
				b.Choose(model.TabJSON)
				b.tap("Show secrets")
				b.retype(`"npx"`, `npx`)
				b.Choose(model.TabSetup)
				if !shown {
					b.toolbox, b.server = "prod", "remote"
					b.apply()
				}
				if _, err := b.store.Edit(context.Background(), "test", store.Edits(c.op)); err != nil {
					t.Fatal(err)
				}
				if shown && c.server != "" { // the list of servers does this before the edit is reported
					b.toolbox, b.server = c.toolbox, c.server
					b.apply()
				}
				b.Edited([]edit.Op{c.op})
				b.settle()
				if c.server == "" {
					b.asks("", 0)
					b.toolbox, b.server = "prod", "remote"
					b.apply()
					b.write(plain) // a new server with the same name
					b.toolbox, b.server = "dev", "files"
					b.apply()
					b.lacks("<ten>", "<${X>")
					b.asks("", 0)
					return
				}
				b.asks(c.server, model.TabSetup)
				b.toolbox, b.server = c.toolbox, c.server
				b.apply()
				b.reads("<ten>", "<${X>", "is not closed by")
				if text := b.json.code.Text(); !strings.Contains(text, `: npx`) {
					t.Errorf("the JSON is %s", text)
				}
				b.asks(c.server, model.TabSetup)
			})
		}
	}
}

// When the window closes, text that waits for a check is saved, and the user is asked about text that cannot be saved.
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
	b.asks("files", model.TabSetup)
}
