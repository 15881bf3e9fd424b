package editor

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

const noSecrets = `{"toolboxes": {"dev": {"mcpServers": {
  // Reads files.
  "files": {
    "command": "npx", // from Node
    "args": ["-y"]
  },
  "git": {"command": "uvx"}
}}}}
`

func (b *bench) retype(old, new string) {
	b.t.Helper()
	text := b.json.code.Text()
	if !strings.Contains(text, old) {
		b.t.Fatalf("the text has no %q:\n%s", old, text)
	}
	before := text[:strings.Index(text, old)]
	line := strings.Count(before, "\n") + 1
	column := len(before) - strings.LastIndexByte(before, '\n')
	b.window.Canvas().Focus(b.json.code.Focusable())
	b.json.code.Goto(line, column+len(old))
	for range old {
		b.json.code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
	for _, r := range new {
		b.json.code.Focusable().TypedRune(r)
	}
	b.settle()
}

func TestJSONIsSaved(t *testing.T) {
	for name, save := range map[string]func(*bench){
		"Apply": func(b *bench) { b.tap("Apply") },
		"Ctrl+S": func(b *bench) {
			b.json.code.Focusable().(fyne.Shortcutable).TypedShortcut(
				&desktop.CustomShortcut{KeyName: fyne.KeyS, Modifier: fyne.KeyModifierShortcutDefault})
		},
		"leaving the text": func(b *bench) { b.leave(); b.settle() },
		"leaving the tab":  func(b *bench) { b.Choose(model.TabSetup) },
		"another entry":    func(b *bench) { b.server = "git"; b.apply() },
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, noSecrets, wide)
			b.Choose(model.TabJSON)
			b.lacks("Show secrets")
			b.retype("-y", "--yes")
			if b.file() != noSecrets {
				t.Fatal("the text is saved at once")
			}
			if !b.Unsaved() {
				t.Error("Unsaved is false before the text is saved")
			}
			save(b)
			b.settle()
			b.has(noSecrets, "-y", "--yes")
			if b.Unsaved() {
				t.Error("Unsaved is true after the text was saved")
			}
		})
	}
}

func TestJSONWithErrors(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.retype(`"-y"`, `-y`)
	b.reads("Line 3:")
	b.leave()
	b.settle()
	if b.file() != noSecrets {
		t.Fatalf("a broken text is saved:\n%s", b.file())
	}
	for range 12 {
		b.window.Canvas().FocusNext()
		if button, ok := b.window.Canvas().Focused().(*kit.Button); ok && button.Text == "Show" {
			place := fyne.CurrentApp().Driver().AbsolutePositionForObject
			top := place(button).Y - place(b.json.list).Y
			if top < -1 || top+button.Size().Height > b.json.list.Size().Height+1 {
				t.Errorf("a button with the focus is out of view, at %v", top)
			}
		}
	}
	b.tap("Show")
	if line, column := b.json.code.Caret(); line != 3 || column < 10 {
		t.Errorf("the caret is at %d:%d", line, column)
	}
	b.tap("Put it into double quotes")
	b.lacks("Line 3:")
	if b.Unsaved() || b.file() != noSecrets {
		t.Errorf("after the repair, the file is\n%s", b.file())
	}

	b.retype(`"npx"`, `5`)
	b.reads("Line 2: “command” must be text in double quotes")
	b.tap("Apply")
	b.reads("Not saved:")
	b.tap("Discard")
	b.lacks("Not saved", "Line 2")
	if b.json.code.Text() != b.view.Text || b.file() != noSecrets {
		t.Error("the text is not that of the file")
	}
}

// The caret stays visible when the list of problems takes room from the text.
func TestJSONProblemsLeaveTheCaretInSight(t *testing.T) {
	args := strings.Repeat("\n    \"-y\",", 40) + "\n    \"-z\"],\n"
	b := open(t, strings.Replace(noSecrets, `"-y"]`, args+"    \"oops\": 1,\n    \"oops2\": 1,\n    \"callTimeout\": 1",
		1), narrow)
	b.Choose(model.TabJSON)
	for _, change := range [][2]string{{`"callTimeout": 1`, `"callTimeout": x`}, {": x", ": 2"}} {
		b.retype(change[0], change[1])
		scroll := test.WidgetRenderer(b.json.code).Objects()[2].(*container.Scroll)
		if below := scroll.Content.Size().Height - scroll.Offset.Y - scroll.Size().Height; below > 25 {
			t.Errorf("the caret is in the line before the last, and %v pixels of the text are below the view", below)
		}
	}
	b.reads("Unknown key “oops”", "Unknown key “oops2”")
}

// Text with hidden secrets can neither be changed nor saved.
func TestJSONHidesSecrets(t *testing.T) {
	b := open(t, plain, wide)
	b.Choose(model.TabJSON)
	if text := b.json.code.Text(); strings.Contains(text, "sesame") || !strings.Contains(text, `"TOKEN": "•••"`) {
		t.Fatalf("the text is\n%s", text)
	}
	area := b.json.code.Focusable()
	b.window.Canvas().Focus(area)
	area.TypedRune('x')
	area.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	b.json.commit()
	b.Commit()
	b.leave()
	b.settle()
	if b.file() != plain {
		t.Fatalf("the file is\n%s", b.file())
	}
	b.tap("Show secrets")
	b.retype("server-filesystem", "other")
	b.other(`"LEVEL": "info"`, `"LEVEL": "warn"`) // the secrets are not hidden while the user edits
	b.tap("Apply")
	b.reads("This was changed while")
	b.tap("Keep what is in the file")
	b.retype("server-filesystem", "other")
	b.tap("Apply")
	if got, want := b.file(), strings.NewReplacer(`"LEVEL": "info"`, `"LEVEL": "warn"`, "server-filesystem",
		"other").Replace(plain); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	b.tap("Hide secrets")
	if strings.Contains(b.json.code.Text(), "sesame") {
		t.Error("the secrets are still shown")
	}
	b.tap("Show secrets")
	b.Choose(model.TabSetup)
	b.Choose(model.TabJSON)
	if strings.Contains(b.json.code.Text(), "sesame") {
		t.Error("the secrets are shown when the tab is shown again")
	}
}

// A change of another entry leaves the caret in place.
func TestJSONFollows(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.window.Canvas().Focus(b.json.code.Focusable())
	b.json.code.Goto(3, 5)
	b.other(`"uvx"`, `"uv"`)
	if line, column := b.json.code.Caret(); line != 3 || column != 5 || !b.json.code.Focused() {
		t.Errorf("the caret is at %d:%d", line, column)
	}
	b.other(`"npx"`, `"node"`)
	if !strings.Contains(b.json.code.Text(), "node") {
		t.Error("the text does not follow")
	}
}

// The positions of problems are positions in the text of the entry, wherever the entry is in the file.
func TestEntryProblems(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                  "1:1",
		"{\n  \"command\": 5\n}":              "2:14",
		"{\"command\": \"x\", \"args\": [1]}": "1:27",
		"{\n\"command\": \"x\" // open":       "2:23",
		"{\"command\": \"x\"":                 "1:16",
		"":                                    "1:1",
	} {
		problems := entryProblems("a_b", "x", text)
		if len(problems) == 0 {
			t.Errorf("%q has no problems", text)
			continue
		}
		p := problems[0]
		if got := strings.Join([]string{itoa(p.Line), itoa(p.Column)}, ":"); got != want {
			t.Errorf("%q: %s at %s, want %s", text, p.Message, got, want)
		}
	}
}

func FuzzEntryProblems(f *testing.F) {
	f.Add(`{"command": "x", "args": [1]}`)
	f.Add("{\n/* \"")
	f.Add("}}}}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range entryProblems("t", "s", text) {
			if p.Start < 0 || p.End < p.Start || p.End > len(text) || p.Line < 1 || p.Line > strings.Count(text, "\n")+1 ||
				p.Column < 1 {
				t.Errorf("%q: %+v", text, p)
			}
			if p.Fix != nil {
				for _, change := range p.Fix.Changes {
					if change.Start < 0 || change.End > len(text) {
						t.Errorf("%q: %+v", text, p.Fix)
					}
				}
			}
		}
	})
}

// Text with errors cannot be saved. It is shown again together with its entry.
func TestJSONWithErrorsComesBack(t *testing.T) {
	b := open(t, plain, wide)
	b.toolbox, b.server = "dev", "git"
	b.apply()
	b.Choose(model.TabJSON)
	b.retype(`"uvx"`, `uvx`)
	b.server = "files"
	b.apply()
	if !b.Unsavable() || b.file() != plain {
		t.Fatalf("the unsaved text is lost, or saved:\n%s", b.file())
	}
	if text := b.json.code.Text(); strings.Contains(text, "mcp-git") {
		t.Errorf("the other entry shows %q", text)
	}
	b.server = "git"
	b.apply()
	if text := b.json.code.Text(); !strings.Contains(text, `: uvx`) {
		t.Errorf("the text is then %q", text)
	}
	b.tap("Discard")
	if b.Unsavable() || b.Unsaved() {
		t.Error("a text that was reverted is still unsaved")
	}
}

// slowly delays saving JSON. Each call of end ends the oldest save, with or without an error.
func (b *bench) slowly() (end func(refused error)) {
	type saving struct {
		base *config.Document
		ops  []edit.Op
		done func(error)
	}
	var held []saving
	save := b.fake.saves
	b.fake.saves = func(base *config.Document, ops []edit.Op, done func(error)) {
		held = append(held, saving{base, ops, done})
	}
	return func(refused error) {
		b.t.Helper()
		if len(held) == 0 {
			b.t.Fatal("nothing is being saved")
		}
		next := held[0]
		held = held[1:]
		if refused != nil {
			next.done(refused)
		} else {
			save(next.base, next.ops, next.done)
		}
		b.settle()
	}
}

func (b *bench) goTo(server string) {
	b.server = server
	b.apply()
}

// Saving may end after the user has gone to another entry, or after the user has come back.
func TestJSONThatIsLeftWhileItIsSaved(t *testing.T) {
	for name, back := range map[string]bool{"and shown again": true, "for another": false} {
		t.Run(name, func(t *testing.T) {
			b := open(t, noSecrets, wide)
			b.Choose(model.TabJSON)
			end := b.slowly()
			b.retype("-y", "--yes")
			b.goTo("git")
			if back {
				b.goTo("files")
			}
			end(nil)
			b.has(noSecrets, "-y", "--yes")
			b.goTo("files")
			if text := b.json.code.Text(); !strings.Contains(text, "--yes") || b.Unsaved() || b.Unsavable() {
				t.Errorf("unsaved: %v; the text is\n%s", b.Unsaved(), text)
			}
		})
		t.Run(name+", and refused", func(t *testing.T) {
			b := open(t, noSecrets, wide)
			b.Choose(model.TabJSON)
			end := b.slowly()
			b.retype("-y", "--yes")
			b.goTo("git")
			if back {
				b.goTo("files")
			}
			end(errors.New("the moon is full"))
			if !back && !slices.Contains(b.log, "not saved dev/files") || !b.Unsavable() && !b.Unsaved() {
				t.Errorf("the failure is not reported: %q", b.log)
			}
			b.goTo("files")
			b.reads("Not saved: The moon is full")
			if text := b.json.code.Text(); !strings.Contains(text, "--yes") || b.file() != noSecrets {
				t.Errorf("the typed text is lost:\n%s", text)
			}
		})
	}
}

// Text typed while an earlier text is being saved is not lost when another entry is shown.
func TestJSONThatIsTypedOnWhileItIsSaved(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	end := b.slowly()
	b.retype("-y", "--yes")
	b.Commit()
	b.retype("--yes", "--yes-indeed")
	b.goTo("git")
	end(nil)
	b.goTo("files")
	if text := b.json.code.Text(); !strings.Contains(text, "--yes-indeed") {
		t.Errorf("the text is then\n%s", text)
	}
	b.lacks("This was changed while")
	end(nil) // of the text that waited
	b.has(noSecrets, "-y", "--yes-indeed")
}

// If saving fails, the file is unchanged, so there is no clash with text typed since.
func TestJSONThatIsTypedOnWhileItIsRefused(t *testing.T) {
	for name, back := range map[string]bool{"while another is shown": false, "when it is shown again": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, noSecrets, wide)
			b.Choose(model.TabJSON)
			end := b.slowly()
			b.retype("-y", "--yes")
			b.Commit()
			b.retype("--yes", "--yes-indeed")
			b.goTo("git")
			if back {
				b.goTo("files")
			}
			end(errors.New("the moon is full"))
			b.goTo("files")
			b.lacks("This was changed while")
			if text := b.json.code.Text(); !strings.Contains(text, "--yes-indeed") || !b.Unsavable() {
				t.Errorf("the text is then\n%s", text)
			}
			b.tap("Apply")
			end(nil)
			b.has(noSecrets, "-y", "--yes-indeed")
		})
	}
}

// While the file is broken, nothing can be saved. The typed text, with its secrets, is shown again together with its
// entry.
func TestJSONTypedWhileTheFileIsBroken(t *testing.T) {
	b := open(t, plain, wide)
	b.Choose(model.TabJSON)
	b.tap("Show secrets")
	b.write(plain + "]")
	b.retype("server-filesystem", "server-other")
	b.goTo("git")
	b.goTo("files")
	if text := b.json.code.Text(); !strings.Contains(text, "server-other") {
		t.Errorf("while the file is broken, the text is then %q", text)
	}
	b.goTo("git")
	b.write(plain)
	b.goTo("files")
	if text := b.json.code.Text(); !strings.Contains(text, "server-other") || !b.Unsaved() {
		t.Errorf("the text is then\n%s", text)
	}
	b.tap("Apply")
	b.has(plain, "server-filesystem", "server-other")
}

// A change by another editor is merged around the selection, and what was typed can still be undone.
func TestJSONFollowsAroundTheSelection(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.retype("-y", "--yes")
	b.tap("Apply")
	b.json.code.Select(2, 3, len(`"command"`))
	b.other(`// from Node`, `// from Node, of all places`)
	if text := b.json.code.Text(); b.json.code.SelectedText() != `"command"` || !strings.Contains(text, "of all places") {
		t.Errorf("selected is %q of\n%s", b.json.code.SelectedText(), text)
	}
	for b.json.code.Undo() {
	}
	b.tap("Apply")
	b.has(noSecrets, "// from Node", "// from Node, of all places")
}

// A fix can be undone like typing.
func TestJSONFixIsUndone(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.retype(`"-y"`, `-y`)
	b.tap("Put it into double quotes")
	b.lacks("Line 3:")
	if !b.json.code.Undo() || !strings.Contains(b.json.code.Text(), "[-y]") {
		t.Errorf("after undo, the text is\n%s", b.json.code.Text())
	}
	b.reads("Line 3:")
}

// After a server is renamed, changes of its text can still be undone.
func TestJSONOfAServerThatIsRenamed(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.retype("-y", "--yes")
	b.tap("Apply")
	b.tap("Rename")
	b.header.name.Field.SetText("papers")
	b.header.name.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	b.server = "papers"
	b.apply()
	if !b.json.code.Undo() {
		t.Error("nothing can be undone")
	}
}

// An entry without secrets has no button for them, also while the user types.
func TestNoSecretsNoButton(t *testing.T) {
	b := open(t, noSecrets, wide)
	b.Choose(model.TabJSON)
	b.window.Canvas().Focus(b.json.code.Focusable())
	b.apply()
	b.retype("-y", "-yes")
	b.reads("Not applied yet")
	b.lacks("Hide secrets", "Show secrets")
}

// The entry as JSON is for few people: it is behind a button under Advanced, and Back or the tab Setup leave it.
func TestJSONIsUnderAdvanced(t *testing.T) {
	b := open(t, plain, wide)
	onTab := &fyne.PointEvent{Position: fyne.NewPos(80, 5)}
	for _, leave := range []func(){func() { b.tap("Back") }, func() { b.Screen.tabs.Tapped(onTab) }} {
		b.tap("As JSON")
		if b.Tab() != model.TabJSON || !b.json.root.Visible() {
			t.Fatal("the JSON is not shown")
		}
		leave()
		if b.Tab() != model.TabSetup || !b.setup.root.Visible() {
			t.Fatal("Setup is not shown again")
		}
	}
}
