package code

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

const keptMask = "•••"

// openKept opens a text whose masks cannot be changed.
func openKept(t testing.TB, text string) *Entry {
	e, _ := openCode(t, text)
	e.Keep(masks(text))
	return e
}

func masks(text string) []Span {
	var spans []Span
	for at := 0; ; {
		i := strings.Index(text[at:], keptMask)
		if i < 0 {
			return spans
		}
		spans = append(spans, Span{at + i, at + i + len(keptMask)})
		at += i + len(keptMask)
	}
}

func TestCodeEntryKeeps(t *testing.T) {
	const text = "{\n  \"a\": \"•••\",\n  \"b\": 1\n}"
	asked := 0
	e := openKept(t, text)
	e.OnKept = func() { asked++ }
	refuses := func(what string, do func()) {
		t.Helper()
		before := asked
		do()
		if e.Text() != text {
			t.Fatalf("%s: the text became %q", what, e.Text())
		}
		if asked == before {
			t.Errorf("%s: the user is not told why nothing happens", what)
		}
	}
	refuses("typing within", func() { e.Goto(2, 10); e.types("x") })
	refuses("backspace behind", func() { e.Goto(2, 12); e.keys(fyne.KeyBackspace) })
	refuses("delete in front", func() { e.Goto(2, 9); e.keys(fyne.KeyDelete) })
	refuses("a selection around it", func() {
		e.Goto(2, 1)
		e.shifted(fyne.KeyDown)
		e.types("x")
	})
	refuses("a change in two places", func() {
		if e.Change([]Change{{0, 0, "x"}, {13, 14, ""}}) {
			t.Error("Change reports that it has changed the text")
		}
		asked++ // Change tells the user nothing, so the count is corrected
	})
	if e.Goto(2, 12); e.SelectedText() != "" {
		t.Errorf("a refused key leaves %q selected", e.SelectedText())
	}

	e.Goto(1, 1)
	e.types("// new")
	e.keys(fyne.KeyReturn)
	e.Goto(3, 3)
	e.types(`"c": 2, `)
	if spans := e.Kept(); len(spans) != 1 || e.Text()[spans[0].Start:spans[0].End] != keptMask {
		t.Fatalf("kept %v of %q", spans, e.Text())
	}
	for range 30 {
		e.Undo()
	}
	if spans := e.Kept(); e.Text() != text || len(spans) != 1 || spans[0] != masks(text)[0] {
		t.Errorf("after undo, kept %v of %q", spans, e.Text())
	}
}

func TestCodeEntryChange(t *testing.T) {
	e := openKept(t, "\ufeff[1,\r\n2,\r\n\"•••\",]")
	changed := ""
	e.OnChanged = func(text string) { changed = text }
	text := e.Text()
	comma := strings.LastIndex(text, ",")
	if !e.Change([]Change{{5, 6, ""}, {comma, comma + 1, "\r\n"}}) {
		t.Fatal("refused")
	}
	if want := "\ufeff[1\r\n2,\r\n\"•••\"\r\n]"; changed != want {
		t.Errorf("the text is %q, want %q", changed, want)
	}
	e.Undo()
	if e.Text() != text {
		t.Errorf("after undo, the text is %q", e.Text())
	}
}

// Whatever the user does, the kept parts stay in the text, and Kept finds them.
func TestCodeEntryKeepsWhateverHappens(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const text = "{\r\n\t\"a\": \"•••\", \"b\": \"x•••y•••\",\r\n\t\"c\": 1 // •••\r\n}\r\n"
	e := openKept(t, text)
	for step := range 4000 {
		e.Goto(1+random.IntN(8), 1+random.IntN(40))
		if random.IntN(3) == 0 {
			e.shifted([]fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyRight, fyne.KeyEnd, fyne.KeyHome}[random.IntN(5)])
		}
		switch random.IntN(9) {
		case 0:
			e.keys(fyne.KeyBackspace)
		case 1:
			e.keys(fyne.KeyDelete)
		case 2:
			e.keys(fyne.KeyReturn)
		case 3:
			e.keys(fyne.KeyTab)
		case 4, 5:
			e.Undo()
		case 6:
			e.Redo()
		case 7:
			e.shifted(fyne.KeyTab)
		default:
			e.types("ä {")
		}
		now, spans := e.Text(), e.Kept()
		if len(spans) != 4 || strings.Count(now, keptMask) != 4 {
			t.Fatalf("step %d: kept %v of %q", step, spans, now)
		}
		for _, span := range spans {
			if now[span.Start:span.End] != keptMask {
				t.Fatalf("step %d: kept %v of %q", step, spans, now)
			}
		}
	}
}

// TestHistoryForgetsWhatWasUndone checks that steps that were undone and cannot be redone any more take no room in the
// history.
func TestHistoryForgetsWhatWasUndone(t *testing.T) {
	b := codeBuffer{lines: []string{""}, newline: "\n"}
	large := strings.Repeat("x", 1<<20)
	for range 2*maxCodeHistory/len(large) + 1 {
		b.change(codePos{}, codePos{}, large, false)
		b.undo()
	}
	for range 3 {
		b.change(codePos{}, codePos{}, "y", false)
	}
	if len(b.done) != 3 || b.weight != 3 {
		t.Errorf("there are %d steps of %d bytes, want 3 of 3", len(b.done), b.weight)
	}
}
