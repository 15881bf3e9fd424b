package editor

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// slow delays saving. Each call of next ends the oldest save, and reports whether there was one.
func (b *bench) slow() (next func() bool) {
	var saves []func()
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		saves = append(saves, func() {
			_, err := b.store.EditFrom(context.Background(), base, store.LabelFor(ops...), store.Edits(ops...))
			if err == nil {
				b.apply()
			}
			done(err)
		})
	}
	return func() bool {
		if len(saves) == 0 {
			return false
		}
		save := saves[0]
		saves = saves[1:]
		save()
		b.settle()
		return true
	}
}

// args returns the arguments that the form shows and those in the file.
func (b *bench) args(t *testing.T) (shown, saved []string) {
	t.Helper()
	for _, row := range b.setup.form.arguments.rows {
		shown = append(shown, row.input.Value())
	}
	return shown, entryOf(t, b, b.toolbox, b.server).Args
}

const four = `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "args": ["a", "b", "c", "d"], "env": {"ONE": "1", "TWO": "2", "THREE": "3"}},
	"git": {"command": "uvx", "args": ["x"]}}}}}`

// If the user changes the list faster than it is saved, the file ends up with the last version of the list.
func TestArgumentsAreChangedFasterThanSaved(t *testing.T) {
	// Each change is applied before the next.
	remove := func(b *bench, a *arguments, i int) { a.rows[i].remove.OnTapped(); b.leave() }
	move := func(b *bench, a *arguments, i, by int) { a.rows[i].input.OnMove(by); b.leave() }
	for name, c := range map[string]struct {
		do   func(b *bench, a *arguments)
		want []string
	}{
		"two are removed": {func(b *bench, a *arguments) { remove(b, a, 0); remove(b, a, 0) }, []string{"c", "d"}},
		"three are removed": {func(b *bench, a *arguments) {
			remove(b, a, 3)
			remove(b, a, 0)
			remove(b, a, 0)
		}, []string{"c"}},
		"moved down": {func(b *bench, a *arguments) {
			move(b, a, 0, 1)
			move(b, a, 1, 1)
			move(b, a, 2, 1)
		}, []string{"b", "c", "d", "a"}},
		"moved, removed": {func(b *bench, a *arguments) { move(b, a, 2, -1); remove(b, a, 0) }, []string{"c", "b", "d"}},
		"moved, typed on": {func(b *bench, a *arguments) {
			a.rows[0].input.OnMove(1)
			a.rows[1].input.OnMove(1)
			b.focus(a.rows[2].input)
			b.typed(a.rows[2].input, "!")
			b.leave()
		}, []string{"b", "c", "a!", "d"}},
	} {
		for _, elsewhere := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				b := open(t, four, wide)
				next := b.slow()
				a := b.setup.form.arguments
				c.do(b, a)
				want := c.want
				if elsewhere {
					b.other(`"npx"`, `"node"`)
				}
				for next() {
					if shown, _ := b.args(t); !cmp.Equal(shown, want) {
						t.Fatalf("after one of the saves, the form shows %q, want %q", shown, want)
					}
				}
				if shown, saved := b.args(t); !cmp.Equal(saved, want) || !cmp.Equal(shown, want) {
					t.Errorf("the form shows %q and the file has %q, want %q", shown, saved, want)
				}
				if b.Unsaved() {
					t.Error("some text is still unsaved")
				}
			})
		}
	}
}

// If another editor changes the list, too, the user is asked, and no removed argument comes back by itself.
func TestRemovedWhileTheFileChanges(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	a := b.setup.form.arguments
	a.rows[0].remove.OnTapped()
	b.leave()
	a.rows[0].remove.OnTapped()
	b.leave()
	b.other(`"d"]`, `"d", "e"]`)
	for next() {
	}
	b.reads("In the file: “a b c d e” · Yours: “c d”")
	b.tap("Use my change")
	for next() {
	}
	want := []string{"c", "d"}
	if shown, saved := b.args(t); !cmp.Equal(saved, want) || !cmp.Equal(shown, want) {
		t.Errorf("the form shows %q and the file has %q, want %q", shown, saved, want)
	}
}

// An argument that another editor adds and removes during a save leaves no trace.
func TestArgumentComesAndGoesWhileSaving(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	b.setup.form.arguments.rows[0].remove.OnTapped()
	b.leave()
	b.other(`"d"]`, `"d", "e"]`)
	b.other(`"a", "b", "c", "d", "e"]`, `"b", "c", "d"]`)
	for next() {
	}
	want := []string{"b", "c", "d"}
	if shown, saved := b.args(t); !cmp.Equal(saved, want) || !cmp.Equal(shown, want) || b.Unsaved() {
		t.Errorf("the form shows %q and the file has %q, want %q", shown, saved, want)
	}
}

// The focus stays with the argument that it moves.
func TestKeyboardStaysWithWhatItMoves(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	a := b.setup.form.arguments
	row := a.rows[0]
	b.focus(row.input)
	row.input.OnMove(1)
	row.input.OnMove(1)
	for next() {
		if row.input.Text != "a" || b.window.Canvas().Focused() != fyne.Focusable(row.input.Input) || a.rows[2] != row {
			t.Fatalf("the focus is not on the moved argument, or the argument is %q", row.input.Text)
		}
	}
}

// A row that cannot be saved keeps its text and its problem, whatever is saved of the other rows.
func TestWrongRowStaysUnsaved(t *testing.T) {
	for name, do := range map[string]func(b *bench, v *variables){
		"another is changed": func(b *bench, v *variables) { b.enter(v.rows[2].valueInput, "33"); b.leave() },
		"another is removed": func(b *bench, v *variables) { v.rows[2].remove.OnTapped(); b.leave() },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			v := b.setup.form.env
			b.enter(v.rows[0].valueInput, "${TOK")
			b.leave()
			b.tap("Add a key or value")
			b.enter(v.rows[3].nameInput, "NEW")
			b.enter(v.rows[3].valueInput, "${NO")
			b.leave()
			do(b, v)
			if strings.Contains(b.file(), "${") {
				t.Fatalf("the wrong value is saved:\n%s", b.file())
			}
			b.reads("is not closed by", "<${TOK>", "<NEW>", "<${NO>")
			if !b.Unsaved() {
				t.Error("the wrong value counts as saved")
			}
			b.other(`"npx"`, `"node"`)
			b.reads("<${TOK>", "<NEW>", "<${NO>")

			b.enter(v.rows[0].valueInput, "${TOK}")
			b.leave()
			if !strings.Contains(b.file(), `"ONE": "${TOK}"`) {
				t.Errorf("the corrected value is not saved:\n%s", b.file())
			}
		})
	}
}

// If a variable could not be removed, it is shown again, with the reason.
func TestRemovingAVariableIsRefused(t *testing.T) {
	b := open(t, four, wide)
	v := b.setup.form.env
	edits := b.fake.saves
	b.fake.saves = func(base *config.Document, _ []edit.Op, done func(error)) { done(errors.New("the disk is full")) }
	v.rows[1].remove.OnTapped()
	b.leave()
	b.reads("The disk is full", "<TWO>")
	b.fake.saves = edits
	v.rows[1].remove.OnTapped()
	b.leave()
	b.lacks("The disk is full", "<TWO>")
	if strings.Contains(b.file(), "TWO") {
		t.Errorf("the file is\n%s", b.file())
	}
}

// An edit of one field does not change text typed in others.
func TestOneThingLeavesTheOthersAlone(t *testing.T) {
	const remote = `{"toolboxes": {"dev": {"mcpServers": {"files": {"url": "https://example.com/mcp", "headers": {"A": "1"}, "nonsense": 1}}}}}`
	keepsNothing := strings.Replace(four, `["`, `["mcp-server-fetch", "`, 1)
	flip := func(w *fieldSwitch) { w.Tapped(nil) }
	for name, c := range map[string]struct {
		source string
		do     func(b *bench, f *form)
		wrote  string
	}{
		"switched off":         {four, func(b *bench, f *form) { f.switchOf("disabled").OnChanged(false) }, `"disabled": true`},
		"shared by itself":     {keepsNothing, func(b *bench, f *form) { flip(f.switchOf("share")) }, `"share": false`},
		"not shared by itself": {four, func(b *bench, f *form) { flip(f.switchOf("share")) }, `"share": true`},
		"transport":            {remote, func(b *bench, f *form) { f.transport.OnChosen(1) }, `"transport": "sse"`},
		"a fix of what is typed": {four, func(b *bench, f *form) {
			b.enter(f.command.input, " node")
			b.tap("Remove the space")
		}, `"command": "node"`},
		"a fix of the file": {strings.Replace(four, `"npx"`, `"npx "`, 1), func(b *bench, f *form) {
			b.tap("Remove the space")
		}, `"command": "npx"`},
		"split": {four, func(b *bench, f *form) {
			b.enter(f.command.input, "npx -y server")
			b.tap("Split into command and arguments")
		}, `["-y", "server", "a",`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, c.source, wide)
			f := &b.setup.form
			b.enter(f.startup.input, "ten")
			table := f.env
			if strings.Contains(c.source, "url") {
				table = f.headers
			}
			b.enter(table.rows[0].nameInput, "")
			b.leave()
			c.do(b, f)
			b.settle()
			if !strings.Contains(b.file(), c.wrote) {
				t.Errorf("the file is\n%s", b.file())
			}
			b.reads("<ten>", "Write a number of seconds", "Write its name")
			b.lacks("This was changed while")
		})
	}
}

// A fix does not undo what is typed: not in fields that it does not change, nor after it was offered or clicked.
func TestFixLeavesTypingAlone(t *testing.T) {
	source := strings.Replace(four, `"2"`, `2`, 1)
	b := open(t, source, wide)
	v := b.setup.form.env
	b.enter(v.rows[0].nameInput, "")
	b.enter(v.rows[2].valueInput, "33")
	b.tap("Put it into double quotes")
	b.reads("Write its name.", "<2>", "<33>")
	if got := b.file(); !strings.Contains(got, `"ONE": "1", "TWO": "2", "THREE": "33"`) {
		t.Errorf("the file is\n%s", got)
	}

	// The text is typed while the fix is being saved.
	b = open(t, source, wide)
	next := b.slow()
	v = b.setup.form.env
	b.enter(v.rows[2].valueInput, "33")
	b.tap("Put it into double quotes")
	b.enter(v.rows[0].valueInput, "11")
	b.enter(v.rows[2].valueInput, "333")
	b.leave()
	for next() {
	}
	b.reads("<11>", "<333>")
	if got := b.file(); !strings.Contains(got, `"ONE": "11"`) {
		t.Errorf("the text that was typed meanwhile is not saved:\n%s", got)
	}
	if got := b.file(); !strings.Contains(got, `"ONE": "11", "TWO": "2", "THREE": "333"`) {
		t.Errorf("the file is\n%s", got)
	}

	// The text is typed after the fix was offered.
	b = open(t, four, wide)
	f := &b.setup.form
	b.enter(f.command.input, " node")
	b.hold = true
	b.typed(f.command.input, "-22")
	b.enter(f.startup.input, "30")
	b.tap("Remove the space")
	b.reads("< node-22>", "<30>")
	if !b.Unsaved() {
		t.Error("the typed text counts as saved")
	}
}

// If an edit fails, the user is told, even if another server is shown by then.
func TestOneThingIsRefused(t *testing.T) {
	b := open(t, four, wide)
	var refuse func()
	b.fake.saves = func(base *config.Document, _ []edit.Op, done func(error)) {
		refuse = func() { done(errors.New("the disk is full")) }
	}
	f := &b.setup.form
	f.switchOf("disabled").Tapped(nil)
	refuse()
	b.reads("The disk is full")
	if !f.switchOf("disabled").On() {
		t.Error("the server is shown as switched off")
	}
	f.switchOf("disabled").Tapped(nil)
	b.server = "git"
	b.apply()
	refuse()
	if len(b.log) != 1 || b.log[0] != "not saved dev/files" {
		t.Errorf("the actions are %q", b.log)
	}
	b.lacks("The disk is full")
}
