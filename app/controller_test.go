package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// fakes returns a configuration with a toolbox "dev" of fake servers with these scripts.
func fakes(scripts map[string]fakeserver.Script) string {
	servers := map[string]any{}
	for name, script := range scripts {
		servers[name] = map[string]any{"command": os.Args[0], "env": map[string]string{fakeserver.Variable: script.String()}}
	}
	text, _ := json.MarshalIndent(
		map[string]any{"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": servers}}}, "", "  ")
	return string(text)
}

func describe(text string) []edit.Op {
	return []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"description"},
		Value: jsonc.Value(text)}}
}

// description returns the description of the toolbox "dev" as the window shows it.
func (b *bench) description() string {
	for _, toolbox := range b.now.view.Toolboxes {
		if toolbox.Name == "dev" {
			return toolbox.Description
		}
	}
	return "(no toolbox)"
}

// word returns the state of a server of "dev" as the window shows it.
func (b *bench) word(name string) string {
	for _, toolbox := range b.now.view.Toolboxes {
		for _, server := range toolbox.Servers {
			if toolbox.Name == "dev" && server.Name == name {
				return server.Word
			}
		}
	}
	return "(no server)"
}

func (b *bench) untilWord(name, word string) {
	b.t.Helper()
	b.until(func() string {
		if got := b.word(name); got != word {
			return fmt.Sprintf("%s is %q, not %q", name, got, word)
		}
		return ""
	})
}

func TestEditUndoRedo(t *testing.T) {
	b := newBench(t, oneServer, nil)
	shown := ""
	if err := b.await(func(done func(error)) {
		b.saver.Edit(describe("first"), func(err error) { shown = b.description(); done(err) })
	}); err != nil {
		t.Fatal(err)
	}
	if shown != "first" || !strings.Contains(b.text(), `"description": "first"`) {
		t.Errorf("when done was called, %q was shown, and the file was\n%s", shown, b.text())
	}
	b.undo()
	b.until(func() string { return differs(b.description(), "") })
	if b.text() != oneServer {
		t.Errorf("undone, the file is\n%s", b.text())
	}
	b.saver.Redo()
	b.until(func() string { return differs(b.description(), "first") })
	b.saver.Redo()
	b.until(func() string { return differs(b.toast(), "There is nothing to redo.") })
	b.saver.Undoable("Deleted “memory”")
	if got := b.toast(); got != "Deleted “memory” Undo" {
		t.Errorf("the toast says %q", got)
	}
	test.Tap(b.toastButton())
	b.until(func() string { return differs(b.description(), "") })
}

// Undo in a toast undoes the edit that the toast is about, never a later one.
func TestUndoIsOfferedForTheLastEditOnly(t *testing.T) {
	b := newBench(t, oneServer, nil)
	edit := func(text string, done func(error)) { b.saver.Edit(describe(text), done) }
	told := func(text string) {
		t.Helper()
		if err := b.await(func(done func(error)) {
			edit(text, func(err error) { b.saver.Undoable("Described"); done(err) })
		}); err != nil {
			t.Fatal(err)
		}
		if b.toast() != "Described Undo" {
			t.Fatalf("the toast says %q", b.toast())
		}
	}
	told("first")
	if err := b.await(func(done func(error)) { edit("second", done) }); err != nil {
		t.Fatal(err)
	}
	if b.toast() != "" {
		t.Errorf("after another edit, the toast still says %q", b.toast())
	}

	told("third")
	undo := b.toastButton()
	saved := b.await(func(done func(error)) {
		edit("fourth", done)
		test.Tap(undo)
	})
	b.until(func() string {
		return differs(strings.TrimSpace(b.toast()), "Something else has changed since. Undo that first.")
	})
	if saved != nil || b.description() != "fourth" {
		t.Errorf("the description is %q, the result %v", b.description(), saved)
	}

	b.undo()
	b.until(func() string { return differs(b.description(), "third") })
	if !strings.HasSuffix(b.toast(), " Redo") {
		t.Fatalf("the toast says %q", b.toast())
	}
	b.window.Say("Something else")
	if err := b.await(func(done func(error)) { edit("fifth", done) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(b.toast()); got != "Something else" {
		t.Errorf("an edit replaces an unrelated toast: %q", got)
	}
}

// While typed text is not saved, Undo does not undo an older edit.
func TestUndoLeavesTypedText(t *testing.T) {
	b := newBench(t, oneServer, nil)
	if err := b.await(func(done func(error)) { b.saver.Edit(describe("kept"), done) }); err != nil {
		t.Fatal(err)
	}
	b.showFile()
	code := codeIn(b.window.Window.Content())
	code.Goto(1, 2)
	b.window.Window.Canvas().Focus(code.Focusable())
	code.Focusable().TypedRune('x')
	typed := code.Text()
	code.SetText(typed) // the text has no undo history, as after secrets were hidden
	for _, press := range []func(){b.undoHere, b.redoHere} {
		press()
		if !strings.HasPrefix(b.toast(), "There is nothing to ") {
			t.Errorf("the toast says %q", b.toast())
		}
	}
	if b.description() != "kept" || code.Text() != typed || !strings.Contains(b.text(), "kept") {
		t.Errorf("the text is %s, and the file %s", code.Text(), b.text())
	}
}

func differs(got, want string) string {
	if got != want {
		return fmt.Sprintf("it is %q, not %q", got, want)
	}
	return ""
}

// toast returns the text of the toast and of its button.
func (b *bench) toast() string {
	var words []string
	for _, object := range test.LaidOutObjects(b.window.Toast.Root) {
		switch object := object.(type) {
		case *kit.Text:
			words = append(words, object.Text())
		case *kit.Lines:
			words = append(words, object.Text())
		case *kit.Button:
			words = append(words, object.Text)
		}
	}
	return strings.Join(words, " ")
}

func (b *bench) toastButton() fyne.Tappable {
	for _, object := range test.LaidOutObjects(b.window.Toast.Root) {
		if button, ok := object.(*kit.Button); ok {
			return button
		}
	}
	b.t.Fatal("the toast has no button")
	return nil
}

// An edit that was begun before another program changed something else is applied to the new file.
func TestEditOfAnOlderView(t *testing.T) {
	b := newBench(t, oneServer, nil)
	base := b.now.File.Now
	b.write(strings.Replace(oneServer, `"sh"`, `"true"`, 1))
	if err := b.await(func(done func(error)) {
		b.saver.Save(configfile.ChangeOf(base, describe("mine")), done)
	}); err != nil {
		t.Fatal(err)
	}
	if got := b.text(); !strings.Contains(got, `"true"`) || !strings.Contains(got, "mine") {
		t.Errorf("the file is\n%s", got)
	}
}

// If the user and another program have changed the same value, the user chooses.
func TestConflict(t *testing.T) {
	described := func(text string) string {
		return strings.Replace(oneServer, `"mcpServers"`, `"description": "`+text+`", "mcpServers"`, 1)
	}
	for _, c := range []struct{ button, want string }{{"Keep what is in the file", "theirs"}, {"Use my change", "mine"}} {
		t.Run(c.button, func(t *testing.T) {
			b := newBench(t, described("old"), nil)
			base := b.now.File.Now
			b.write(described("theirs"))
			b.until(func() string { return differs(b.description(), "theirs") })
			var result error
			came := false
			b.saver.Save(configfile.ChangeOf(base, describe("mine")), func(err error) { result, came = err, true })
			b.until(func() string {
				if b.window.Window.Canvas().Overlays().Top() == nil {
					return "nothing is asked"
				}
				return ""
			})
			if came {
				t.Fatal("the conflict was decided without the user")
			}
			b.tapDialog(c.button)
			b.until(func() string {
				if !came {
					return "done was not called"
				}
				return ""
			})
			var conflict *store.Conflict
			if (c.want == "theirs") != errors.As(result, &conflict) {
				t.Errorf("the edit ended with %v", result)
			}
			if got := b.text(); !strings.Contains(got, c.want) {
				t.Errorf("the file is\n%s", got)
			}
		})
	}
}

func (b *bench) tapDialog(label string) {
	b.t.Helper()
	for _, object := range test.LaidOutObjects(b.window.Window.Canvas().Overlays().Top()) {
		if button, ok := object.(*kit.Button); ok && button.Text == label {
			button.Tapped(nil)
			return
		}
	}
	b.t.Fatalf("the dialog has no button %q", label)
}

// An edit that could not be saved is shown anyway, with the reason, until it can be saved.
func TestEditThatCannotBeSaved(t *testing.T) {
	b := newBench(t, oneServer, nil)
	// Even root cannot write a file over a folder.
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.await(func(done func(error)) { b.saver.Edit(describe("kept"), done) }); err != nil {
		t.Fatal(err)
	}
	if got := b.window.UnsavedText.Text(); !b.window.Unsaved.Visible() ||
		!strings.HasPrefix(got, "Not saved: ") {
		t.Errorf("the line says %q", got)
	}
	if got := b.description(); got != "kept" {
		t.Errorf("the window shows %q", got)
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	b.saver.Retry()
	b.until(func() string {
		if b.window.Unsaved.Visible() {
			return "it still says that it is not saved"
		}
		return ""
	})
	if got := b.text(); !strings.Contains(got, "kept") {
		t.Errorf("the file is\n%s", got)
	}
}

func TestRepair(t *testing.T) {
	b := newBench(t, strings.Replace(oneServer, `"sh"`, `"sh",,`, 1), nil)
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
	if err := b.await(b.saver.FixAll); err != nil {
		t.Fatal(err)
	}
	if got := b.window.Status.Word.Text(); got != "Saved" || b.word("a") != "Not started" {
		t.Errorf("after the repair, the line at the bottom says %q, and the file is\n%s", got, b.text())
	}
	b.undo()
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
}

// The strip, the line at the bottom, the tray and the doctor show the same number of problems. A problem that the
// doctor has found too counts once, and notes do not count.
func TestProblemsAreCountedOnce(t *testing.T) {
	b := newBench(t, strings.Replace(oneServer, `"sh"`, `"nothing-of-that-name"`, 1), nil)
	b.until(func() string { return differs(b.window.Status.Problems.AccessibilityLabel(), "1 problem") })
	b.places.Choose(placeSettings)
	b.model.Doctor.Checks = []doctor.Check{
		// also a problem of the file
		{ID: "node", Group: doctor.Programs, Title: words.Foreign("Node.js"), State: doctor.Wrong},
		{ID: "path", Group: doctor.Programs, Title: words.Foreign("Path"), State: doctor.Notice},
		{ID: "secrets", Group: doctor.Files, Title: words.Foreign("Who can read it"), State: doctor.Wrong},
	}
	b.model.Doctor.Finished = time.Now()
	b.examined()
	if got := b.window.Status.Problems.AccessibilityLabel(); got != "2 problems" {
		t.Errorf("the line at the bottom says %q", got)
	}
	if got := toolboxes.ProblemCount(b.model.Findings); got != "2 problems" {
		t.Errorf("the strip says %q", got)
	}
	if got := tray.StateOf(b.now.Snapshot, b.now.view, model.Login{}).Problems; got != "2 problems" {
		t.Errorf("the tray says %q", got)
	}
	b.until(func() string { // this section is made after the others
		for _, object := range test.LaidOutObjects(b.settings.Object()) {
			if text, ok := object.(*kit.Lines); ok && strings.HasPrefix(text.Text(), "2 problems") {
				return ""
			}
		}
		return "the doctor does not say how many"
	})
	b.places.Choose(placeToolboxes)
	b.examined() // does not count them again
	if got := b.now.view.Count(); got != 2 {
		t.Errorf("%d problems are counted, want 2", got)
	}
}

// Repairing everything also repairs problems that appear only after others are repaired, and says how many are left.
func TestRepairFixesWhatItUncovers(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {
		"a": {"comand": "sh -c true", "args": ["-c", "true"]},
		"b": {"command": "sh", "env": {"X": null}}
	}}}}`, nil)
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
	if err := b.await(b.saver.FixAll); err != nil {
		t.Fatal(err)
	}
	if got := b.text(); !strings.Contains(got, `"a": {"command": "sh", "args": ["-c", "true"]}`) {
		t.Errorf("the file is\n%s", got)
	}
	if said := b.toast(); !strings.Contains(said, "1 problem is left for you") {
		t.Errorf("the toast says %q", said)
	}
}

// The keys of the window undo a repair in the text of the file, because the text does not have the focus after a click
// on the button.
func TestRepairOfTheTextIsUndone(t *testing.T) {
	broken := strings.Replace(strings.Replace(oneServer, `"sh"`, `"sh",,`, 1), `"a"`, `a`, 1)
	b := newBench(t, broken, nil)
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
	b.showFile()
	code := codeIn(b.window.Window.Content())
	b.until(func() string {
		for _, object := range test.LaidOutObjects(b.window.Window.Content()) {
			if button, ok := object.(*kit.Button); ok && button.Text == "Remove the comma" &&
				strings.Contains(code.Text(), ",,") {
				test.Tap(button)
			}
		}
		if strings.Contains(code.Text(), ",,") {
			return "it is not repaired: " + code.Text()
		}
		return ""
	})
	repaired := code.Text()
	b.window.Window.Canvas().Unfocus()
	b.undoHere()
	if code.Text() != broken {
		t.Errorf("the repair is not undone: %s", code.Text())
	}
	b.redoHere()
	if code.Text() != repaired {
		t.Errorf("the repair is not redone: %s", code.Text())
	}
	if b.toast() != "" {
		t.Errorf("the toast says %q", b.toast())
	}
}

// While the file is broken, nothing is undone, and the window says why.
func TestUndoWithABrokenFile(t *testing.T) {
	b := newBench(t, oneServer, nil)
	if err := b.await(func(done func(error)) { b.saver.Edit(describe("new"), done) }); err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(oneServer, `"sh"`, `"sh",,`, 1)
	b.write(broken)
	b.until(func() string { return differs(b.window.Status.Word.Text(), "Cannot be used") })
	b.undo()
	b.until(func() string {
		return differs(strings.TrimSpace(b.toast()), "The configuration has an error that must be corrected first.")
	})
	if b.window.Window.Canvas().Overlays().Top() != nil || b.text() != broken {
		t.Errorf("%q lies over the screen, and the file is\n%s", b.overlay(), b.text())
	}
}

// Enter closes the message of a failure.
func TestFailureByKeyboard(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.window.Fail(errors.New("the disk is full"))
	if got := b.overlay(); !strings.Contains(got, "[Close]") {
		t.Fatalf("shown is %q", got)
	}
	ok, _ := b.window.Window.Canvas().Focused().(*kit.Button)
	if ok == nil {
		t.Fatal("the button has no focus")
	}
	ok.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.window.Window.Canvas().Overlays().Top() != nil {
		t.Error("Enter does not close the message")
	}
}

func TestKeysOfTheWindow(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.places.Choose(placeActivity)
	if b.places.At() != placeActivity || b.window.Content.Shown() != b.activity.Object() || !b.aggregator.WatchesCalls() {
		t.Error("the activity is not shown")
	}
	b.places.Choose(placeToolboxes)
	if b.aggregator.WatchesCalls() {
		t.Error("calls are still collected")
	}
	b.window.Toast.Show("x", "", nil)
	b.window.Window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.toast() != "" {
		t.Error("Esc does not close the toast")
	}
	buttons := b.window.Nav.Buttons
	b.window.Window.Canvas().Focus(buttons[0])
	buttons[0].TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if b.window.Window.Canvas().Focused() != buttons[1] {
		t.Error("the arrow keys do not move along the bar")
	}
	buttons[1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.places.At() != placeClients {
		t.Error("Enter does not show the screen")
	}
}

// Snapshots are made at most ten times a second, whatever happens.
func TestSnapshotsAreCoalesced(t *testing.T) {
	b := newBench(t, oneServer, nil)
	first := b.now.Number
	begun := time.Now()
	for time.Since(begun) < 500*time.Millisecond {
		b.aggregator.Again()
		time.Sleep(time.Millisecond)
	}
	b.until(func() string {
		if b.now.Number == first {
			return "nothing new is shown"
		}
		return ""
	})
	if made, most := b.now.Number-first, uint64(time.Since(begun)/(100*time.Millisecond))+2; made > most {
		t.Errorf("%d snapshots in %v", made, time.Since(begun))
	}
}
