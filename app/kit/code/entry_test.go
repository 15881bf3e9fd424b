package code

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func openCode(t testing.TB, text string) (*Entry, fyne.Canvas) {
	application := test.NewTempApp(t)
	application.Settings().SetTheme(theme.Theme{})
	e := NewEntry()
	e.SetText(text)
	window := test.NewTempWindow(t, e)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(500, 300))
	return e, window.Canvas()
}

func (e *Entry) keys(names ...fyne.KeyName) {
	for _, name := range names {
		e.area.TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (e *Entry) types(text string) {
	for _, r := range text {
		e.area.TypedRune(r)
	}
}

func (e *Entry) shifted(names ...fyne.KeyName) {
	e.area.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	e.keys(names...)
	e.area.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func (e *Entry) wants(t *testing.T, text string, line, column int) {
	t.Helper()
	if e.Text() != text {
		t.Errorf("the text is %q, want %q", e.Text(), text)
	}
	if l, c := e.Caret(); l != line || c != column {
		t.Errorf("the caret is at %d:%d, want %d:%d", l, c, line, column)
	}
}

func TestCodeEntryTypes(t *testing.T) {
	e, window := openCode(t, "")
	changes := 0
	e.OnChanged = func(text string) {
		changes++
		if text != e.Text() {
			t.Error("OnChanged gets another text")
		}
	}
	window.Focus(e.Focusable())
	e.types("{")
	e.keys(fyne.KeyReturn)
	e.types("\"a\": 1")
	e.wants(t, "{\n  \"a\": 1", 2, 9)
	e.keys(fyne.KeyHome, fyne.KeyHome)
	e.wants(t, "{\n  \"a\": 1", 2, 1)
	e.keys(fyne.KeyHome, fyne.KeyBackspace)
	e.wants(t, "{\n \"a\": 1", 2, 2)
	e.keys(fyne.KeyEnd, fyne.KeyLeft, fyne.KeyDelete, fyne.KeyDelete)
	e.wants(t, "{\n \"a\": ", 2, 7)
	e.keys(fyne.KeyUp, fyne.KeyDelete)
	e.wants(t, "{ \"a\": ", 1, 2)
	if changes != 11 {
		t.Errorf("OnChanged was called %d times", changes)
	}
	for range 40 {
		e.Undo()
	}
	if e.Text() != "" {
		t.Errorf("after undo, the text is %q", e.Text())
	}
	for range 40 {
		e.Redo()
	}
	e.wants(t, "{ \"a\": ", 1, 2)
	e.SetText("new")
	e.Undo()
	if e.Text() != "new" {
		t.Error("SetText can be undone")
	}
}

func TestCodeEntrySelects(t *testing.T) {
	e, _ := openCode(t, "one two\nthree\n\nfour")
	clipboard := test.NewClipboard()
	e.Goto(1, 5)
	e.shifted(fyne.KeyDown, fyne.KeyRight)
	if got := e.SelectedText(); got != "two\nthree" {
		t.Errorf("selected is %q", got)
	}
	e.area.TypedShortcut(&fyne.ShortcutCut{Clipboard: clipboard})
	e.wants(t, "one \n\nfour", 1, 5)
	e.keys(fyne.KeyDown, fyne.KeyDown)
	e.wants(t, "one \n\nfour", 3, 5) // the caret keeps its column across the empty line
	e.area.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	e.wants(t, "one \n\nfourtwo\nthree", 4, 6)
	e.area.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.types("x")
	e.wants(t, "x", 1, 2)
	e.Undo()
	if e.Text() != "one \n\nfourtwo\nthree" {
		t.Errorf("after undo, the text is %q", e.Text())
	}
	custom := func(key fyne.KeyName, modifier fyne.KeyModifier) {
		e.area.TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: modifier})
	}
	custom(fyne.KeyHome, fyne.KeyModifierControl)
	custom(fyne.KeyRight, fyne.KeyModifierControl|fyne.KeyModifierShift)
	if got := e.SelectedText(); got != "one" {
		t.Errorf("a word is %q", got)
	}
	custom(fyne.KeyEnd, fyne.KeyModifierControl)
	custom(fyne.KeyBackspace, fyne.KeyModifierControl)
	e.wants(t, "one \n\nfourtwo\n", 4, 1)
	e.area.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(codePad+1, codePad+1)},
		Button: desktop.MouseButtonPrimary})
	e.wants(t, "one \n\nfourtwo\n", 1, 1)
	e.area.DoubleTapped(&fyne.PointEvent{Position: fyne.NewPos(codePad+10, codePad+1)})
	if got := e.SelectedText(); got != "one" {
		t.Errorf("a double click selects %q", got)
	}
}

func TestCodeEntryIndents(t *testing.T) {
	e, _ := openCode(t, "{\n    a\n\n    b\n}")
	e.Goto(2, 1)
	e.shifted(fyne.KeyDown, fyne.KeyDown, fyne.KeyEnd)
	e.keys(fyne.KeyTab)
	if e.Text() != "{\n        a\n\n        b\n}" || !strings.Contains(e.SelectedText(), "a\n\n        b") {
		t.Errorf("indented, the text is %q, selected %q", e.Text(), e.SelectedText())
	}
	e.shifted(fyne.KeyTab)
	e.shifted(fyne.KeyTab)
	e.shifted(fyne.KeyTab)
	if e.Text() != "{\na\n\nb\n}" {
		t.Errorf("outdented, the text is %q", e.Text())
	}
	e.Undo()
	e.Undo()
	e.Undo()
	if e.Text() != "{\n    a\n\n    b\n}" {
		t.Errorf("after undo, the text is %q", e.Text())
	}
}

func TestCodeEntryReadOnly(t *testing.T) {
	e, window := openCode(t, "text")
	e.SetReadOnly(true)
	window.Focus(e.Focusable())
	clipboard := test.NewClipboard()
	clipboard.SetContent("paste")
	e.types("x")
	e.keys(fyne.KeyDelete, fyne.KeyReturn, fyne.KeyTab, fyne.KeyBackspace)
	e.area.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	e.area.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.area.TypedShortcut(&fyne.ShortcutCut{Clipboard: clipboard})
	e.Undo()
	if e.Text() != "text" || clipboard.Content() != "text" {
		t.Errorf("the text is %q, copied %q", e.Text(), clipboard.Content())
	}
	if e.area.AcceptsTab() {
		t.Error("a read-only text keeps the Tab key")
	}
}

// A text that is only shown loses no byte. A text that is changed loses no byte elsewhere.
func TestCodeEntryKeepsBytes(t *testing.T) {
	for _, text := range []string{"", "\n", "a\r\nb\r\n", "a\r\nb\n", "\ufeffx", "\xff\xfe\n\xc3", "\x00\u202e",
		"ü\n日本\t語", strings.Repeat("x", 100000)} {
		e, _ := openCode(t, text)
		if e.Text() != text {
			t.Errorf("%q became %q", text, e.Text())
		}
		e.Goto(1, 1)
		e.types("!")
		want := "!" + text
		if strings.HasPrefix(text, "\ufeff") {
			want = "\ufeff!" + text[3:]
		}
		if e.Text() != want {
			t.Errorf("%q with a letter became %q", text, e.Text())
		}
	}
	e, _ := openCode(t, "a\r\nb")
	e.Goto(1, 2)
	e.keys(fyne.KeyReturn)
	e.wants(t, "a\r\n\r\nb", 2, 1)
}

func drawn(e *Entry) (texts []*canvas.Text, rectangles []*canvas.Rectangle) {
	for _, object := range test.WidgetRenderer(e.area).Objects() {
		switch object := object.(type) {
		case *canvas.Text:
			texts = append(texts, object)
		case *canvas.Rectangle:
			rectangles = append(rectangles, object)
		}
	}
	return texts, rectangles
}

func TestCodeEntryDrawsOnAGrid(t *testing.T) {
	e, _ := openCode(t, "a日b\tü\u202ec")
	cell := e.area.cell().Width
	texts, _ := drawn(e)
	var got []string
	for _, text := range texts {
		got = append(got, fmt.Sprintf("%s@%.0f", text.Text, (text.Position().X-codePad)/cell))
	}
	if want := "a@0 日@1 b@3 ü@8 ·@9 c@10"; strings.Join(got, " ") != want {
		t.Errorf("drawn is %q, want %q", got, want)
	}
	for at, want := range map[float32]int{0: 0, 0.4: 0, 0.6: 1, 1.9: 1, 2.1: 4, 3.6: 5, 99: 12} {
		if got := atCell(e.buffer.lines[0], at); got != want {
			t.Errorf("at %v is byte %d, want %d", at, got, want)
		}
	}
}

func TestCodeEntryMarks(t *testing.T) {
	e, _ := openCode(t, "first\nsecond ü line\nthird")
	e.SetMarks([]Mark{{Line: 2, Column: 8, Length: 1, State: theme.StateWrong},
		{Line: 3, Column: 90, State: theme.StateNotice}, {Line: 99, Column: 1}})
	cell := e.area.cell()
	_, rectangles := drawn(e)
	if len(rectangles) != 2 {
		t.Fatalf("%d underlines are drawn, want 2", len(rectangles))
	}
	if r := rectangles[0]; r.Position().X != codePad+7*cell.Width || r.Size().Width != cell.Width {
		t.Errorf("the first mark is at %v, %v wide", r.Position(), r.Size().Width)
	}
	icons := 0
	for _, object := range test.WidgetRenderer(e.gutter).Objects() {
		if _, ok := object.(fyne.Widget); ok {
			icons++
		}
	}
	if icons != 2 {
		t.Errorf("%d marks are drawn in the margin, want 2", icons)
	}
}

func TestCodeEntryGotoScrolls(t *testing.T) {
	e, _ := openCode(t, big(20_000))
	e.Goto(15_000, 3)
	from, to := e.area.visible()
	if line, column := e.Caret(); line != 15_000 || column != 3 || from > 14_999 || to < 14_999 {
		t.Errorf("the caret is at %d:%d, shown are %d to %d", line, column, from, to)
	}
	texts, _ := drawn(e)
	if len(texts) == 0 || len(texts) > 60 {
		t.Errorf("%d texts are drawn", len(texts))
	}
	e.Goto(-5, -5)
	e.Goto(1<<40, 1<<40)
	e.Goto(3, 1<<40)
}

// TestCodeEntryKeepsTheCaretInSight checks that the caret stays visible when the editor gets smaller, and becomes
// visible when the editor gets its size, unless the user has scrolled away from it.
func TestCodeEntryKeepsTheCaretInSight(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	e := NewEntry()
	e.SetText(big(100))
	e.Goto(80, 60) // before it is laid out, as when a problem opens the screen
	sight := func(when string, want bool) {
		t.Helper()
		x, y := e.caretAt()
		from, view, cell := e.scroll.Offset, e.scroll.Size(), e.area.cell()
		if got := y >= from.Y && y+cell.Height <= from.Y+view.Height && x >= from.X && x <= from.X+view.Width; got != want {
			t.Errorf("%s: the caret is visible: %v; it is at %v, %v of %v from %v on", when, got, x, y, view, from)
		}
	}
	window := test.NewTempWindow(t, e)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(500, 300))
	sight("laid out", true)
	for line := 81; line < 100; line += 6 {
		window.Resize(fyne.NewSize(500, 300))
		e.Goto(line, 60)
		window.Resize(fyne.NewSize(300, 120))
		sight("smaller", true)
	}
	e.scroll.ScrollToOffset(fyne.NewPos(0, 0))
	window.Resize(fyne.NewSize(300, 100))
	sight("scrolled away", false)
}

// big returns a configuration with lines of 50 bytes each.
func big(lines int) string {
	var out strings.Builder
	for i := range lines {
		fmt.Fprintf(&out, "    \"server-%05d\": {\"command\": \"npx\", \"args\": []},\n", i)
	}
	return out.String()
}

// The buffer gives the same result as the same operations on a string, and undoing all of them restores the start.
func TestCodeBufferAgainstText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b codeBuffer
		start := randomText(random, 20)
		b.set(start)
		text := b.text()
		for range 12 {
			from, to := random.IntN(len(text)+1), random.IntN(len(text)+1)
			if from > to {
				from, to = to, from
			}
			in := strings.ReplaceAll(randomText(random, 6), "\r\n", "\n")
			at := func(offset int) codePos {
				before := text[:offset]
				return codePos{strings.Count(before, "\n"), offset - strings.LastIndexByte(before, '\n') - 1}
			}
			end := b.change(at(from), at(to), in, random.IntN(2) == 0)
			text = text[:from] + in + text[to:]
			if b.text() != text {
				t.Fatalf("the buffer has %q, want %q", b.text(), text)
			}
			if want := at(from + len(in)); end != want {
				t.Fatalf("the end is %v, want %v", end, want)
			}
		}
		for {
			if _, ok := b.undo(); !ok {
				break
			}
		}
		if b.text() != start {
			t.Fatalf("after undo, the text is %q, want %q", b.text(), start)
		}
		for {
			if _, ok := b.redo(); !ok {
				break
			}
		}
		if b.text() != text {
			t.Fatalf("after redo, the text is %q, want %q", b.text(), text)
		}
	}
}

func randomText(random *rand.Rand, most int) string {
	var out strings.Builder
	for range random.IntN(most + 1) {
		out.WriteString([]string{"a", "b", "\n", "ü", " ", "日"}[random.IntN(6)])
	}
	return out.String()
}

// No typed text causes a panic, and the caret is always in the text.
func FuzzCodeEntry(f *testing.F) {
	f.Add("a\nb", "xq\n\t", uint64(1))
	f.Add("日本\r\n\xff", "ü", uint64(2))
	keys := []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd,
		fyne.KeyBackspace, fyne.KeyDelete,
		fyne.KeyReturn, fyne.KeyTab, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyEscape}
	f.Fuzz(func(t *testing.T, text, typed string, seed uint64) {
		if len(text) > 2000 || len(typed) > 50 {
			return
		}
		e, _ := openCode(t, text)
		random := rand.New(rand.NewPCG(seed, 0))
		for _, r := range typed {
			e.area.shift = random.IntN(3) == 0
			e.keys(keys[random.IntN(len(keys))])
			switch random.IntN(4) {
			case 0:
				e.Undo()
			case 1:
				e.Redo()
			default:
				e.types(string(r))
			}
			if p := e.buffer.clamp(e.caret); p != e.caret {
				t.Fatalf("the caret is at %v, which is not in the text", e.caret)
			}
		}
		for range 200 {
			e.Undo()
		}
		if e.Text() != text {
			t.Fatalf("after undo, the text is %q, want %q", e.Text(), text)
		}
	})
}

func BenchmarkCodeEntry(b *testing.B) {
	for name, text := range map[string]string{"1MB": big(20_000),
		"1MB-one-line": strings.ReplaceAll(big(20_000), "\n", " ")} {
		e, _ := openCode(b, text)
		e.Goto(10_000, 20)
		e.OnChanged = func(string) {}
		b.Run(name+"/key", func(b *testing.B) {
			for b.Loop() {
				e.types("x")
			}
		})
		b.Run(name+"/move", func(b *testing.B) {
			for b.Loop() {
				e.keys(fyne.KeyDown)
			}
		})
		b.Run(name+"/page", func(b *testing.B) {
			for b.Loop() {
				e.keys(fyne.KeyPageUp)
			}
		})
		b.Run(name+"/set", func(b *testing.B) {
			for b.Loop() {
				e.SetText(text)
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	e := NewEntry()
	e.SetText(strings.Repeat("  \"command\": \"npx\",\n", 20_000))
	b.ReportAllocs()
	for b.Loop() {
		_ = e.Text()
	}
}

// Moving through the window with the Tab key does not change a text. Once the user has typed in the text, Tab indents.
func TestTabPassesTexts(t *testing.T) {
	test.NewTempApp(t)
	code := NewEntry()
	code.SetText("one\ntwo")
	window := test.NewTempWindow(t, code)
	escaped := 0
	window.Canvas().SetOnTypedKey(func(*fyne.KeyEvent) { escaped++ })
	area := code.Focusable().(*codeArea)
	window.Canvas().Focus(area)
	if area.AcceptsTab() {
		t.Error("the Tab key does not leave a text in which nothing was typed")
	}
	for name, does := range map[string]func(){
		"typing": func() { area.TypedRune('x') },
		"moving": func() { area.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) },
	} {
		does()
		if !area.AcceptsTab() {
			t.Errorf("after %s the Tab key does not indent", name)
		}
		area.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if area.AcceptsTab() || escaped > 0 {
			t.Errorf("after %s and Esc the Tab key does not leave the text, or Esc reached the window: %d", name, escaped)
		}
	}
	area.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if escaped != 1 {
		t.Errorf("a second Esc reaches the window %d times", escaped)
	}
	area.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if escaped != 2 {
		t.Error("F1 does not reach the window")
	}
}
