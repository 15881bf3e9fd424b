package editor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// remote returns a screen that shows the server with a web address.
func remote(t *testing.T) *bench {
	b := open(t, plain, wide)
	b.toolbox, b.server = "prod", "remote"
	b.apply()
	return b
}

// The form shows what the file has.
func TestFileToForm(t *testing.T) {
	b := open(t, strings.Replace(plain, `"command": "npx",`,
		`"command": "npx", "cwd": "/tmp", "startupTimeout": 30, "callTimeout": 1.5, "toolFilters": ["a", "b"], "disabled": true,`, 1), wide)
	f := &b.setup.form
	for name, pair := range map[string][2]string{
		"command": {f.command.input.Text, "npx"}, "folder": {f.cwd.input.Text, "/tmp"},
		"start": {f.startup.input.Text, "30"}, "call": {f.call.input.Text, "1.5"},
		"first argument": {f.arguments.rows[0].input.Text, "-y"},
		"third argument": {f.arguments.rows[2].input.Text, "${HOME}"},
		"variable":       {f.env.rows[0].nameInput.Text, "LEVEL"}, "value": {f.env.rows[0].valueInput.Text, "info"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
	if f.kind.choice.Chosen() != kindProgram || f.switchOf("disabled").On() {
		t.Error("the kind or the switch is wrong")
	}
	b.reads("Found: /usr/bin/npx")
	b.lacks("“HOME” has no value")

	b.toolbox, b.server = "prod", "remote"
	b.apply()
	if f.kind.choice.Chosen() != kindAddress || f.url.input.Text != "https://example.com/mcp" ||
		f.headers.rows[0].nameInput.Text != "X-Team" || len(f.env.rows) != 0 {
		t.Errorf("the remote server is shown as\n%s", b.texts())
	}
	b.lacks("<npx>", "server-filesystem")
}

// Typing changes the bytes of its value in the file and no others.
func TestFormToFile(t *testing.T) {
	for name, c := range map[string]struct {
		do       func(b *bench, f *form)
		old, new string
	}{
		"command": {func(b *bench, f *form) { b.enter(f.command.input, "node"); b.leave() }, `"npx"`, `"node"`},
		"command, Enter": {func(b *bench, f *form) {
			b.enter(f.command.input, "node")
			f.command.input.OnSubmitted("")
		}, `"npx"`, `"node"`},
		"command, a file": {func(b *bench, f *form) { b.tap("Choose a file") }, `"npx"`, `"/opt/node"`},
		"folder":          {func(b *bench, f *form) { b.tap("Choose a folder") }, `"${HOME}"`, `"/home/me/work"`},
		"folder to start in": {func(b *bench, f *form) {
			b.enter(f.cwd.input, "/home/me/work")
			b.leave()
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"cwd\": \"/home/me/work\""},
		"argument": {func(b *bench, f *form) {
			b.enter(f.arguments.rows[1].input, "other")
			b.leave()
		}, `"server-filesystem"`, `"other"`},
		"remove an argument": {func(b *bench, f *form) {
			f.arguments.remove(f.arguments.rows[1])
		}, "\n            \"server-filesystem\",", ""},
		"add an argument": {func(b *bench, f *form) {
			b.tap("Add argument")
			b.typed(f.arguments.rows[3].input, "--all")
			b.leave()
		}, `"${HOME}"`, "\"${HOME}\",\n            \"--all\""},
		"several arguments": {func(b *bench, f *form) {
			b.tap("Add argument")
			clipboard := test.NewClipboard()
			clipboard.SetContent("--a\r\n\n--b c\n")
			f.arguments.rows[3].input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
			b.leave()
		}, `"${HOME}"`, "\"${HOME}\",\n            \"--a\",\n            \"--b c\""},
		"value": {func(b *bench, f *form) {
			b.enter(f.env.rows[0].valueInput, "de\"bug")
			b.leave()
		}, `"info"`, `"de\"bug"`},
		"name": {func(b *bench, f *form) {
			b.enter(f.env.rows[0].nameInput, "LOG_LEVEL")
			b.leave()
		}, `"LEVEL"`, `"LOG_LEVEL"`},
		"secret": {func(b *bench, f *form) {
			b.enter(f.env.rows[1].valueInput, "another-secret-99")
			b.leave()
			if b.keychain["TOKEN"] != "another-secret-99" {
				b.t.Error("the keychain does not have the secret")
			}
		}, `"sesame-open-1234567"`, `"${keyring:TOKEN}"`},
		"a new variable": {func(b *bench, f *form) {
			b.tap("Add a key or value")
			b.enter(f.env.rows[2].nameInput, "PORT")
			b.enter(f.env.rows[2].valueInput, "80")
			b.leave()
		}, `"sesame-open-1234567"`, "\"sesame-open-1234567\",\n            \"PORT\": \"80\""},
		"remove a variable": {func(b *bench, f *form) {
			f.env.remove(f.env.rows[0])
		}, "\n            \"LEVEL\": \"info\", // or debug", ""},
		"time to start": {func(b *bench, f *form) {
			b.enter(f.startup.input, "30")
			b.leave()
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"startupTimeout\": 30"},
		"time for a call": {func(b *bench, f *form) {
			b.enter(f.call.input, "1.50")
			b.leave()
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"callTimeout\": 1.50"},
		"switched off": {func(b *bench, f *form) {
			f.switchOf("disabled").OnChanged(false)
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"disabled\": true"},
		"asks first": {func(b *bench, f *form) {
			f.switchOf("askFirst").OnChanged(true)
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"askFirst\": true"},
		"everything inherited": {func(b *bench, f *form) {
			f.switchOf("inheritEnv").OnChanged(true)
		}, "\"TOKEN\": \"sesame-open-1234567\"\n          }",
			"\"TOKEN\": \"sesame-open-1234567\"\n          },\n          \"inheritEnv\": true"},
		"keep a secret": {func(b *bench, f *form) {
			f.env.rows[1].stays.OnChanged(false)
			if b.keychain["TOKEN"] != "sesame-open-1234567" {
				b.t.Error("the keychain does not have the secret")
			}
		}, `"sesame-open-1234567"`, `"${keyring:TOKEN}"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			c.do(b, &b.setup.form)
			b.leave()
			b.has(plain, c.old, c.new)
			if b.Unsaved() {
				t.Error("the screen still has unsaved text")
			}
			b.lacks("Not saved", "This was changed while")
		})
	}
}

func TestRemoteFormToFile(t *testing.T) {
	const entry = `"url": "https://example.com/mcp", "headers": {"X-Team": "blue"}`
	for name, c := range map[string]struct {
		do  func(b *bench, f *form)
		new string
	}{
		"address": {func(b *bench, f *form) {
			b.enter(f.url.input, "https://example.com/x")
			b.leave()
		}, `"url": "https://example.com/x", "headers": {"X-Team": "blue"}`},
		"header": {func(b *bench, f *form) {
			b.enter(f.headers.rows[0].valueInput, "red")
			b.leave()
		}, `"url": "https://example.com/mcp", "headers": {"X-Team": "red"}`},
		"transport": {func(b *bench, f *form) {
			f.transport.OnChosen(1)
		}, `"transport": "sse", "url": "https://example.com/mcp", "headers": {"X-Team": "blue"}`},
		"a program": {func(b *bench, f *form) {
			f.kind.choice.OnChosen(kindProgram)
			f.kind.choice.Follow(kindProgram)
			b.setup.check()
			b.reads("What you fill in replaces what is in the file now")
			b.enter(f.command.input, "npx")
			b.leave()
		}, `"command": "npx"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := remote(t)
			c.do(b, &b.setup.form)
			b.settle()
			b.has(plain, entry, c.new)
		})
	}
}

// A program becomes a web address when the address is filled in. Then all fields of the program are removed.
func TestKind(t *testing.T) {
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {"type": "stdio", "command": "npx", "args": ["x"], "env": {"A": "b"}, "cwd": "/", "callTimeout": 3}}}}}`, narrow)
	before := b.file()
	f := &b.setup.form
	f.kind.choice.Tapped(&fyne.PointEvent{Position: fyne.NewPos(300, 5)})
	b.settle()
	b.lacks("<npx>")
	b.settle()
	if b.file() != before {
		t.Errorf("after choosing another kind, the file is\n%s", b.file())
	}
	f.kind.choice.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	b.reads("<npx>", "<x>")
	f.kind.choice.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.enter(f.url.input, "no address")
	b.leave()
	if b.file() != before {
		t.Errorf("after typing a wrong address, the file is\n%s", b.file())
	}
	b.reads("is no address of a server")
	b.enter(f.url.input, "https://example.com/mcp")
	b.leave()
	if got, want := b.file(), `{"toolboxes": {"dev": {"mcpServers": {"files": {"url": "https://example.com/mcp", "callTimeout": 3}}}}}`; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	b.lacks("What you fill in replaces")
}

// Arguments can be moved with buttons and keys.
func TestMoveArguments(t *testing.T) {
	b := open(t, plain, wide)
	a := b.setup.form.arguments
	b.focus(a.rows[2].input)
	a.rows[2].input.OnMove(-1)
	b.pass(time.Second)
	if b.file() != plain {
		t.Error("the list is applied while it has the focus")
	}
	b.Commit() // Ctrl+S
	b.has(plain, "            \"-y\", // don't ask\n            \"server-filesystem\",\n            \"${HOME}\"\n",
		"            \"-y\", // don't ask\n            \"${HOME}\",\n            \"server-filesystem\"\n")
	if b.window.Canvas().Focused() != a.rows[1].input.Input || a.rows[1].text != "${HOME}" {
		t.Error("the focus does not stay with the moved argument")
	}
	if !a.rows[0].up.Disabled() || !a.rows[2].down.Disabled() || a.rows[1].up.Disabled() {
		t.Error("the wrong buttons are enabled")
	}
	a.rows[0].input.OnMove(-1) // this argument is the first one already
}

// A wrong value stays in its field with the reason, and the file is not changed.
func TestWrongValuesAreNotSaved(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(b *bench, f *form)
		says string
	}{
		"no command":       {func(b *bench, f *form) { b.enter(f.command.input, "") }, `“Command” is empty`},
		"no number":        {func(b *bench, f *form) { b.enter(f.startup.input, "ten") }, "Write a number of seconds"},
		"negative":         {func(b *bench, f *form) { b.enter(f.startup.input, "-1") }, "Write a number of seconds"},
		"too long a time":  {func(b *bench, f *form) { b.enter(f.startup.input, "1e30") }, "longer than a year"},
		"flawed reference": {func(b *bench, f *form) { b.enter(f.arguments.rows[1].input, "${HOME") }, `is not closed by`},
		"flawed value": {func(b *bench, f *form) {
			b.enter(f.env.rows[0].valueInput, "${input:x}")
		}, "is for another program"},
		"no name":    {func(b *bench, f *form) { b.enter(f.env.rows[0].nameInput, "") }, "Write its name."},
		"wrong name": {func(b *bench, f *form) { b.enter(f.env.rows[0].nameInput, "A=B") }, "cannot have"},
		"the same name": {func(b *bench, f *form) {
			b.enter(f.env.rows[0].nameInput, "TOKEN")
		}, "There is a value of that name already."},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			c.do(b, &b.setup.form)
			b.reads(c.says)
			b.leave()
			b.settle()
			if b.file() != plain {
				t.Errorf("the file is\n%s", b.file())
			}
			b.reads(c.says)
			if !b.Unsaved() {
				t.Error("the wrong value counts as saved")
			}
			if len(b.edits) > 0 {
				t.Error("the wrong value was sent to be saved")
			}
		})
	}
}

// One click applies a fix, even to text that is only typed and not saved yet.
func TestFixes(t *testing.T) {
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {
  "command": "npx ", // mine
  "args": ["-y", 5],
  "headers": {"X": "y"},
  "startupTimeout": "10"
}}}}}`, wide)
	b.reads("“To start” must be a number") // the label of the form, not the key of the file
	b.lacks("startupTimeout")
	b.tap("Remove the space")
	b.tap("Put it into double quotes")
	b.tap("Remove the quotes")
	b.tap("Remove")
	if got, want := b.file(), `{"toolboxes": {"dev": {"mcpServers": {"files": {
  "command": "npx", // mine
  "args": ["-y", "5"],
  "startupTimeout": 10
}}}}}`; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	f := &b.setup.form
	if f.startup.input.Text != "10" || f.command.input.Text != "npx" {
		t.Error("the fields do not show the fix")
	}
	b.enter(f.command.input, " node")
	b.tap("Remove the space")
	if !strings.Contains(b.file(), `"command": "node", // mine`) || f.command.input.Text != "node" {
		t.Errorf("after a fix of typed text, the field has %q and the file is\n%s", f.command.input.Text, b.file())
	}
	b.lacks("This was changed while")
}

// A command line that was typed or pasted can be split. Existing arguments come after the new ones.
func TestSplitCommandLine(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	clipboard := test.NewClipboard()
	clipboard.SetContent("docker run -i \\\n  --rm 'mcp/time zone'\n")
	b.focus(f.command.input)
	f.command.input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	b.settle()
	b.tap("Split into command and arguments")
	server := entryOf(t, b, "dev", "files")
	if got := strings.Join(append([]string{server.Command}, server.Args...),
		"|"); got != "docker|run|-i|--rm|mcp/time zone|-y|server-filesystem|${HOME}" {
		t.Errorf("the command line is split into %s", got)
	}
	if f.command.input.Text != "docker" || len(f.arguments.rows) != 7 {
		t.Errorf("the form has %q and %d arguments", f.command.input.Text, len(f.arguments.rows))
	}
	b.lacks("This was changed while", "whole command line")
}

func entryOf(t *testing.T, b *bench, toolbox, server string) *config.Server {
	t.Helper()
	tb, ok := b.store.Current().Config.Toolbox(toolbox)
	if !ok {
		t.Fatalf("no toolbox %q", toolbox)
	}
	s, ok := tb.Server(server)
	if !ok {
		t.Fatalf("no server %q", server)
	}
	return s
}

// A check that ends late does not apply to newer text. Text that waits for a check is saved when the check ends.
func TestLateChecks(t *testing.T) {
	b := open(t, plain, wide)
	b.hold = true
	f := &b.setup.form
	b.enter(f.command.input, "no")
	b.typed(f.command.input, "de")
	b.leave()
	if b.file() != plain {
		t.Fatal("the text is saved before it is checked")
	}
	for _, answer := range b.held {
		answer()
	}
	b.has(plain, `"npx"`, `"node"`)
	if len(b.edits) != 1 {
		t.Errorf("%d edits", len(b.edits))
	}
}

// Text is not lost if another server is shown before the text is checked, or while earlier text is being saved.
func TestTypedBeforeAnotherServerIsShown(t *testing.T) {
	b := open(t, plain, wide)
	b.hold = true
	b.enter(b.setup.form.command.input, "node")
	b.server = "other"
	b.apply()
	b.has(plain, `"npx"`, `"node"`)

	b = open(t, plain, wide)
	edits := b.fake.saves
	var saves []func()
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		saves = append(saves, func() { edits(base, ops, done) })
	}
	b.enter(b.setup.form.command.input, "no")
	b.leave()
	b.enter(b.setup.form.command.input, "node")
	b.leave()
	b.server = "other"
	b.apply()
	for len(saves) > 0 { // in their order, as the window does
		next := saves[0]
		saves = saves[1:]
		next()
	}
	b.has(plain, `"npx"`, `"node"`)
	if len(b.log) > 0 {
		t.Errorf("the actions are %q", b.log)
	}

	// If saving fails then, the user is told.
	b = open(t, plain, wide)
	b.hold = true
	b.fake.saves = func(base *config.Document, _ []edit.Op, done func(error)) { done(errors.New("the disk is full")) }
	done := b.fake.saves
	var refused func()
	b.fake.saves = func(base *config.Document, ops []edit.Op, end func(error)) {
		refused = func() { done(base, ops, end) }
	}
	b.enter(b.setup.form.command.input, "node")
	b.server = "other"
	b.apply()
	refused()
	if len(b.log) != 1 || b.log[0] != "not saved dev/files" {
		t.Errorf("the actions are %q", b.log)
	}
}

// A missing program is described in the same words before and after saving, so that the text does not change.
func TestMissingProgram(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "nope")
	b.reads("“nope” was not found on this computer.", "Install it, or write its full path.")
	b.lacks("PATH")
}

// Text that the store refuses stays in its field.
func TestRefusedBySaving(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	refuse := true
	edits := b.fake.saves
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		if refuse {
			done(errors.New("the disk is full"))
			return
		}
		edits(base, ops, done)
	}
	b.enter(f.command.input, "node")
	b.leave()
	b.reads("Not saved: The disk is full", "<node>")
	refuse = false
	b.tap("Try again")
	b.has(plain, `"npx"`, `"node"`)
	b.lacks("Not saved")

	refuse = true
	b.enter(f.env.rows[0].valueInput, "warn")
	b.leave()
	b.reads("Not saved")
	b.tap("Discard my changes")
	b.lacks("Not saved", "<warn>")
}

// Showing another entry saves the typed text, and never shows it in the other entry.
func TestAnotherEntry(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "node")
	b.server = "git"
	b.apply()
	b.has(plain, `"npx"`, `"node"`)
	if got := b.setup.form.command.input.Text; got != "uvx" {
		t.Errorf("the command of the other entry is %q", got)
	}
	if len(b.setup.form.env.rows) != 0 || len(b.setup.form.arguments.rows) != 1 {
		t.Error("the other entry has rows of the first")
	}
}

// The form shows an undo of the store, whatever has the focus.
func TestUndo(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "node")
	b.leave()
	b.has(plain, `"npx"`, `"node"`)
	if _, err := b.store.Undo(context.Background()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	if got := b.setup.form.command.input.Text; got != "npx" {
		t.Errorf("after undo the field has %q", got)
	}
	b.settle()
	if b.file() != plain {
		t.Errorf("the file is\n%s", b.file())
	}
}
