package editor

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Half-typed text must not get into the file, because the file's commands are run. It must not get there after any
// time, nor while another program is in front.
func TestNothingHalfTypedIsApplied(t *testing.T) {
	for name, at := range map[string]func(b *bench, f *form) *kit.SecretInput{
		"command":  func(_ *bench, f *form) *kit.SecretInput { return f.command.input },
		"argument": func(_ *bench, f *form) *kit.SecretInput { return f.arguments.rows[1].input },
		"new argument": func(b *bench, f *form) *kit.SecretInput {
			b.tap("Add argument")
			return f.arguments.rows[3].input
		},
		"folder": func(_ *bench, f *form) *kit.SecretInput { return f.cwd.input },
		"value":  func(_ *bench, f *form) *kit.SecretInput { return f.env.rows[0].valueInput },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			input := at(b, &b.setup.form)
			b.lacks("Not applied yet")
			b.focus(input)
			for _, letter := range "@scope/package" {
				input.TypedRune(letter)
				b.pass(time.Minute)
				b.reads("Not applied yet", "[Apply]", "[Discard]")
			}
			input.FocusLost() // Fyne calls this when another program comes to the front
			b.pass(time.Minute)
			input.FocusGained()
			if len(b.edits) > 0 || b.file() != plain {
				t.Fatalf("half-typed text is in the file:\n%s", b.file())
			}
			input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			b.settle()
			if len(b.edits) != 1 {
				t.Errorf("Enter applies the text %d times", len(b.edits))
			}
			b.lacks("Not applied yet")
		})
	}
}

// An empty new row stays while the user copies something from another program.
func TestANewRowWaitsForWhatIsCopied(t *testing.T) {
	b := open(t, plain, wide)
	a := b.setup.form.arguments
	b.tap("Add argument")
	a.rows[3].input.FocusLost()
	b.settle()
	if len(a.rows) != 4 {
		t.Error("the row is gone")
	}
	b.leave()
	if len(a.rows) != 3 {
		t.Error("the empty row is still there")
	}
}

// Discard and Esc restore what the file has. A click on Discard takes the focus from the field first, which must not
// apply the text.
func TestDiscard(t *testing.T) {
	for name, do := range map[string]func(b *bench){
		"a click": func(b *bench) {
			b.window.Canvas().Unfocus()
			b.settle()
			b.tap("Discard")
		},
		"Esc in the field": func(b *bench) { b.setup.form.command.input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) },
		"Esc elsewhere": func(b *bench) {
			if !b.Escape() {
				b.t.Error("Esc has nothing to discard")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			b.enter(b.setup.form.command.input, "node")
			do(b)
			b.pass(time.Second)
			b.reads("<npx>")
			b.lacks("Not applied yet")
			if len(b.edits) > 0 || b.file() != plain {
				t.Errorf("the file is\n%s", b.file())
			}
			if b.Escape() {
				t.Error("there is still something to discard")
			}
		})
	}
}

// The action of a button comes before the text is applied. Fyne takes the focus from the field when the mouse button
// is pressed, and calls the function of the button when it is released.
func TestAPressedButtonComesFirst(t *testing.T) {
	for name, c := range map[string]struct {
		types func(b *bench, f *form)
		click func(b *bench, f *form)
		want  func(file string) bool
	}{
		"keychain": {
			func(b *bench, f *form) {
				b.tap("Add a key or value")
				b.enter(f.env.rows[2].nameInput, "API_TOKEN")
				b.enter(f.env.rows[2].valueInput, "super-secret-value-123")
			},
			func(b *bench, f *form) { f.env.rows[2].stays.OnChanged(false) },
			func(file string) bool { return strings.Contains(file, `"${keyring:API_TOKEN}"`) },
		},
		"split": {
			func(b *bench, f *form) { b.enter(f.command.input, "npx -y some-server") },
			func(b *bench, f *form) { b.tap("Split into command and arguments") },
			func(file string) bool { return strings.Contains(file, `"some-server"`) },
		},
		"remove": {
			func(b *bench, f *form) { b.enter(f.arguments.rows[1].input, "half") },
			func(b *bench, f *form) { f.arguments.rows[1].remove.OnTapped(); b.leave() },
			func(file string) bool { return !strings.Contains(file, "server-filesystem") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			c.types(b, &b.setup.form)
			b.press()
			if b.file() != plain {
				t.Fatalf("applied before the button was clicked:\n%s", b.file())
			}
			c.click(b, &b.setup.form)
			b.pass(time.Second)
			if len(b.edits) != 1 || !c.want(b.file()) {
				t.Errorf("%d edits; the file is\n%s", len(b.edits), b.file())
			}
		})
	}
}

// Going to another field of the same server applies nothing. When the focus leaves the form, everything is applied in
// one edit.
func TestOneServerIsAppliedAtOnce(t *testing.T) {
	for name, leave := range map[string]func(b *bench){
		"left":   func(b *bench) { b.leave() },
		"Tab":    func(b *bench) { b.window.Canvas().Focus(b.tabs); b.settle() },
		"Enter":  func(b *bench) { b.setup.form.arguments.rows[1].input.OnSubmitted("") },
		"Apply":  func(b *bench) { b.tap("Apply") },
		"Ctrl+S": func(b *bench) { b.Commit() },
		"a tab":  func(b *bench) { b.Choose(model.TabLog) },
		"server": func(b *bench) { b.visit("git") },
		"quit":   func(b *bench) { b.Settle() },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			f := &b.setup.form
			b.enter(f.command.input, "uvx")
			for b.window.Canvas().Focused() != f.arguments.rows[0].input.Input {
				b.window.Canvas().FocusNext() // the focus passes buttons of the form, too
				b.pass(time.Second)
			}
			b.press()
			b.enter(f.env.rows[0].valueInput, "debug") // with the mouse
			b.pass(time.Second)
			b.enter(f.arguments.rows[1].input, "other")
			b.pass(time.Second)
			b.reads("Not applied yet", "[Apply]", "[Discard]")
			if len(b.edits) > 0 || b.file() != plain {
				t.Fatalf("the text is in the file before the focus has left the form:\n%s", b.file())
			}
			leave(b)
			want := strings.NewReplacer(`"npx"`, `"uvx"`, `"server-filesystem"`, `"other"`, `"info"`, `"debug"`).Replace(plain)
			if len(b.edits) != 1 || b.file() != want {
				t.Errorf("%d edits; the file is\n%s", len(b.edits), b.file())
			}
		})
	}
}

// Moving the focus to Discard, or a dialog over the window, does not apply text.
func TestNotLeftYet(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "half")
	dialog := kit.NewQuestion("A question", 200, kit.NewGap(1, 1), b.window)
	dialog.Show()
	b.pass(time.Minute)
	dialog.Hide()
	b.pass(time.Second)
	b.reads("Not applied yet")
	b.window.Canvas().Focus(b.setup.bar.Discard)
	b.pass(time.Second)
	if len(b.edits) > 0 {
		t.Errorf("the file is\n%s", b.file())
	}
	b.tap("Discard")
	b.leave()
	b.reads("<npx>")
	if len(b.edits) > 0 {
		t.Errorf("the file is\n%s", b.file())
	}
}

// The keyboard can reach the box for the keychain before the value is in the file.
func TestTabToTheKeychain(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	b.tap("Add a key or value")
	b.enter(f.env.rows[2].nameInput, "API_TOKEN")
	b.enter(f.env.rows[2].valueInput, "super-secret-value-123")
	b.window.Canvas().Focus(f.env.rows[2].stays)
	b.pass(time.Second)
	if b.file() != plain {
		t.Errorf("the file is\n%s", b.file())
	}
	if f.env.rows[2].stays.Checked {
		t.Error("the box is not ticked")
	}
	f.env.rows[2].stays.OnChanged(true)
	b.leave()
	b.has(plain, `"TOKEN": "sesame-open-1234567"`, `"TOKEN": "sesame-open-1234567",
            "API_TOKEN": "super-secret-value-123"`)
}

// Ctrl+S applies the text while the box for the keychain has the focus.
func TestCommitAtTheTick(t *testing.T) {
	b := open(t, plain, wide)
	row := b.setup.form.env.rows[1]
	b.enter(row.valueInput, "super-secret-value-123")
	b.window.Canvas().Focus(row.stays)
	b.pass(time.Second)
	if b.file() != plain {
		t.Errorf("the file is\n%s", b.file())
	}
	b.Commit()
	b.has(plain, `"sesame-open-1234567"`, `"${keyring:TOKEN}"`)
}

// While the keychain is asked, the row is locked, because another value typed meanwhile would get into the file
// unprotected.
func TestNothingIsTypedWhileTheKeychainAsks(t *testing.T) {
	b := open(t, plain, wide)
	var answer func()
	b.fake.keepSecret = func(_, _ string, done func(string, error)) { answer = func() { done("KEPT", nil) } }
	row := b.setup.form.env.rows[1]
	b.enter(row.valueInput, "super-secret-value-123")
	b.Commit()
	b.reads("Asking your keychain…")
	if !row.nameInput.Disabled() || !row.valueInput.Disabled() {
		t.Error("the row can be changed")
	}
	b.leave()
	if b.file() != plain {
		t.Errorf("the file is\n%s", b.file())
	}
	answer()
	b.leave()
	b.has(plain, `"sesame-open-1234567"`, `"${keyring:KEPT}"`)
	if row.nameInput.Disabled() || row.valueInput.Disabled() {
		t.Error("the row cannot be changed any more")
	}
}

// Text that is left by clicking another server is applied to its own server.
func TestLeftForAnotherServer(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "node")
	b.window.Canvas().Unfocus()
	b.settle()
	b.goTo("git")
	b.enter(b.setup.form.command.input, "half")
	b.pass(time.Second)
	b.has(plain, `"npx"`, `"node"`)
}

// Esc does not discard text that clashes with another program's change, because Esc is also used to close other
// things.
func TestEscapeLeavesWhatClashes(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "mine")
	b.other(`"npx"`, `"theirs"`)
	b.leave()
	b.Escape()
	b.reads("Use my change")
}

// Apply and Ctrl+S ask again about text that clashes, after the question was closed.
func TestApplyAsksAgain(t *testing.T) {
	for name, apply := range map[string]func(b *bench){
		"Apply":  func(b *bench) { b.tap("Apply") },
		"Ctrl+S": func(b *bench) { b.Insist() },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			b.enter(b.setup.form.command.input, "mine")
			b.other(`"npx"`, `"theirs"`)
			b.leave()
			asked := len(b.edits)
			apply(b)
			if len(b.edits) != asked+1 {
				t.Errorf("%d edits after %d", len(b.edits), asked)
			}
			b.reads("Use my change")

			b = open(t, noSecrets, wide)
			b.Choose(model.TabJSON)
			b.retype("npx", "mine")
			b.other(`"npx"`, `"theirs"`)
			b.leave()
			asked = len(b.edits)
			apply(b)
			if len(b.edits) != asked+1 {
				t.Errorf("JSON: %d edits after %d", len(b.edits), asked)
			}
		})
	}
}

// Apply moves the focus to text that cannot be applied, which may be out of view.
func TestApplyShowsWhatIsWrong(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	for input, wrong := range map[*kit.SecretInput]string{f.call.input: "ten", f.env.rows[0].nameInput: "TOKEN"} {
		b.enter(input, wrong)
		b.window.Canvas().Unfocus()
		b.tap("Apply")
		if b.window.Canvas().Focused() != fyne.Focusable(input.Input) {
			t.Errorf("%s: the focus is on %v", wrong, b.window.Canvas().Focused())
		}
		b.tap("Discard")
	}
}

// Apply also applies text that could not be applied when its field was left.
func TestApply(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "node")
	b.tap("Apply")
	b.has(plain, `"npx"`, `"node"`)
	b.lacks("Not applied yet")
}

// Esc in a new argument empties its row. The row keeps the focus, so that what is typed next gets there.
func TestEscapeInANewArgument(t *testing.T) {
	b := open(t, plain, wide)
	a := b.setup.form.arguments
	b.tap("Add argument")
	row := a.rows[len(a.rows)-1]
	b.typed(row.input, "--half")
	row.input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.settle()
	b.lacks("Not applied yet", "--half")
	if b.window.Canvas().Focused() != fyne.Focusable(row.input.Input) {
		t.Fatalf("the focus is on %T", b.window.Canvas().Focused())
	}
	b.typed(row.input, "--whole")
	row.input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	if got := entryOf(t, b, "dev", "files").Args; len(got) != 4 || got[3] != "--whole" {
		t.Errorf("the arguments are %q", got)
	}
}

// The fields below the command stay where they are while its program is looked for, also when something that matters
// to the search has changed.
func TestFieldsStayWhileTheProgramIsLookedFor(t *testing.T) {
	b := open(t, plain, wide)
	place := func() float32 { // below the command, since the page may scroll
		driver := fyne.CurrentApp().Driver()
		return driver.AbsolutePositionForObject(b.setup.form.arguments.box).Y - driver.AbsolutePositionForObject(b.setup.form.command.box).Y
	}
	found := place()
	var answers []func()
	b.fake.lookPath = func(server config.Server, done func(string, error)) {
		answers = append(answers, func() { b.fake.found(server, done); b.settle() })
	}
	stays := func(what string) {
		t.Helper()
		if now := place(); now != found {
			t.Errorf("%s, the arguments are at %v and not at %v", what, now, found)
		}
		if len(answers) != 1 {
			t.Fatalf("%s, the program is looked for %d times", what, len(answers))
		}
		answers[0]()
		answers = nil
		if now := place(); now != found {
			t.Errorf("%s, the arguments are at %v and not at %v when the program is found", what, now, found)
		}
	}
	b.enter(b.setup.form.cwd.input, "x")
	stays("with another folder")
	b.server = "git"
	b.apply()
	b.reads("Looking for the program…")
	stays("for another server")
	b.reads("Found: /usr/bin/uvx")
}
