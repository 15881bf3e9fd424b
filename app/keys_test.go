package app

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	pictures "github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// On every screen, the Tab key must reach everything that can be clicked, and F1 must show the other keys.
func TestScreensByKeys(t *testing.T) {
	b := newBench(t, oneServer, nil)
	canvas := b.window.Window.Canvas()
	w := bykeys.New(t, b.window.Window,
		bykeys.Otherwise{"*kit.tapText": "the pencil beside it", "*kit.Sheet": "it lies under the dialog"})
	for _, screen := range b.screens() {
		if screen.Head == 0 {
			b.places.Choose(screen.At)
			w.Walk()
		}
	}
	b.places.Choose(placeToolboxes)
	canvas.Focus(b.window.Nav.Buttons[1])
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if at := b.overlay(); !strings.Contains(at, "Find anything") || b.places.At() != placeToolboxes {
		t.Errorf("F1 does not show the keys over the toolboxes, but %q", at)
	}
	w.Walk()
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if canvas.Overlays().Top() != nil {
		t.Error("Esc does not close the list of keys")
	}
}

// All dialogs of the window can be used with the keyboard alone.
func TestDialogsByKeys(t *testing.T) {
	b, _ := remoteBench(t)
	under := "it lies under the dialog"
	w := bykeys.New(t, b.window.Window, bykeys.Otherwise{"*kit.Sheet": under})
	over := func(what string) {
		t.Helper()
		if b.window.Window.Canvas().Overlays().Top() == nil {
			t.Fatalf("%s: there is no dialog", what)
		}
		w.Walk()
		pictures.Keep(t, b.window.Window.Canvas(), what)
		b.window.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if b.window.Window.Canvas().Overlays().Top() != nil {
			t.Fatalf("%s: Esc does not close it", what)
		}
	}
	b.window.Fail(errors.New("the disk is full"))
	over("a failure")
	b.askToQuit([]loss{{"Something is not saved.", func() {}}})
	over("before typed text is lost")
	b.fix(model.Choice{Toolbox: "dev", Server: "far"})
	b.until(func() string {
		if said := b.overlay(); !strings.Contains(said, "you will sign in at") {
			return said
		}
		return ""
	})
	over("where a sign-in leads")
	b.fix(model.Choice{Toolbox: "dev", Server: "far"})
	b.agree(1)
	over("a sign-in")
	opened, err := b.configFile.Store()
	if err != nil {
		t.Fatal(err)
	}
	version := opened.Current()
	b.saver.AskConflict(&store.Conflict{Theirs: version, Ours: version}, configfile.Change{}, func(error) {})
	over("a conflict")
}

// Esc closes the file dialog, and not the dialog that has opened it.
func TestEscInTheChoiceOfAFile(t *testing.T) {
	b := newBench(t, oneServer, nil)
	canvas := b.window.Window.Canvas()
	b.addHere()
	under := canvas.Overlays().Top()
	b.window.PickFile(func(path string) { t.Errorf("%s was chosen", path) })
	if canvas.Overlays().Top() == under {
		t.Fatal("there is no file dialog")
	}
	choice := canvas.Overlays().Top()
	b.window.Fail(errors.New("the disk is full")) // over the file dialog
	for _, next := range []fyne.CanvasObject{choice, under} {
		canvas.Unfocus()
		canvas.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if canvas.Overlays().Top() != next || b.adding.Dialog() == nil {
			t.Fatal("Esc does not close the topmost dialog, or closes more")
		}
	}
	canvas.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.adding.Dialog() != nil {
		t.Error("the dialog is still open")
	}
}

// If there is no text to paste, as after a picture was copied, a sentence says so.
func TestPasteOfNothing(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.untilOwn()
	b.app.Clipboard().SetContent("\n")
	b.paste()
	if said := b.toast(); !strings.HasPrefix(said, "The clipboard has no text.") || b.adding.Dialog() != nil {
		t.Errorf("it says %q", said)
	}
	b.app.Clipboard().SetContent("npx -y some-server")
	b.paste()
	if b.adding.Dialog() == nil {
		t.Error("nothing is pasted")
	}
}
