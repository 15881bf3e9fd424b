package editor

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// answer answers the checks that are held.
func (b *bench) answer() {
	held := b.held
	b.held = nil
	for _, answer := range held {
		answer()
	}
}

// holdEdits holds back each save until the test ends it, with an error or with nil, which saves.
func (b *bench) holdEdits() *[]func(error) {
	var held []func(error)
	edits := b.fake.saves
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		held = append(held, func(err error) {
			if err != nil {
				done(err)
				return
			}
			edits(base, ops, done)
		})
	}
	return &held
}

// If text cannot be saved after its server was left, the user is told, and the text is shown again.
func TestSavingFailsAfterLeaving(t *testing.T) {
	for name, back := range map[string]bool{"another is shown": false, "it is shown again": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			edits := b.fake.saves
			var ends []func()
			b.fake.saves = func(base *config.Document, _ []edit.Op, done func(error)) {
				ends = append(ends, func() { done(errors.New("the disk is full")) })
			}
			f := &b.setup.form
			b.enter(f.command.input, "no")
			b.leave()
			b.enter(f.command.input, "node")
			b.enter(f.env.rows[1].valueInput, "22")
			b.leave()
			b.visit("git")
			b.asks("", 0) // the text is being saved
			if back {
				b.visit("files")
				b.reads("<node>", "<22>")
				b.enter(f.startup.input, "ten")
			}
			b.fake.saves = edits
			for _, end := range ends {
				end()
			}
			if back {
				b.reads("Not saved: The disk is full")
				b.Commit()
			} else if len(b.log) != len(ends) || b.log[0] != "not saved dev/files" {
				t.Errorf("the actions are %q", b.log)
			}
			if !back {
				b.asks("files", model.TabSetup)
				b.lacks("<node>", "<22>")
				b.visit("files")
			}
			b.reads("<node>", "<22>")
			b.settle()
			if got := b.file(); !strings.Contains(got, `"node"`) || !strings.Contains(got, `"22"`) {
				t.Errorf("the text that was shown again is not saved:\n%s", got)
			}
			if back {
				b.reads("<ten>")
				b.enter(f.startup.input, "")
			}
			b.asks("", 0)
		})
	}
}

// Text that was being saved when its server was left is shown as the file has it, even if other text cannot be saved.
func TestSentBesideUnsavable(t *testing.T) {
	const added = `"d", "--verbose"]`
	saved := strings.Replace(four, `"d"]`, added, 1)
	for name, want := range map[string]string{"saved": saved, "undone": four, "refused": saved} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			edits := b.fake.saves
			next := b.slow()
			f := &b.setup.form
			b.enter(f.startup.input, "ten")
			b.tap("Add argument")
			b.enter(f.arguments.rows[4].input, "--verbose")
			b.visit("git")
			refused := name == "refused"
			if refused { // until it is saved again
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
			b.fake.saves = edits
			b.asks("files", model.TabSetup)
			b.visit("files")
			b.settle()
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

// When the user's own save ends after the server was left, the new value of the file is not a change by another
// program.
func TestTypedOnWhileSavingAndLeft(t *testing.T) {
	for _, second := range []string{"", "20"} { // the second value is refused
		b := open(t, four, wide)
		held := b.holdEdits()
		f := &b.setup.form
		b.enter(f.startup.input, "10")
		b.leave()
		if second != "" {
			b.enter(f.startup.input, second)
			b.Settle()
		}
		b.enter(f.startup.input, "ten")
		b.visit("git")
		(*held)[0](nil)
		for _, end := range (*held)[1:] {
			end(errors.New("the disk is full"))
		}
		if !strings.Contains(b.file(), `"startupTimeout": 10}`) {
			t.Fatalf("the file is\n%s", b.file())
		}
		b.visit("files")
		b.reads("<ten>")
		b.lacks("This was changed while")
	}
}

// If one argument was saved and the next, saved after it, was refused, the first is not written twice.
func TestArgumentsSentTwiceAndLeft(t *testing.T) {
	for next, saved := range map[string][]string{"--more": {"a", "b", "c", "d", "--verbose", "--more"},
		"${X": {"a", "b", "c", "d", "--verbose"}} {
		b := open(t, four, wide)
		end := b.slow()
		f := &b.setup.form
		b.tap("Add argument")
		b.enter(f.arguments.rows[4].input, "--verbose")
		b.leave()
		b.tap("Add argument")
		b.enter(f.arguments.rows[5].input, next)
		b.visit("git")
		for end() {
		}
		if want := strings.Count(next, "${"); len(b.log) != want {
			t.Fatalf("the actions are %q", b.log)
		}
		b.visit("files")
		for end() {
		}
		shown, got := b.args(t)
		if want := []string{"a", "b", "c", "d", "--verbose", next}; !slices.Equal(shown, want) || !slices.Equal(got, saved) {
			t.Errorf("with %s, the form shows %q and the file has %q", next, shown, got)
		}
		b.lacks("while you were editing")
	}
}

// A variable that is renamed during a save is still the same variable, even if the new name cannot be saved.
func TestVariableIsNamedOnWhileSavingAndLeft(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	f := &b.setup.form
	b.tap("Add a key or value")
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
	b.reads("There is a value of that name already.")
	if len(f.env.rows) != 4 {
		t.Errorf("there are %d variables:\n%s", len(f.env.rows), b.texts())
	}
}

// The user is not asked about text that is being saved, even if it is an empty list.
func TestOnItsWay(t *testing.T) {
	b := open(t, strings.Replace(four, `["a", "b", "c", "d"]`, `["a"]`, 1), wide)
	next := b.slow()
	b.setup.form.arguments.rows[0].remove.OnTapped()
	b.leave()
	b.asks("", 0)
	b.visit("git")
	b.asks("", 0)
	next()
	if strings.Contains(b.file(), `"a"`) {
		t.Errorf("the file is\n%s", b.file())
	}
}

// A save that ends late does not affect text that was typed after the server was shown again.
func TestSavingEndsInALaterVisit(t *testing.T) {
	b := open(t, four, wide)
	var ends []func(error)
	b.fake.saves = func(base *config.Document, _ []edit.Op, done func(error)) { ends = append(ends, done) }
	f := &b.setup.form
	b.enter(f.command.input, "first")
	b.leave()
	b.visit("git")
	b.visit("files")
	b.enter(f.command.input, "second")
	b.leave()
	ends[0](nil) // the first save, although the file does not have it
	ends[1](errors.New("the disk is full"))
	b.reads("<second>", "Not saved: The disk is full")
	b.asks("files", model.TabSetup)
}

// A server that is renamed during a save is still the same server: errors are shown there, and its text is still
// saved.
func TestRenamedWhileSaving(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	f := &b.setup.form
	b.enter(f.command.input, "node")
	b.leave()
	b.tap("Rename")
	b.header.name.Field.SetText("papers")
	b.header.name.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	next() // fails, because "files" no longer exists
	b.reads("<node>")
	next()
	if b.file() != strings.NewReplacer(`"files"`, `"papers"`, `"npx"`, `"node"`).Replace(four) {
		t.Errorf("the file is\n%s", b.file())
	}
	b.lacks("Not saved")
	b.asks("", 0)
}

// If text is saved twice and the second save fails, the user is told.
func TestSentTwice(t *testing.T) {
	b := open(t, four, wide)
	held := b.holdEdits()
	f := &b.setup.form
	b.enter(f.call.input, "5")
	b.leave()
	b.enter(f.call.input, "50")
	b.leave()
	b.Settle()
	b.asks("", 0)
	if len(*held) != 2 {
		t.Fatalf("there were %d saves", len(*held))
	}
	(*held)[0](nil)
	b.lacks("while you were editing")
	(*held)[1](errors.New("the disk is full"))
	b.reads("<50>", "Not saved: The disk is full")
	b.asks("files", model.TabSetup)
}

// While a secret is being stored in the keychain, it does not get into the file, even if another server is shown.
func TestKeychainAnswersAfterLeaving(t *testing.T) {
	for name, back := range map[string]bool{"another is shown": false, "it is shown again": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, four, wide)
			var answer func()
			b.fake.keepSecret = func(_, value string, done func(string, error)) {
				answer = func() { done("KEPT", nil) }
			}
			f := &b.setup.form
			b.tap("Add a key or value")
			b.enter(f.env.rows[3].nameInput, "TOKEN")
			b.enter(f.env.rows[3].valueInput, "sesame-open-1234567")
			f.env.rows[3].stays.OnChanged(false)
			b.leave()
			b.visit("git")
			b.asks("files", model.TabSetup)
			if back {
				b.visit("files")
			}
			b.settle()
			answer()
			b.visit("files")
			b.leave()
			if got := b.file(); strings.Contains(got, "sesame") || !strings.Contains(got, `"TOKEN": "${keyring:KEPT}"`) {
				t.Errorf("the file is\n%s", got)
			}
			b.asks("", 0)
		})
	}
}

// A path chosen for one server is not written into another.
func TestPathIsChosenAfterLeaving(t *testing.T) {
	b := open(t, four, wide)
	var choose func(string)
	b.fake.pickFolder = func(done func(string)) { choose = done }
	b.setup = newSetup(b.Screen)
	b.setup.apply(NewView(Source{At: model.Choice{Toolbox: "dev", Server: "files"}, Now: b.store.Current()}))
	b.setup.picker("Choose", b.fake.PickFolder, func() *textField {
		return b.setup.form.cwd
	}).(*kit.Button).OnTapped()
	b.setup.forget()
	b.setup.apply(NewView(Source{At: model.Choice{Toolbox: "dev", Server: "git"}, Now: b.store.Current()}))
	choose("/tmp")
	b.settle()
	if b.file() != four || len(b.log) != 1 || b.log[0] != "not saved dev/files" {
		t.Errorf("the actions are %q, and the file is\n%s", b.log, b.file())
	}
}

// A change that is being saved while the screen is made again, as for another language, does not clash with itself.
func TestSavedIntoAnotherScreen(t *testing.T) {
	b := open(t, four, wide)
	next := b.slow()
	f := &b.setup.form
	b.enter(f.command.input, "node")
	b.enter(f.env.rows[0].valueInput, "11")
	b.leave()
	b.enter(f.startup.input, "ten")
	b.leave()
	old := b.Screen
	save := b.fake.saves
	b.Screen = New(b.fake, Slots{Tools: container.NewStack(b.tools)}, old.drafts, old.kept)
	b.fake.saves = save
	old.Close()
	b.window.SetContent(b.Object())
	b.apply()
	b.reads("<node>", "<11>", "<ten>")
	for next() {
	}
	b.reads("<node>", "<11>", "<ten>")
	b.lacks("while you were editing", "Not saved")
	if want := strings.NewReplacer(`"npx"`, `"node"`, `"ONE": "1"`, `"ONE": "11"`).Replace(four); b.file() != want {
		t.Errorf("the file is\n%s", b.file())
	}
}

// An undo waits until what was typed before is being saved.
func TestCommittedBeforeAnUndo(t *testing.T) {
	b := open(t, four, wide)
	var order []string
	save := b.fake.saves
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		order = append(order, "save")
		save(base, ops, done)
	}
	undo := func() { order = append(order, "undo") }
	b.Committed(undo) // nothing is typed
	b.hold = true
	b.enter(b.setup.form.command.input, "node")
	b.Committed(undo)
	if !slices.Equal(order, []string{"undo"}) {
		t.Fatalf("before the text is checked, the order is %q", order)
	}
	b.answer()
	b.settle()
	if !slices.Equal(order, []string{"undo", "save", "undo"}) {
		t.Errorf("the order is %q", order)
	}
	b.enter(b.setup.form.startup.input, "ten") // cannot be saved
	b.Committed(undo)
	b.answer()
	if len(order) != 4 {
		t.Errorf("with text that cannot be saved, the order is %q", order)
	}
}
