package code

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

const fiveLines = "one\ntwo\nthree\nfour\nfive"

// The selected text stays selected wherever another program inserts text. Text that is inserted beside it does not
// become part of the selection.
func TestCodeEntryFollowKeepsTheSelection(t *testing.T) {
	for name, c := range map[string]struct{ text, selected string }{
		"above":           {"zero\none\nand a half\ntwo\nthree\nfour\nfive", "three\nfour"},
		"right before":    {"one\ntwo\n// theirs\nthree\nfour\nfive", "three\nfour"},
		"right behind":    {"one\ntwo\nthree\nfour\n// theirs\nfive", "three\nfour"},
		"on both sides":   {"one\nTWO\nthree\nfour\nfive\nsix", "three\nfour"},
		"in its line":     {"one\ntwo\nthe three\nfour, and more\nfive", "the three\nfour"},
		"within":          {"one\ntwo\nthree\nand a half\nfour\nfive", "three\nand a half\nfour"},
		"it is gone":      {"one\ntwo\nfive", ""},
		"nothing is left": {"", ""},
		"other ends":      {"one\r\ntwo\r\nthree\r\nfour\r\nfive", ""},
	} {
		for _, backwards := range []bool{false, true} {
			e, _ := openCode(t, fiveLines)
			e.OnChanged = func(string) { t.Error("OnChanged reports a change that the user has not made") }
			first, last, key := 3, 4, fyne.KeyDown
			column, then := 1, fyne.KeyEnd
			if backwards {
				first, last, key, column, then = last, first, fyne.KeyUp, 5, fyne.KeyHome
			}
			e.Goto(first, column)
			e.shifted(key, then)
			if e.SelectedText() != "three\nfour" {
				t.Fatalf("selected is %q", e.SelectedText())
			}
			e.Follow(c.text)
			if e.Text() != c.text || e.SelectedText() != c.selected {
				t.Errorf("%s: selected is %q of %q", name, e.SelectedText(), e.Text())
			}
			if line, _ := e.Caret(); c.selected == "three\nfour" && backwards != (e.buffer.lines[line-1] == "three") {
				t.Errorf("%s: the caret is in line %d", name, line)
			}
		}
	}
}

// What was typed can be undone and redone, and the changes of the other program are kept.
func TestCodeEntryFollowKeepsTheHistory(t *testing.T) {
	e, window := openCode(t, fiveLines)
	window.Focus(e.Focusable())
	e.Goto(3, 6)
	e.types(" and")
	e.keys(fyne.KeyReturn)
	e.types("more")
	e.Follow("zero\none\ntwo!\nthree and\nmore\nfour\nFIVE\nsix")
	e.wants(t, "zero\none\ntwo!\nthree and\nmore\nfour\nFIVE\nsix", 5, 5)
	e.types("!")
	for _, want := range []string{"three and\n", "three and", "three"} {
		if !e.Undo() || e.Text() != "zero\none\ntwo!\n"+want+"\nfour\nFIVE\nsix" {
			t.Fatalf("after undo, the text is %q", e.Text())
		}
	}
	if e.Undo() {
		t.Errorf("undo has reverted a change of another program: %q", e.Text())
	}
	e.Follow("one\ntwo!\nthree\nfour\nFIVE\nsix")
	for range 3 {
		e.Redo()
	}
	e.wants(t, "one\ntwo!\nthree and\nmore!\nfour\nFIVE\nsix", 4, 6)

	// Text that the other program has overwritten cannot be undone.
	e.Follow("one\ntwo!\nthree and\nless\nfour\nFIVE\nsix")
	if e.Undo() || e.Redo() {
		t.Errorf("after undo or redo, the text is %q", e.Text())
	}
	e.Goto(1, 4)
	e.types("x")
	e.Goto(7, 4)
	e.types("y")
	e.Follow("ONE\ntwo!\nthree and\nless\nfour\nFIVE\nsixy")
	if !e.Undo() || e.Undo() || e.Text() != "ONE\ntwo!\nthree and\nless\nfour\nFIVE\nsix" {
		t.Errorf("after undo, the text is %q", e.Text())
	}
}

// Changes in several places are undone together or, if another program has overwritten one of them, not at all.
func TestCodeEntryFollowKeepsStepsTogether(t *testing.T) {
	const mine = "one\ntvv\nthree\nfwwr\nfive"
	for _, undone := range []bool{false, true} {
		was, other := mine, fiveLines
		if undone {
			was, other = other, was
		}
		for line := range 4 {
			e, _ := openCode(t, fiveLines)
			e.Change([]Change{{5, 7, "vv"}, {15, 17, "ww"}})
			step, back := e.Undo, e.Redo
			if undone {
				e.Undo()
				step, back = back, step
			}
			change := func(text string) string {
				lines := strings.Split(text, "\n")
				lines[line] = "theirs"
				return strings.Join(lines, "\n")
			}
			e.Follow(change(was))
			whole := line%2 == 0 // otherwise the line is one of those that the user has changed
			want := change(was)
			if whole {
				want = change(other)
			}
			if step() != whole || e.Text() != want {
				t.Errorf("one step from %q, the text is %q", change(was), e.Text())
			}
			if back() != whole || e.Text() != change(was) {
				t.Errorf("one step from %q and back, the text is %q", change(was), e.Text())
			}
		}
	}
}

// The line in which the user types does not move in the window.
func TestCodeEntryFollowStaysInSight(t *testing.T) {
	text := strings.Repeat("line\n", 200)
	e, window := openCode(t, text)
	window.Focus(e.Focusable())
	e.Goto(100, 1)
	line, _ := e.Caret()
	seen := float32(line)*e.area.cell().Height - e.scroll.Offset.Y
	e.Follow("above\nall\n" + text)
	if line, _ = e.Caret(); line != 102 || float32(line)*e.area.cell().Height-e.scroll.Offset.Y != seen {
		t.Errorf("the caret is in line %d, %v from the top, not %v", line,
			float32(line)*e.area.cell().Height-e.scroll.Offset.Y, seen)
	}
}

// After any sequence of changes, undoing and redoing everything gives the same text.
func TestCodeEntryFollowsWhateverHappens(t *testing.T) {
	for _, newline := range []string{"\n", "\r\n"} {
		random := rand.New(rand.NewPCG(3, 4))
		line := func() string { return strings.Repeat("aä€"[:[]int{1, 3, 6}[random.IntN(3)]], random.IntN(4)) }
		e, _ := openCode(t, strings.ReplaceAll(fiveLines, "\n", newline))
		for step := range 4000 {
			e.Goto(1+random.IntN(8), 1+random.IntN(8))
			switch random.IntN(10) {
			case 0:
				e.Undo()
			case 1:
				e.Redo()
			case 2:
				e.keys(fyne.KeyBackspace)
			case 3:
				e.shifted(fyne.KeyDown, fyne.KeyRight)
				e.keys(fyne.KeyDelete)
			case 4:
				e.keys(fyne.KeyReturn)
			case 5, 6, 7:
				e.types("b€")
			default:
				lines := strings.Split(e.Text(), newline)
				for range 1 + random.IntN(3) {
					at := random.IntN(len(lines))
					switch random.IntN(3) {
					case 0:
						lines[at] += line()
					case 1:
						lines = append(lines[:at], append([]string{line()}, lines[at:]...)...)
					default:
						if len(lines) > 3 {
							lines = append(lines[:at], lines[at+1:]...)
						}
					}
				}
				want := strings.Join(lines, newline)
				e.Follow(want)
				if e.Text() != want {
					t.Fatalf("step %d: the text is %q, not %q", step, e.Text(), want)
				}
			}
			if at := e.buffer.clamp(e.caret); at != e.caret {
				t.Fatalf("step %d: the caret is at %v, not %v", step, e.caret, at)
			}
			if step%40 == 0 { // the whole history is kept
				text, steps := e.Text(), len(e.buffer.done)
				undone := 0
				for e.Undo() {
					undone++
				}
				for range undone {
					e.Redo()
				}
				if e.Text() != text || undone > steps {
					t.Fatalf("step %d: after undoing and redoing everything, the text is %q, not %q", step, e.Text(), text)
				}
			}
		}
	}
}

func BenchmarkCodeEntryFollow(b *testing.B) {
	text := strings.Repeat(`      "args": ["-y", "@modelcontextprotocol/server-github"],`+"\n", 2<<20/60)
	e, _ := openCode(b, text)
	e.types("x")
	other := "// theirs\n" + e.Text()
	mine := e.Text()
	for i := 0; b.Loop(); i++ {
		e.Follow([]string{other, mine}[i%2])
	}
}
