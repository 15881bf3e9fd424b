package editor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// When another editor saves the file, the text being typed keeps its focus, caret and selection, and all other fields
// show the new values.
func TestElsewhereLeavesTypingAlone(t *testing.T) {
	for name, c := range map[string]struct {
		input    func(*form) *kit.SecretInput
		old, new string // the change by the other editor
		follows  func(*form) string
		want     string
		saved    [2]string // the change of the file when the typed text is saved
	}{
		"command": {func(f *form) *kit.SecretInput { return f.command.input }, `"LEVEL": "info"`, `"LEVEL": "warn"`,
			func(f *form) string { return f.env.rows[0].valueInput.Text }, "warn", [2]string{`"npx"`, `"npx-half"`}},
		"argument": {func(f *form) *kit.SecretInput { return f.arguments.rows[1].input }, `"npx"`, `"node"`,
			func(f *form) string {
				return f.command.input.Text
			}, "node", [2]string{`"server-filesystem"`, `"server-filesystem-half"`}},
		"value": {func(f *form) *kit.SecretInput {
			return f.env.rows[0].valueInput
		}, `"TOKEN": "sesame-open-1234567"`, `"FIRST": "1"`,
			func(f *form) string { return f.env.rows[1].nameInput.Text }, "FIRST", [2]string{`"info"`, `"info-half"`}},
		"value, moved": {func(f *form) *kit.SecretInput {
			return f.env.rows[0].valueInput
		}, `"LEVEL": "info", // or debug`, `"A": "1", "LEVEL": "info",`,
			func(f *form) string { return f.env.rows[0].nameInput.Text }, "A", [2]string{`"info"`, `"info-half"`}},
		"name": {func(f *form) *kit.SecretInput { return f.env.rows[0].nameInput }, `"npx"`, `"node"`,
			func(f *form) string { return f.command.input.Text }, "node", [2]string{`"LEVEL"`, `"LEVEL-half"`}},
		"limit": {func(f *form) *kit.SecretInput { return f.cwd.input }, `"npx"`, `"node"`,
			func(f *form) string {
				return f.command.input.Text
			}, "node", [2]string{"}\n        },\n        \"git\"",
				"},\n          \"cwd\": \"-half\"\n        },\n        \"git\""}},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, plain, wide)
			f := &b.setup.form
			input := c.input(f)
			b.focus(input)
			b.typed(input, "-half")
			want := input.Text
			// Select the last two letters.
			input.KeyDown(&fyne.KeyEvent{Name: "LeftShift"})
			input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
			input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
			input.KeyUp(&fyne.KeyEvent{Name: "LeftShift"})
			column := input.CursorColumn

			b.other(c.old, c.new)
			if got := c.follows(f); got != c.want {
				t.Errorf("the other field has %q, want %q", got, c.want)
			}
			if b.window.Canvas().Focused() != input.Input {
				t.Error("the field has lost the focus")
			}
			if input.Text != want || input.CursorColumn != column || input.SelectedText() != "lf" {
				t.Errorf("the field has %q, the caret at %d, selected %q; want %q, %d, \"lf\"", input.Text, input.CursorColumn,
					input.SelectedText(), want, column)
			}
			b.lacks("This was changed while")
			before := b.file()
			b.leave()
			b.settle()
			b.has(before, c.saved[0], c.saved[1])
		})
	}
}

// A focused field without typed text shows the new value and keeps the caret.
func TestElsewhereInAnUntouchedField(t *testing.T) {
	b := open(t, plain, wide)
	input := b.setup.form.command.input
	b.focus(input)
	input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	b.other(`"npx"`, `"npm"`)
	if input.Text != "npm" || input.CursorColumn != 2 || b.window.Canvas().Focused() != input.Input {
		t.Errorf("the field has %q with the caret at %d", input.Text, input.CursorColumn)
	}
}

// If the user and another editor have changed the same value, the user chooses one of them, and nothing is saved
// before.
func TestElsewhereTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		input    func(*form) *kit.SecretInput
		old, new string
		says     string
		mine     string
	}{
		"command": {func(f *form) *kit.SecretInput {
			return f.command.input
		}, `"npx"`, `"theirs"`, "In the file: “theirs” · Yours: “yours”", `"yours"`},
		"argument": {func(f *form) *kit.SecretInput {
			return f.arguments.rows[1].input
		}, `"server-filesystem"`, `"theirs"`, "In the file: “-y theirs ${HOME}” · Yours: “-y yours ${HOME}”", `"yours"`},
		"value": {func(f *form) *kit.SecretInput {
			return f.env.rows[0].valueInput
		}, `"info"`, `"theirs"`, "In the file: “theirs” · Yours: “yours”", `"yours"`},
		"secret": {func(f *form) *kit.SecretInput {
			return f.env.rows[1].valueInput
		}, `"sesame-open-1234567"`, `"theirs-8ah38ahs8"`, "In the file: “•••” · Yours: “•••”", `"${keyring:TOKEN}"`},
	} {
		for _, keep := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				b := open(t, plain, wide)
				input := c.input(&b.setup.form)
				b.enter(input, "yours")
				b.other(c.old, c.new)
				b.lacks("This was changed while") // there is no question before the text is applied
				theirs := b.file()
				b.leave()
				b.reads("This was changed while", c.says)
				if b.file() != theirs {
					t.Fatalf("the value of the other editor is overwritten:\n%s", b.file())
				}
				if keep {
					b.tap("Use my change")
					b.has(theirs, c.new, c.mine)
				} else {
					b.tap("Keep what is in the file")
					if b.file() != theirs {
						t.Errorf("the file is\n%s", b.file())
					}
					if value := input.Value(); value != strings.Trim(c.new, `"`) {
						t.Errorf("the field has %q", value)
					}
				}
				b.lacks("This was changed while")
				if b.Unsaved() {
					t.Error("some text is still unsaved")
				}
			})
		}
	}
}

// A change that clashes with the file is not saved when the window closes.
func TestElsewhereTheSameBeforeTheEnd(t *testing.T) {
	b := open(t, plain, wide)
	b.enter(b.setup.form.command.input, "yours")
	b.other(`"npx"`, `"theirs"`)
	theirs := b.file()
	b.Settle()
	if b.file() != theirs || len(b.edits) > 0 {
		t.Errorf("the file is\n%s", b.file())
	}
	b.asks("files", model.TabSetup)

	// If the window has asked already and the user has chosen the file's version, the screen does not ask again.
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		_, err := b.store.EditFrom(t.Context(), base, "test", store.Edits(ops...))
		done(fmt.Errorf("%w: %w", model.ErrTheirs, err))
	}
	b.tap("Apply")
	b.reads("<theirs>")
	b.lacks("while you were editing", "Not applied yet")
	b.asks("", 0)
}

// If another editor removes a variable while the user changes it, the user is asked.
func TestElsewhereTakenOut(t *testing.T) {
	for _, keep := range []bool{true, false} {
		b := open(t, plain, wide)
		f := &b.setup.form
		b.enter(f.env.rows[0].valueInput, "yours")
		b.other(`"LEVEL": "info", // or debug`, "")
		without := b.file()
		b.leave()
		b.reads("This was changed while")
		if b.file() != without {
			t.Fatalf("the removed variable is back in the file:\n%s", b.file())
		}
		if keep {
			b.tap("Use my change")
			b.leave()
			b.settle()
			b.has(without, `"sesame-open-1234567"`, "\"sesame-open-1234567\",\n            \"LEVEL\": \"yours\"")
		} else {
			b.tap("Remove")
			if b.file() != without || len(f.env.rows) != 1 {
				t.Errorf("%d rows, and the file is\n%s", len(f.env.rows), b.file())
			}
		}
		b.lacks("This was changed while")
	}

	b := open(t, plain, wide)
	f := &b.setup.form
	b.enter(f.arguments.rows[1].input, "yours")
	b.other("\"server-filesystem\",\n", "")
	b.leave()
	b.reads("This was changed while", "In the file: “-y ${HOME}” · Yours: “-y yours ${HOME}”", "<yours>")
	b.tap("Use my change")
	if !strings.Contains(b.file(), `"yours"`) {
		t.Errorf("the file is\n%s", b.file())
	}
	b.lacks("This was changed while")
}

// If the file becomes unreadable, the form stays as it was. The typed text is saved when the file is readable again.
func TestBrokenFile(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	b.focus(f.command.input)
	b.typed(f.command.input, "-half")
	b.write(strings.Replace(plain, `"args": [`, `"args": `, 1))
	b.reads("Show the file", "<npx-half>", "<info>")
	b.leave()
	b.settle()
	if strings.Contains(b.file(), "half") {
		t.Error("the broken file was changed")
	}
	b.lacks("Not saved")
	b.write(plain)
	b.lacks("Show the file")
	if !strings.Contains(b.file(), `"npx-half"`) {
		t.Errorf("the file is\n%s", b.file())
	}

	b.write(`{"toolboxes": {"dev": {"mcpServers": {}}}}`)
	b.reads("This server is not in the file any more.")
	b.tap("Show the file")
	if b.log[len(b.log)-1] != "open file" {
		t.Errorf("the actions are %q", b.log)
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	_ = b.store.Reload(context.Background())
	b.Apply(NewView(Source{At: model.Choice{Toolbox: "dev", Server: "files"}, Err: b.store.Snapshot().Problem}))
	b.reads("Show the file")
}

// A warning about the computer is shown until the value that caused it is changed.
func TestWarnings(t *testing.T) {
	b := open(t, strings.Replace(plain, `"${HOME}"`, `"${NOWHERE}"`, 1), wide)
	b.warnings = b.store.Current().CheckEnvironment(config.Lookup{Env: func(name string) (string, bool) {
		return "", false
	}})
	b.apply()
	b.reads("The environment variable NOWHERE is not set", "The program “npx” was not found")
	b.lacks("“NOWHERE” has no value", "Found:")
	b.enter(b.setup.form.command.input, "node")
	b.lacks("was not found")
	b.reads("Found: /usr/bin/node")
}

// TestUseTheBuiltInOne checks that the page of a reference server offers the one that comes with the program.
func TestUseTheBuiltInOne(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"npx", "npx.exe"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx",
		"args": ["-y", "@modelcontextprotocol/server-memory"]}}}}}`, wide)
	b.warnings = b.store.Current().CheckEnvironment(config.Lookup{Env: func(name string) (string, bool) {
		return folder, name == "PATH"
	}})
	b.apply()
	b.reads("A server that comes with Workbench does this work")
	b.tap("Use the built-in one")
	if got := b.store.Current().Config.Toolboxes[0].Servers[0]; got.Command != "workbench-engine" {
		t.Errorf("the command is %q", got.Command)
	}
}
