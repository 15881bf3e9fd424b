package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// shown returns the visible part of a text.
func shown(t *Text) string {
	return test.WidgetRenderer(t).Objects()[0].(*canvas.Text).Text
}

func TestTextShortensItself(t *testing.T) {
	test.NewTempApp(t)
	text := NewText("a rather long name of a server", TextStyle{Shrinks: true})
	window := test.NewTempWindow(t, text)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(1000, 40))
	if got := shown(text); got != "a rather long name of a server" {
		t.Errorf("with enough room, it shows %q", got)
	}
	before := len(text.Text())
	for width := float32(300); width >= 0; width -= 7 {
		text.Resize(fyne.NewSize(width, 40))
		got := shown(text)
		if size := fyne.MeasureText(got, 14, fyne.TextStyle{}).Width; got != "" && size > width+1 {
			t.Fatalf("at %v pixels it shows %q, which is %v wide", width, got, size)
		}
		if len(got) > before+len("…") {
			t.Fatalf("at %v pixels it shows more than with more room: %q", width, got)
		}
		before = len(got)
	}
	if got := shown(text); got != "" {
		t.Errorf("without room it shows %q", got)
	}
	text.Resize(fyne.NewSize(100, 40))
	if got := shown(text); !strings.HasSuffix(got, "…") || !strings.HasPrefix(text.Text(), strings.TrimSuffix(got, "…")) {
		t.Errorf("shortened it is %q", got)
	}
	text.Set("short")
	if got := shown(text); got != "short" {
		t.Errorf("after a change it shows %q", got)
	}
}

func TestTextFollowsTheTheme(t *testing.T) {
	app := test.NewTempApp(t)
	text := NewText("x", TextStyle{Color: theme.ColorMuted})
	test.NewTempWindow(t, text)
	line := test.WidgetRenderer(text).Objects()[0].(*canvas.Text)
	before := line.Color
	app.Settings().SetTheme(theme.Theme{})
	text.Refresh()
	if line.Color == before {
		t.Error("the text keeps the colour of the old theme")
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		"  around  ":                 "around",
		"two\nlines\r\n\tand more":   "two lines and more",
		"nul\x00 and bell\a":         "nul and bell",
		"turned\u202Eexe.txt\u2066x": "turnedexe.txtx",
		"zero\u200bwidth":            "zerowidth",
		"👩\u200d🔧 ok":                "👩\u200d🔧 ok",
		"\xff\xfe":                   "\ufffd\ufffd",
		"":                           "",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := len([]rune(Line(strings.Repeat("x", 1<<20)))); got > maxRunes+1 {
		t.Errorf("a long text is cut to %d characters, want %d at most", got, maxRunes+1)
	}
}

// Text of several lines has no invisible characters, wherever it is shown.
func TestBlock(t *testing.T) {
	const evil = "one\n\x1b]0;two\a\u202e\u2066\u200b\U000e0041\u115f\u009b three"
	const want = "one\n]0;two three"
	text := NewSelectable(evil, TextStyle{})
	if Block(evil) != want || text.Text != want {
		t.Errorf("%+q, %+q", Block(evil), text.Text)
	}
	if text.SetText("a\u202eb"); text.Text != "ab" {
		t.Errorf("%+q", text.Text)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\nb")
	f.Add("\u202e\u0000\xff x")
	f.Fuzz(func(t *testing.T, in string) {
		out := Line(in)
		if strings.ContainsAny(out, "\n\r\t\x00\u2028\u202e") || strings.Contains(out, "  ") ||
			len([]rune(out)) > maxRunes+2 {
			t.Errorf("Line(%q) = %q", in, out)
		}
		if again := Line(out); again != out && len([]rune(in)) < maxRunes {
			t.Errorf("Line(%q) = %q, and Line of that %q", in, out, again)
		}
	})
}

func TestTabAgain(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	tabs := NewTabs("One", "Two")
	var chosen, again []int
	tabs.OnChosen = func(index int) { chosen = append(chosen, index) }
	tabs.OnAgain = func(index int) { again = append(again, index) }
	test.NewTempWindow(t, tabs)
	tabs.Resize(tabs.MinSize())
	second := fyne.NewPos(tabs.widthOf(0)+10, 5)
	test.TapAt(tabs, second)
	test.TapAt(tabs, second)
	if len(chosen) != 1 || len(again) != 1 || again[0] != 1 {
		t.Errorf("chosen %v, again %v", chosen, again)
	}
}

// The page scrolls to the object that gets the focus. If the object is higher than the page, the page shows its top.
func TestPageShowsWhatHasTheKeyboard(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	first, last := NewButton("First", widget.MediumImportance, nil), NewButton("Last", widget.MediumImportance, nil)
	table := NewTable(func() (int, int) {
		return 50, 2
	}, func() fyne.CanvasObject { return NewGap(50, 20) }, func(widget.TableCellID, fyne.CanvasObject) {})
	page := NewPage(Column(0, first, NewGap(10, 900), last, NewGap(10, 900), container.NewStack(NewGap(10, 600), table)))
	window := test.NewTempWindow(t, page)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(300, 200))
	page.Arrange()
	canvas := window.Canvas()
	canvas.Focus(last)
	at := page.scroll.Offset.Y
	if at < 700 || at > 935 {
		t.Fatalf("the page is at %v", at)
	}
	canvas.Focus(first)
	canvas.Focus(last)
	if page.scroll.Offset.Y != at {
		t.Errorf("the page is at %v, not %v", page.scroll.Offset.Y, at)
	}
	canvas.Focus(table)
	if got, want := page.scroll.Offset.Y, page.top(table)-24; got != want {
		t.Errorf("when a high table gets the focus, the page is at %v, not %v", got, want)
	}
	canvas.Unfocus()
	page.Scroll(page.top(table) + 100)
	before := page.scroll.Offset.Y
	canvas.Focus(table) // as a click on one of its rows does
	if page.scroll.Offset.Y != before {
		t.Errorf("a click on a high table moves the page from %v to %v", before, page.scroll.Offset.Y)
	}
}

// A hidden object takes no room in a row.
func TestRow(t *testing.T) {
	test.NewTempApp(t)
	hidden, shown := NewGap(30, 10), NewGap(20, 10)
	row := Row(6, hidden, shown, NewGap(5, 20))
	hidden.Hide()
	row.Resize(row.MinSize())
	if row.MinSize() != fyne.NewSize(31, 20) || shown.Position() != fyne.NewPos(0, 5) {
		t.Errorf("the row needs %v, and the object begins at %v", row.MinSize(), shown.Position())
	}
}

func TestSplitKeepsBothParts(t *testing.T) {
	test.NewTempApp(t)
	split := NewSplit(NewGap(200, 10), NewGap(300, 10), 280)
	for total, want := range map[float32]float32{1100: 280, 800: 280, 700: 269, 500: 200} {
		if got := split.leadWidth(total); int(got) != int(want) {
			t.Errorf("in %v pixels the list has %v, want %v", total, got, want)
		}
	}
	window := test.NewTempWindow(t, split)
	window.SetPadded(false)
	window.Resize(fyne.NewSize(1000, 400))
	split.divider.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(100, 0)})
	if got := split.lead.Size().Width; got != 380 {
		t.Errorf("dragged by 100, the list is %v wide, want 380", got)
	}
	split.divider.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-900, 0)})
	if got := split.lead.Size().Width; got != 200 {
		t.Errorf("dragged to the edge, the list is %v wide, want its least width, 200", got)
	}
	window.Canvas().Focus(split.divider)
	split.divider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := split.lead.Size().Width; got != 216 {
		t.Errorf("the arrow key makes the list %v wide, want 216", got)
	}
}
