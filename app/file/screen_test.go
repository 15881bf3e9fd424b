package file

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/config/store"
)

func TestTypingIsSavedWhenItCanBeUsed(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.onDisk("before the time", plainText)
	b.says("before the time", "Saved in a moment")
	b.wait()
	b.onDisk("after it", with(t, "Development tools", "Development tools of mine"))
	b.says("after it", "Saved")
	if line, column := b.text.code.Caret(); line != 5 || column != 48 || !b.text.code.Focused() {
		t.Errorf("the caret is at %d:%d", line, column)
	}
	b.text.code.Undo()
	b.wait()
	b.onDisk("undone in the text", plainText)
}

// Looking at the computer may take long: what is typed is diagnosed and saved meanwhile, and told of when it comes.
func TestSavingDoesNotWaitForTheComputer(t *testing.T) {
	b := open(t, plainText, usual)
	asked := 0
	var answer func()
	b.text.check.more = func(*config.Document) []config.Diagnostic {
		return []config.Diagnostic{{Severity: config.SeverityWarning, Line: 1, Column: 1, Message: "the computer is too small"}}
	}
	b.text.check.background = func(work, done func()) {
		if asked++; asked%2 == 0 { // first comes the diagnosis
			answer = func() { work(); done() }
			return
		}
		work()
		done()
	}
	b.types("info", "r")
	if answer == nil {
		t.Fatal("the computer was not looked at")
	}
	b.saysNot("typed", "too small")
	answer()
	b.says("told", "The computer is too small")
	b.types("infor", "m")
	b.wait()
	b.onDisk("typed", with(t, "info", "inform"))
}

func TestWhatCannotBeUsedIsNotSaved(t *testing.T) {
	b := open(t, plainText, usual)
	b.types(`"command": "npx"`, ",")
	b.wait()
	b.says("with a mistake", "Not saved: 1 problem.", "The last good version stays in force", "Line 8:")
	b.Commit()
	b.Leave()
	b.onDisk("with a mistake", plainText)
	if !b.Unsaved() {
		t.Error("it is not known that something is unsaved")
	}
	b.erases(1)
	b.types("info", "r")
	b.text.code.Focusable().(fyne.Shortcutable).TypedShortcut(saveShortcut())
	b.onDisk("corrected and saved", with(t, "info", "infor"))
	if b.Unsaved() {
		t.Error("it is still unsaved")
	}
}

func TestGiveUp(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("info", `",,`)
	b.tap("Give up my changes")
	b.wait()
	b.onDisk("given up", plainText)
	b.says("given up", "Saved")
}

// Secrets are nowhere in the widgets while they are hidden, one types around them, and what stands for them is never saved.
func TestSecretsStayHidden(t *testing.T) {
	b := open(t, plainText, usual)
	hidden := func(what string) {
		t.Helper()
		b.saysNot(what, token, "hunter2")
	}
	hidden("at first")
	b.says("at first", "1 secret is hidden", `"GITHUB_TOKEN": "•••"`)
	b.types("info", "rmation")
	b.wait()
	want := with(t, "info", "information")
	b.onDisk("typed behind it", want)
	hidden("after typing")

	b.types(`GITHUB_TOKEN": "`, "x")
	b.erases(1)
	b.says("typing in it", "This is a hidden secret.")
	b.wait()
	b.onDisk("typing in it", want)

	b.tap("Show secrets")
	b.says("shown", token)
	b.types(token, "-new")
	b.wait()
	want = strings.Replace(want, token, token+"-new", 1)
	b.onDisk("changed", want)
	b.Leave()
	hidden("left")

	// The form gives it another value meanwhile.
	want = strings.Replace(want, token+"-new", "hunter2-other", 1)
	b.outside(want)
	b.types(`"LEVEL": "information"`, ` /* more */`)
	b.wait()
	b.onDisk("changed elsewhere", strings.Replace(want, `"information"`, `"information" /* more */`, 1))
	hidden("changed elsewhere")
}

// A file that another program breaks does not show the secrets that were hidden as long as it was whole.
func TestSecretsStayHiddenInABrokenFile(t *testing.T) {
	text := with(t, `"env": { "GITHUB_TOKEN": "`+token+`"`, `"auth": { "plain": "`+token+`" }, "env": { "X": "1"`)
	b := open(t, text, usual)
	b.saysNot("whole", token)
	b.outside(strings.Replace(text, `"command": "npx",`, `"command": "npx",,`, 1))
	b.saysNot("broken", token)
	b.tap("Repair everything…")
	b.says("repairing", "Repair everything", "line 8: Remove the comma")
	b.saysNot("repairing", token)
	b.tap("Repair")
	b.onDisk("repaired", text)
	b.saysNot("repaired", token)
}

func TestMasksAreNeverSaved(t *testing.T) {
	b := open(t, plainText, usual)
	b.types(`"LEVEL": "info"`, `, "TOKEN": "`+secret.Masked+`"`)
	b.wait()
	b.Commit()
	b.onDisk("with a mask pasted", plainText)
	b.says("with a mask pasted", "Not saved: the dots in line 10")
	b.tap("Show secrets")
	b.wait()
	b.Commit()
	b.Leave()
	b.onDisk("with a mask pasted, shown", plainText)
	if strings.Contains(b.text.text, secret.Masked) == false {
		t.Error("the pasted mask is gone, and with it the test")
	}

	b = open(t, with(t, "Development tools", "dots "+secret.Masked), usual)
	b.types("Mine.", " Yes.")
	b.wait()
	b.onDisk("a file that has such dots itself", strings.Replace(with(t, "Development tools", "dots "+secret.Masked), "Mine.", "Mine. Yes.", 1))
}

func TestBrokenOutsideAndRepaired(t *testing.T) {
	b := open(t, plainText, usual)
	broken := with(t, `"command": "npx",`+"\n", `"command": "npx",,`+"\n")
	b.outside(broken)
	if line, _ := b.text.code.Caret(); line != 8 {
		t.Errorf("line %d is shown, not the one with the mistake", line)
	}
	b.says("broken", "The file cannot be used as it is. Line 8:", "Remove the comma", "The last good version stays in force")
	b.wait()
	b.Leave()
	b.Commit()
	b.onDisk("not asked", broken)
	b.tap("Remove the comma")
	b.onDisk("repaired", plainText)
	b.says("repaired", "Saved")
	b.text.code.Undo()
	if b.text.text != broken {
		t.Errorf("the repair cannot be undone like typing: %s", b.text.text)
	}
}

func TestOutsideChangesComeIn(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", "")
	b.outside("// new\n// lines\n" + plainText)
	b.onDisk("nothing typed", "// new\n// lines\n"+plainText)
	if line, _ := b.text.code.Caret(); line != 7 {
		t.Errorf("the caret is in line %d, not in the line it was in", line)
	}
	b.outside(plainText)

	b.types("Development tools", ` and "`) // half typed
	b.outside(with(t, "// Mine.", "// Mine.\n  // Theirs."))
	b.says("half typed", "// Theirs.", `Development tools and "`, "Not saved")
	if line, column := b.text.code.Caret(); line != 6 || column != 46 {
		t.Errorf("the caret is at %d:%d", line, column)
	}
	b.erases(1)
	b.wait()
	b.onDisk("both", strings.Replace(with(t, "// Mine.", "// Mine.\n  // Theirs."), "tools", "tools and ", 1))
}

// What others write leaves alone what is selected, and what was typed can be undone as before.
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
		t.Error("what was typed cannot be undone")
	}
	b.wait()
	b.onDisk("undone", "// new\n"+strings.Replace(plainText, token, "hunter2-other", 1))
	if !b.Redo() || b.Redo() {
		t.Error("it cannot be done again")
	}
	b.wait()
	b.onDisk("done again", "// new\n"+strings.Replace(mine, token, "hunter2-other", 1))
}

// What was typed is not taken back, nor done again, before what was done since elsewhere in the window. What is typed and not saved is
// newer than that.
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
	b.Leave() // which saves it
	elsewhere()
	if b.Undo() {
		t.Fatal("what was typed before is undone")
	}
	if _, err := b.store.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	b.types("info", `!"`)
	if !b.Undo() || !strings.Contains(b.text.text, `"info"`) {
		t.Errorf("what was typed last is not undone: %s", b.text.text)
	}
	if b.Undo() {
		t.Error("there is more to undo")
	}

	b = open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.wait()
	if !b.Undo() {
		t.Fatal("it is not undone")
	}
	b.wait()
	elsewhere()
	if b.Redo() {
		t.Error("what was undone before is done again")
	}
}

// Once all is repaired, older typing is not what is undone first.
func TestUndoAfterRepairingEverything(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.wait()
	mine := with(t, "Development tools", "Development tools of mine")
	b.outside(strings.Replace(mine, `"command": "npx",`+"\n", `"command": "npx",,`+"\n", 1))
	b.tap("Repair everything…")
	b.tap("Repair")
	b.onDisk("repaired", mine)
	if b.Undo() {
		t.Errorf("undone is older than the repair: %s", b.text.text)
	}
}

// What could be undone with the secrets shown does not come back while they are hidden.
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
		{"Keep mine", "My tools"}, {"Take theirs", "Their tools"},
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
			b.says("a conflict", "Another program has changed the same lines", "Not saved")
			b.tap("Show the difference")
			b.says("the difference", "My tools", "Their tools", "2 lines added, 2 lines removed")
			b.saysNot("the difference", "hunter2")
			if !b.Back() {
				t.Error("Esc does not close it")
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

// Typing goes on while the text is on its way to the file, and while others write it too.
func TestTypingWhileSaving(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "A")
	b.wait()
	b.onDisk("first", with(t, "Development", "DevelopmentA"))
	b.types("DevelopmentA", "B")
	b.hold = true
	b.Commit()
	if len(b.held) != 1 {
		t.Fatalf("%d things are held back, not the saving alone", len(b.held))
	}
	b.types("DevelopmentAB", "C")
	b.write(with(t, "Development", "DevelopmentA") + "// theirs\n")
	b.reload()
	b.release()
	b.wait()
	b.onDisk("all three", with(t, "Development", "DevelopmentABC")+"// theirs\n")
}

// Line ends, the byte order mark and what is no text stay as they are.
func TestBytesStay(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(with(t, "// Mine.", "// M\u00ef ne\t"), "\n", "\r\n")
	b := open(t, text, usual)
	b.types("info", "x")
	b.types("Development", "\n//\t")
	b.text.code.Undo()
	b.text.code.Undo()
	b.wait()
	b.onDisk("typed", strings.Replace(text, "info", "infox", 1))
	b.saysNot("typed", token)
}

// A text that the disk does not take stays on the screen, and is saved by the window's own button.
func TestDiskTrouble(t *testing.T) {
	b := open(t, plainText, usual)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.types("info", "x") // before it is seen that the file is gone
	b.wait()
	b.says("not saved", "Not saved", `"infox"`)
	if _, err := b.store.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	b.onDisk("saved", with(t, "info", "infox"))
	b.says("saved", "Saved", `"infox"`)
	b.saysNot("saved", "Not saved")
}

func TestNoFile(t *testing.T) {
	b := open(t, "", usual)
	b.says("no file", "There is no file")
	b.tap("Make the file")
	b.types(`"toolboxes": {`, `"a": {}`)
	b.wait()
	b.onDisk("made", "{\n  \"toolboxes\": {\"a\": {}}\n}\n")
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.says("removed", "There is no file")
	b.tap("Make the file")

	b.types(`"toolboxes": {`, `"b": {}`)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.says("removed while typing", "The file was removed while you were typing")
	b.tap("Make it again")
	b.onDisk("made again", "{\n  \"toolboxes\": {\"b\": {}}\n}\n")
}

func TestUnreadable(t *testing.T) {
	b := open(t, plainText, usual)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.file, 0o755); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.says("a folder", "The file cannot be read", "is a folder", "Open the folder")
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.outside(plainText)
	b.says("back again", "Development tools")
}

func TestTooLargeToTypeIn(t *testing.T) {
	large := plainText + strings.Repeat("// nothing but words\n", maxTyped/20)
	b := open(t, large, usual)
	b.says("large", "larger than 2 MiB", "Open it in another program")
	if !b.text.code.ReadOnly() {
		t.Error("it can be typed in")
	}
}

func TestGoto(t *testing.T) {
	b := open(t, plainText, usual)
	b.ShowHistory()
	b.Goto(10, strings.Index(strings.Split(plainText, "\n")[9], `"LEVEL"`)+1)
	code := b.text.code
	line, column := code.Caret()
	text := strings.Split(code.Text(), "\n")[line-1]
	if line != 10 || !strings.HasPrefix(string([]rune(text)[column-1:]), `"LEVEL"`) || !code.Focused() {
		t.Errorf("the caret is at %d:%d of %q", line, column, text)
	}
}

func TestHistory(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development", "al")
	b.wait()
	second := with(t, "Development", "Developmental")
	b.outside(strings.Replace(second, token, "hunter2-another", 1))
	b.ShowHistory()
	b.says("the list", "Text typed in the window", "Changed outside Workbench", "In this window", "Just now", "1 line added, 1 line removed")
	b.saysNot("the list", "hunter2")
	b.says("the newest", "This is what the file has now.")
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.history.mode.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.says("the first, against now", "2 lines added, 2 lines removed", "Developmental", "−", "+")
	b.saysNot("the first, against now", "hunter2")
	b.tap("Restore")
	b.onDisk("restored", plainText) // the store still knows the secret of that time
	if len(b.undone) != 1 || !strings.HasPrefix(b.undone[0], "Restored the version of ") || strings.Contains(b.undone[0], "Just now") {
		t.Fatalf("it was offered %q to undo it", b.undone)
	}
	b.says("restored", "Restored version 1")
	if _, err := b.store.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.apply()
	b.says("undone", "Undone: Restored version 1")
	b.ShowText()
	b.says("the text", "Developmental")
}

// A secret that nobody knows any more is named before the version is restored.
func TestHistoryNamesMissingSecrets(t *testing.T) {
	b := open(t, plainText, usual)
	without := with(t, `"GITHUB_TOKEN": "`+token+`", `, "")
	b.outside(without)
	b.reopen()
	b.apply()
	b.ShowHistory()
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	b.says("before", "1 secret has to be typed in again", "dev › github › env › GITHUB_TOKEN")
	b.tap("Restore")
	b.onDisk("restored", with(t, token, "${RESTORE_ME_GITHUB_GITHUB_TOKEN}"))
}

func TestHistoryEmpty(t *testing.T) {
	b := open(t, "", usual)
	b.ShowHistory()
	b.says("empty", "No versions yet")

	b = open(t, plainText, usual)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reopen()
	b.reload()
	b.tap("History")
	b.says("of a file that is gone", "Changed outside Workbench")
	b.tap("Restore")
	b.onDisk("of a file that is gone", with(t, token, "${RESTORE_ME_GITHUB_GITHUB_TOKEN}"))
}

func TestPlaceName(t *testing.T) {
	for in, want := range map[string]string{
		`toolboxes.dev.mcpServers.github.env.TOKEN`:     "dev › github › env › TOKEN",
		`toolboxes["my box"].mcpServers["a.b"].args[1]`: "my box › a.b › args › 1",
		"[": "", "[]": "", `["`: "", "a[1": "a › 1", ".": "",
		`toolboxes["open`: "open",
		``:                "",
		`toolboxes.dev.mcpServers.github.headers.Authorization`: "dev › github › headers › Authorization",
	} {
		if got := placeName(in); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}

// Every problem can be reached with the keyboard, also where the list has to be scrolled for it.
func TestProblemsByKeyboard(t *testing.T) {
	b := open(t, plainText, small)
	b.outside(strings.Replace(strings.Replace(plainText, `"command": "npx"`, `command: npx`, 2), `"research":`, `research:`, 1))
	list := b.text.problems
	canvas := b.window.Canvas()
	reached, inList, scrolled := map[string]bool{}, map[fyne.CanvasObject]bool{}, false
	walk(list.rows, func(object fyne.CanvasObject) { inList[object] = true })
	for range 60 {
		canvas.FocusNext()
		button, ok := canvas.Focused().(*kit.Button)
		if !ok {
			continue
		}
		reached[button.Text] = true
		scrolled = scrolled || list.scroll.Offset.Y > 0
		if !inList[button] {
			continue
		}
		top := fyne.CurrentApp().Driver().AbsolutePositionForObject(button).Y - fyne.CurrentApp().Driver().AbsolutePositionForObject(list.scroll).Y
		if top < -1 || top+button.Size().Height > list.scroll.Size().Height+1 {
			t.Errorf("a button with the keyboard is at %v of %v", top, list.scroll.Size().Height)
		}
	}
	for _, name := range []string{"Show secrets", "Repair everything…", "Show"} {
		if !reached[name] {
			t.Errorf("%q cannot be reached with Tab; reached were %v", name, reached)
		}
	}
	if !scrolled {
		t.Error("the list was never scrolled")
	}
}

// What is typed last is saved although another screen is shown already.
func TestLeaving(t *testing.T) {
	b := open(t, plainText, usual)
	b.hold = true
	b.types("info", "x") // not even diagnosed
	b.Leave()
	b.away = true
	b.release()
	want := with(t, "info", "infox")
	b.onDisk("left", want)
	if b.Unsaved() || b.text.text != want {
		t.Errorf("unsaved %v, and the text is\n%s", b.Unsaved(), b.text.text)
	}
	b.away = false
	b.outside(strings.Replace(want, "Mine", "Theirs", 1))
	b.says("back", "infox", "Theirs", "Saved")
}

// The rest of the window speaks of problems, whatever their severity; the count is the same here.
func TestProblemsAreCounted(t *testing.T) {
	found := func(severities ...config.Severity) (all []config.Diagnostic) {
		for _, severity := range severities {
			all = append(all, config.Diagnostic{Severity: severity})
		}
		return all
	}
	for want, diagnostics := range map[string][]config.Diagnostic{
		"":                    nil,
		"1 problem":           found(config.SeverityWarning),
		"2 problems":          found(config.SeverityWarning, config.SeverityError),
		"1 problem, 1 remark": found(config.SeverityInfo, config.SeverityError),
	} {
		if got := countProblems(diagnostics); got != want {
			t.Errorf("%d findings are counted as %q, want %q", len(diagnostics), got, want)
		}
	}
}
