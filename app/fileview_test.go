package app

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// codeIn returns the visible code editor in an object, or nil.
func codeIn(object fyne.CanvasObject) *code.Entry {
	var children []fyne.CanvasObject
	switch object := object.(type) {
	case *code.Entry:
		return object
	case *fyne.Container:
		children = object.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(object).Objects()
	}
	for _, child := range children {
		if !child.Visible() {
			continue
		}
		if found := codeIn(child); found != nil {
			return found
		}
	}
	return nil
}

// Text typed in the file and changes by other programs are merged, in the file and in the window.
func TestFileView(t *testing.T) {
	b := newBench(t, "{\n  // first\n  \"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": \"sh\"}}}}\n}\n",
		nil)
	b.showFile()
	code := codeIn(b.window.Window.Content())
	if code == nil {
		t.Fatal("there is no text")
	}
	types := func(line, column int, text string) {
		code.Goto(line, column)
		b.window.Window.Canvas().Focus(code.Focusable())
		for _, r := range text {
			code.Focusable().TypedRune(r)
		}
	}
	has := func(what string) func() string {
		return func() string {
			if !strings.Contains(b.text(), what) {
				return "the file has not " + what + " but\n" + b.text()
			}
			if !strings.Contains(code.Text(), what) {
				return "the text has not " + what + " but\n" + code.Text()
			}
			return ""
		}
	}
	types(2, 11, " of mine")
	b.window.Window.Canvas().Unfocus() // losing the focus saves the text
	b.until(has("// first of mine"))

	types(2, 19, "!")
	b.write(strings.Replace(b.text(), "}\n}", "}\n}\n// theirs", 1))
	b.commit()
	b.until(has("// first of mine!"))
	b.until(has("// theirs"))

	b.write(strings.Replace(b.text(), `"sh"`, `"sh",,`, 1))
	b.until(func() string {
		if b.now.view.Broken && strings.Contains(code.Text(), `"sh",,`) {
			return ""
		}
		return "it is not shown that the file is broken"
	})
	if folder := os.Getenv("WORKBENCH_PICTURES"); folder != "" {
		file, err := os.Create(filepath.Join(folder, "app-file.png"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := png.Encode(file, b.window.Window.Canvas().Capture()); err != nil {
			t.Error(err)
		}
	}
}

func hasQuit(app *fakeApp) bool {
	select {
	case <-app.done:
		return true
	default:
		return false
	}
}

// Problems with this computer are shown for typed text before it is saved, and stay visible while the user types on.
func TestTypedTextIsCheckedOnThisComputer(t *testing.T) {
	b := newBench(t, "{\n  // first\n  \"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": "+
		"\"nowhere-to-be\"}}}}\n}\n", nil)
	b.showFile()
	code := codeIn(b.window.Window.Content())
	said := func(name string) func() string {
		return func() string {
			var words []string
			for _, object := range test.LaidOutObjects(b.window.Window.Content()) {
				if text, ok := object.(*canvas.Text); ok {
					words = append(words, text.Text)
				}
			}
			if !strings.Contains(strings.Join(words, " "), "The program "+name) {
				return name + " is not said to be missing"
			}
			return ""
		}
	}
	b.until(said("“nowhere-to-be”"))
	before := b.text()
	types := func(text string) {
		b.window.Window.Canvas().Focus(code.Focusable())
		for _, r := range text {
			code.Focusable().TypedRune(r)
		}
	}
	code.Goto(2, 11)
	types("!")
	if problem := said("“nowhere-to-be”")(); problem != "" { // said must not fail even once
		t.Error(problem)
	}
	code.Goto(3, 71)
	types("-found")
	b.until(said("“nowhere-to-be-found”"))
	if b.text() != before {
		t.Error("the text was saved although it has not lost the focus")
	}
}

// Before typed text that cannot be saved is lost with the window, the user is asked.
func TestQuittingAsksBeforeTypedTextIsLost(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.showFile()
	code := codeIn(b.window.Window.Content())
	code.Goto(1, 2)
	b.window.Window.Canvas().Focus(code.Focusable())
	code.Focusable().TypedRune('x')
	b.places.Choose(placeSettings) // the text is kept meanwhile
	press := func(label string) {
		t.Helper()
		over := b.window.Window.Canvas().Overlays().Top()
		if over == nil {
			t.Fatal("nothing is asked")
		}
		for _, object := range test.LaidOutObjects(over) {
			if button, ok := object.(*kit.Button); ok && button.Text == label {
				test.Tap(button)
				return
			}
		}
		t.Fatalf("there is no %q", label)
	}
	quit := func() bool { return hasQuit(b.app) }

	b.closeWindow()
	b.quit() // a second call asks only once
	if quit() {
		t.Fatal("the app has quit without asking")
	}
	press("Keep editing")
	if b.window.Window.Canvas().Overlays().Top() != nil || quit() || b.places.At() != placeFile ||
		codeIn(b.window.Window.Content()).Text() == oneServer {
		t.Fatal("the typed text is not shown")
	}
	b.quit()
	b.window.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if quit() || b.window.Window.Canvas().Overlays().Top() != nil {
		t.Fatalf("after Esc, the app has quit: %v", quit())
	}
	b.quit()
	press("Discard and quit")
	if !quit() || b.text() != oneServer {
		t.Errorf("the app has quit: %v; the file is\n%s", quit(), b.text())
	}
}

// Text that can be saved is saved without a question.
func TestQuittingSavesWhatCanBeSaved(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.showFile()
	code := codeIn(b.window.Window.Content())
	code.Goto(1, 2)
	b.window.Window.Canvas().Focus(code.Focusable())
	code.Focusable().TypedRune(' ')
	b.quit()
	if !hasQuit(b.app) {
		t.Error("the app has not quit")
	}
	b.until(func() string { return differs(b.text(), oneServer[:1]+" "+oneServer[1:]) })
}

// On the screen of the file, Ctrl+Z and Ctrl+Shift+Z also undo and redo the newest change, wherever it was made.
func TestUndoOnTheFileIsOfTheNewestEdit(t *testing.T) {
	for _, redo := range []bool{false, true} {
		b := newBench(t, "{\n  // first\n  \"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": \"sh\"}}}}\n}\n",
			nil)
		has := func(words string, server bool) {
			t.Helper()
			b.until(func() string {
				if !strings.Contains(b.text(), words+"\n") || strings.Contains(b.text(), `"a"`) != server {
					return "the file is\n" + b.text()
				}
				return ""
			})
		}
		b.showFile()
		code := codeIn(b.window.Window.Content())
		code.Goto(2, 11)
		b.window.Window.Canvas().Focus(code.Focusable())
		code.Focusable().TypedRune('!')
		b.window.Window.Canvas().Unfocus()
		b.commit()
		has("// first!", true)
		words := "// first!"
		if redo {
			b.undoHere()
			b.commit()
			has("// first", true)
			words = "// first"
		}
		b.places.Choose(placeToolboxes)
		if err := b.await(func(done func(error)) {
			b.saver.Edit([]edit.Op{edit.RemoveServer{Toolbox: "dev", Name: "a"}}, done)
		}); err != nil {
			t.Fatal(err)
		}
		has(words, false)
		if redo {
			b.undo()
			has(words, true)
		}
		b.showFile()
		if redo {
			b.redoHere()
		} else {
			b.undoHere()
		}
		b.commit()
		has(words, !redo)
	}
}
