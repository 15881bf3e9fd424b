package file

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

func TestBrokenOutsideAndRepaired(t *testing.T) {
	b := open(t, plainText, usual)
	broken := with(t, `"command": "npx",`+"\n", `"command": "npx",,`+"\n")
	b.outside(broken)
	if line, _ := b.text.code.Caret(); line != 8 {
		t.Errorf("line %d is shown, not the one with the mistake", line)
	}
	b.says("broken", "The file cannot be used as it is. Line 8:", "Remove the comma",
		"The last working version stays in use")
	b.wait()
	b.Leave()
	b.Commit()
	b.onDisk("not asked", broken)
	b.tap("Remove the comma")
	b.onDisk("repaired", plainText)
	b.says("repaired", "Saved")
	b.text.code.Undo()
	if b.text.text != broken {
		t.Errorf("undo does not revert the repair: %s", b.text.text)
	}
}

func TestOutsideChangesComeIn(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", "")
	b.outside("// new\n// lines\n" + plainText)
	b.onDisk("nothing typed", "// new\n// lines\n"+plainText)
	if line, _ := b.text.code.Caret(); line != 7 {
		t.Errorf("the caret is in line %d, want 7", line)
	}
	b.outside(plainText)

	b.types("Development tools", ` and "`) // half typed
	b.outside(with(t, "// Mine.", "// Mine.\n  // Theirs."))
	b.says("half typed", "// Theirs.", `Development tools and "`, "Not applied yet")
	if line, column := b.text.code.Caret(); line != 6 || column != 46 {
		t.Errorf("the caret is at %d:%d", line, column)
	}
	b.erases(1)
	b.wait()
	b.onDisk("both", strings.Replace(with(t, "// Mine.", "// Mine.\n  // Theirs."), "tools", "tools and ", 1))
}

// TestOutsideChangesLeaveSelectionAndUndo checks that changes by other programs keep the selection and the undo
// history.
func TestOutsideChangesLeaveSelectionAndUndo(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.wait()
	mine := with(t, "Development tools", "Development tools of mine")
	b.text.code.Select(5, 23, len("Development"))
	b.outside("// new\n" + strings.Replace(mine, token, "hunter2-other", 1))
	if got := b.text.code.SelectedText(); got != "Development" {
		t.Errorf("selected is %q", got)
	}
	b.saysNot("changed elsewhere", "hunter2")
	if !b.Undo() {
		t.Error("the typed text cannot be undone")
	}
	b.wait()
	b.onDisk("undone", "// new\n"+strings.Replace(plainText, token, "hunter2-other", 1))
	if !b.Redo() || b.Redo() {
		t.Error("the typed text cannot be redone, or more can be redone")
	}
	b.wait()
	b.onDisk("done again", "// new\n"+strings.Replace(mine, token, "hunter2-other", 1))
}

// TestUndoIsOfTheNewestEdit checks that an edit made elsewhere in the window is undone before older typing, and that
// typing which is not saved yet is newer than that edit.
func TestUndoIsOfTheNewestEdit(t *testing.T) {
	b := open(t, plainText, usual)
	elsewhere := func() {
		t.Helper()
		if _, err := b.store.Edit(t.Context(), "elsewhere", store.Edits(edit.AddToolbox{Name: "more"})); err != nil {
			t.Fatal(err)
		}
		b.apply()
	}
	b.types("Development tools", " of mine")
	b.Leave() // saves the text
	elsewhere()
	if b.Undo() {
		t.Fatal("undo has reverted older typing")
	}
	if _, err := b.store.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	b.types("info", `!"`)
	if !b.Undo() || !strings.Contains(b.text.text, `"info"`) {
		t.Errorf("undo has not reverted the last typing: %s", b.text.text)
	}
	if b.Undo() {
		t.Error("more can be undone")
	}

	b = open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.wait()
	if !b.Undo() {
		t.Fatal("the edit is not undone")
	}
	b.wait()
	elsewhere()
	if b.Redo() {
		t.Error("redo has repeated an older edit")
	}
}

// TestUndoAfterRepairingEverything checks that the first undo after a repair does not undo older typing.
func TestUndoAfterRepairingEverything(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.wait()
	mine := with(t, "Development tools", "Development tools of mine")
	b.outside(strings.Replace(mine, `"command": "npx",`+"\n", `"command": "npx",,`+"\n", 1))
	b.tap("Repair everything")
	b.tap("Repair")
	b.onDisk("repaired", mine)
	if b.Undo() {
		t.Errorf("undo has reverted typing that is older than the repair: %s", b.text.text)
	}
}

// TestUndoShowsNoSecrets checks that undoing does not show a text from the time when the secrets were visible.
func TestUndoShowsNoSecrets(t *testing.T) {
	b := open(t, plainText, usual)
	b.tap("Show secrets")
	b.types(token+`"`, "")
	b.erases(len(token) + 1)
	b.types(`"GITHUB_TOKEN": `, `0, "GITHUB_TOKENS": "`)
	b.tap("Hide secrets")
	b.Undo()
	for range len(token) + 5 {
		b.Undo()
		b.saysNot("undone", token)
	}
	b = open(t, plainText, usual)
	b.tap("Show secrets")
	b.types(token, "")
	b.erases(len(token))
	b.Leave()
	for range len(token) + 5 {
		b.Undo()
		b.saysNot("undone after it was left", token)
	}
}

func TestConflict(t *testing.T) {
	for _, choice := range []struct{ button, want string }{
		{"Use my change", "My tools"}, {"Keep what is in the file", "Their tools"},
	} {
		t.Run(choice.button, func(t *testing.T) {
			b := open(t, plainText, usual)
			b.types(`"description": "`, "My tools")
			b.erases(0)
			for range len("Development tools") {
				b.text.code.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
			}
			theirs := with(t, "Development tools", "Their tools")
			theirs = strings.Replace(theirs, token, "hunter2-theirs", 1)
			b.outside(theirs)
			b.wait()
			b.onDisk("a conflict", theirs)
			b.says("a conflict", "Another program changed the same part of the file", "Not saved")
			b.tap("Show the difference")
			b.says("the difference", "My tools", "Their tools", "2 lines added · 2 lines removed")
			b.saysNot("the difference", "hunter2")
			if !b.Back() {
				t.Error("Esc does not close the question")
			}
			b.tap("Show the difference")
			b.tap(choice.button)
			b.wait()
			content, err := os.ReadFile(b.file)
			if err != nil || !strings.Contains(string(content), choice.want) {
				t.Errorf("the file has %v\n%s", err, content)
			}
			b.says("decided", "Saved", choice.want)
		})
	}
}

// TestTypingWhileSaving checks that the user can type while the text is being saved, and while other programs change
// the file.
func TestTypingWhileSaving(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "A")
	b.wait()
	b.onDisk("first", with(t, "Development", "DevelopmentA"))
	b.types("DevelopmentA", "B")
	b.hold = true
	b.Commit()
	if len(b.held) != 1 {
		t.Fatalf("%d jobs are held back, want only the save", len(b.held))
	}
	b.types("DevelopmentAB", "C")
	b.write(with(t, "Development", "DevelopmentA") + "// theirs\n")
	b.reload()
	b.release()
	b.wait()
	b.onDisk("all three", with(t, "Development", "DevelopmentABC")+"// theirs\n")
}

// TestSavingWhileSaving checks that a newer text is saved after an older text that was still being saved.
func TestSavingWhileSaving(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "A")
	b.hold = true
	b.Commit()
	b.hold = false // only saving is held back
	b.types("DevelopmentA", "B")
	b.Commit()
	b.release()
	b.onDisk("both", with(t, "Development", "DevelopmentAB"))
}

// TestUndoingWhileSaving checks that a change that is undone while it is being saved is not in the file afterwards.
func TestUndoingWhileSaving(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "A")
	b.hold = true
	b.Commit()
	b.hold = false // only saving is held back
	if !b.Undo() || !b.Unsaved() {
		t.Error("what was undone counts as saved")
	}
	b.Commit()
	b.release()
	b.onDisk("undone", plainText)
}
