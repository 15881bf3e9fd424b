package code

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
)

func TestReadDifference(t *testing.T) {
	d := ReadDifference("--- a\n+++ b\n@@ -1,2 +1,3 @@\n {\n-\told\n+\tnew\n+more\n\\ No newline at end of file\n@@ " +
		"-9 +9 @@\n+" + strings.Repeat("x", 2000) + "\n")
	if len(d.Lines) != 7 || d.Lines[2] != (DifferentLine{'-', 2, "\told"}) ||
		d.Lines[3] != (DifferentLine{'+', 2, "\tnew"}) || d.Lines[5].Sign != '@' ||
		len([]rune(d.Lines[6].Text)) != maxDifferentLine+1 || d.Added != 3 || d.Removed != 1 {
		t.Errorf("the lines are %+v", d.Lines)
	}
}

// TestCompareNumbersLines: every line of a difference has the number that it has in its text, behind several changes
// too.
func TestCompareNumbersLines(t *testing.T) {
	var before, after []string
	for i := range 60 {
		line := "line " + strconv.Itoa(i)
		before, after = append(before, line), append(after, line)
		if i == 3 || i == 7 || i == 30 || i == 50 {
			after = append(after, "new "+line, "newer "+line)
		}
	}
	d := Compare([]byte(strings.Join(before, "\n")), []byte(strings.Join(after, "\n")))
	heads := 0
	for i, line := range d.Lines {
		text := after
		switch line.Sign {
		case '@':
			heads++
			if want := "Line " + strconv.Itoa(d.Lines[i+1].Number); line.Text != want {
				t.Errorf("a heading says %q, want %q", line.Text, want)
			}
			continue
		case '-':
			text = before
		}
		if text[line.Number-1] != line.Text {
			t.Errorf("line %d is %q, not %q", line.Number, text[line.Number-1], line.Text)
		}
	}
	if heads != 3 {
		t.Errorf("there are %d headings, want 3", heads)
	}
}

// Fyne drops the renderer of an object that was out of view for a minute. The next renderer must show the same.
func TestDifferenceComesBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	e := NewDifference(Difference{Lines: []DifferentLine{{'-', 1, "a"}, {'+', 1, "b"}}})
	e.Resize(fyne.NewSize(400, 200))
	for _, part := range []fyne.Widget{e.area, e.gutter} {
		before, after := test.WidgetRenderer(part).Objects(), part.CreateRenderer().Objects()
		if len(before) == 0 || len(after) != len(before) {
			t.Errorf("%T has %d objects, and %d with the next renderer", part, len(before), len(after))
		}
	}
}

// Of a long difference, only the visible lines are drawn.
func TestALongDifferenceIsDrawnAsFarAsSeen(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	before := []byte(strings.Repeat("\t\"a line\": true,\n", 20_000))
	e := NewDifference(ReadDifference(
		unified.Diff("before", "after", string(before), string(bytes.ReplaceAll(before, []byte("\t"), []byte("  "))))))
	e.Resize(fyne.NewSize(400, 200))
	e.scroll.ScrollToOffset(fyne.NewPos(0, 100_000))
	e.redraw()
	objects := len(test.WidgetRenderer(e.area).Objects()) + len(test.WidgetRenderer(e.gutter).Objects())
	if len(e.difference) < 40_000 || objects == 0 || objects > 80 {
		t.Errorf("%d lines have %d objects", len(e.difference), objects)
	}
	if last := e.look(40_000); e.difference[1].Text != "\t\"a line\": true," || last.number != "20000" ||
		last.sign != "+" {
		t.Errorf("%q, up to line %+v", e.difference[1].Text, last)
	}
}
