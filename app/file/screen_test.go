package file

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestTypingIsSavedWhenItCanBeUsed(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("Development tools", " of mine")
	b.onDisk("before the time", plainText)
	b.says("half typed", "Not applied yet", "OK")
	b.onDisk("half typed", plainText) // however long the user waits
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

// slow is a program on a computer that is slow to say what is wrong with it.
type slow struct {
	fake
	background func(work, done func())
}

func (s slow) Background(work, done func()) { s.background(work, done) }

func (s slow) Warnings(*config.Document) []config.Diagnostic {
	return []config.Diagnostic{{Severity: config.SeverityWarning, Line: 1, Column: 1,
		Message: words.Foreign("the computer is too small")}}
}

// TestSavingDoesNotWaitForTheComputer checks that text is diagnosed and saved while the computer is being checked, and
// that the result of that check is shown when it comes.
func TestSavingDoesNotWaitForTheComputer(t *testing.T) {
	b := open(t, plainText, usual)
	asked := 0
	var answer func()
	b.text.check.program = slow{fake{b}, func(work, done func()) {
		if asked++; asked%2 == 0 { // the first job is the diagnosis
			answer = func() { work(); done() }
			return
		}
		work()
		done()
	}}
	b.types("info", "r")
	if answer == nil {
		t.Fatal("the computer was not checked")
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
	b.says("with a mistake", "1 problem", "Line 8:", "Cannot be used", "Not applied yet")
	if b.text.banner.Root.Visible() {
		t.Error("a banner moves the text while the user types")
	}
	b.Commit()
	b.Leave()
	b.onDisk("with a mistake", plainText)
	if !b.Unsaved() {
		t.Error("Unsaved is false for text that cannot be saved")
	}
	b.erases(1)
	b.types("info", "r")
	b.text.code.Focusable().(fyne.Shortcutable).TypedShortcut(saveShortcut())
	b.onDisk("corrected and saved", with(t, "info", "infor"))
	if b.Unsaved() {
		t.Error("Unsaved is still true")
	}
}

func TestGiveUp(t *testing.T) {
	b := open(t, plainText, usual)
	b.types("info", `",,`)
	b.tap("Discard")
	b.wait()
	b.onDisk("given up", plainText)
	b.says("given up", "Saved")
}

// TestSecretsStayHidden checks that no widget contains a hidden secret, that the user can type around it, and that its
// mask is never saved.
func TestSecretsStayHidden(t *testing.T) {
	b := open(t, plainText, usual)
	hidden := func(what string) {
		t.Helper()
		b.saysNot(what, token, "hunter2")
	}
	hidden("at first")
	b.says("at first", "1 secret hidden", `"GITHUB_TOKEN": "•••"`)
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

	// The server's form changes the value meanwhile.
	want = strings.Replace(want, token+"-new", "hunter2-other", 1)
	b.outside(want)
	b.types(`"LEVEL": "information"`, ` /* more */`)
	b.wait()
	b.onDisk("changed elsewhere", strings.Replace(want, `"information"`, `"information" /* more */`, 1))
	hidden("changed elsewhere")
}

// TestSecretsStayHiddenInABrokenFile checks that the hidden secrets of a valid file stay hidden when another program
// breaks the file.
func TestSecretsStayHiddenInABrokenFile(t *testing.T) {
	text := with(t, `"env": { "GITHUB_TOKEN": "`+token+`"`, `"auth": { "plain": "`+token+`" }, "env": { "X": "1"`)
	b := open(t, text, usual)
	b.saysNot("whole", token)
	b.outside(strings.Replace(text, `"command": "npx",`, `"command": "npx",,`, 1))
	b.saysNot("broken", token)
	b.tap("Repair everything")
	b.says("repairing", "Repair everything", "Line 8: Remove the comma.")
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
		t.Error("the pasted mask is gone, so this test checks nothing")
	}

	b = open(t, with(t, "Development tools", "dots "+secret.Masked), usual)
	b.types("Mine.", " Yes.")
	b.wait()
	b.onDisk("a file that has such dots itself",
		strings.Replace(with(t, "Development tools", "dots "+secret.Masked), "Mine.", "Mine. Yes.", 1))
}

// TestBytesStay checks that line endings, the byte order mark and invalid characters are kept.
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

// TestDiskTrouble checks that a text which cannot be written stays on the screen, and is saved by the button of the
// window.
func TestDiskTrouble(t *testing.T) {
	b := open(t, plainText, usual)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.types("info", "x") // before the screen notices that the file is gone
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
	b.says("no file", "No file yet")
	b.tap("Make the file")
	b.types(`"toolboxes": {`, `"a": {}`)
	b.wait()
	b.onDisk("made", "{\n  \"toolboxes\": {\"a\": {}}\n}\n")
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.says("removed", "No file yet")
	b.tap("Make the file")

	b.types(`"toolboxes": {`, `"b": {}`)
	if err := os.Remove(b.file); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.says("removed while typing", "The file was removed while you were typing")
	b.tap("Make the file")
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
	b.says("a folder", "The file cannot be read", "is a folder", "Open folder")
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
		t.Error("the text can be changed")
	}
}

// A paste after which the text is too large to type in says so, and can be taken back.
func TestTooLargeAfterAPaste(t *testing.T) {
	b := open(t, plainText, usual)
	clipboard := fyne.CurrentApp().Clipboard()
	clipboard.SetContent(strings.Repeat("nothing but words\n", maxTyped/10))
	b.window.Canvas().Focus(b.text.code.Focusable())
	b.text.code.Focusable().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	b.wait()
	b.says("large", "larger than 2 MiB", "Discard my changes")
	b.tap("Discard my changes")
	if b.text.code.ReadOnly() || strings.Contains(b.text.code.Text(), "nothing but words") {
		t.Error("the text cannot be changed afterwards")
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

// TestProblemsByKeyboard checks that the Tab key reaches every problem, even if the list must be scrolled.
func TestProblemsByKeyboard(t *testing.T) {
	b := open(t, plainText, small)
	b.outside(strings.Replace(strings.Replace(plainText, `"command": "npx"`, `command: npx`, 2), `"research":`,
		`research:`, 1))
	list := b.text.problems
	canvas, place := b.window.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject
	reached, inList, scrolled := map[string]bool{}, map[fyne.CanvasObject]bool{}, false
	walk(list.rows, func(object fyne.CanvasObject) { inList[object] = true })
	for range 60 {
		canvas.FocusNext()
		button, ok := canvas.Focused().(*kit.Button)
		if !ok {
			continue
		}
		reached[button.Text] = true
		scrolled = scrolled || place(list.rows).Y < place(list.page).Y
		if !inList[button] {
			continue
		}
		top := place(button).Y - place(list.page).Y
		if top < -1 || top+button.Size().Height > list.page.Size().Height+1 {
			t.Errorf("a button with the focus is at %v of %v", top, list.page.Size().Height)
		}
	}
	for _, name := range []string{"Show secrets", "Repair everything", "Show"} {
		if !reached[name] {
			t.Errorf("%q cannot be reached with Tab; reached were %v", name, reached)
		}
	}
	if !scrolled {
		t.Error("the list was never scrolled")
	}
}

// TestLeaving checks that the last typed text is saved although another screen is already shown.
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

// TestProblemsAreCounted checks that the number of problems is the same as in the rest of the window.
func TestProblemsAreCounted(t *testing.T) {
	found := func(severities ...config.Severity) (all []config.Diagnostic) {
		for _, severity := range severities {
			all = append(all, config.Diagnostic{Severity: severity})
		}
		return all
	}
	for want, diagnostics := range map[string][]config.Diagnostic{
		"":                   nil,
		"1 problem":          found(config.SeverityWarning),
		"2 problems":         found(config.SeverityWarning, config.SeverityError),
		"1 problem · 1 note": found(config.SeverityInfo, config.SeverityError),
	} {
		if got := countProblems(diagnostics); got != want {
			t.Errorf("%d findings are counted as %q, want %q", len(diagnostics), got, want)
		}
	}
}
