package code

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// shownRows returns the lines that a Whole draws.
func shownRows(w *Whole) []string {
	rows := map[float32]string{}
	var order []float32
	for _, object := range test.WidgetRenderer(w.area).Objects() {
		text := object.(*canvas.Text)
		y := text.Position().Y
		if _, known := rows[y]; !known {
			order = append(order, y)
		}
		rows[y] += text.Text
	}
	var lines []string
	for _, y := range order {
		lines = append(lines, rows[y])
	}
	return lines
}

// TestWhole checks that every letter of a text is on some line, at any width, and that no line is too wide.
func TestWhole(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	spans := []WholeSpan{{Text: "sh -c \"echo "}, {Text: "‹U+202E›", Color: theme.ColorWrong},
		{Text: strings.Repeat("x", 100) + " 漢字 ü and the end"}, {Text: "↵", Break: true}, {Text: "second"}, {Text: ""},
		{Break: true}, {Text: "third"}}
	want := strings.ReplaceAll("sh -c \"echo ‹U+202E›"+strings.Repeat("x", 100)+" 漢字 ü and the end↵secondthird", " ", "")
	for _, width := range []float32{100, 130, 300, 1200} {
		w := NewWhole(1000, spans...)
		window := test.NewTempWindow(t, w)
		window.Resize(fyne.NewSize(width+8, 2000))
		lines := shownRows(w)
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != want {
			t.Errorf("at %v: %q", width, got)
		}
		for _, line := range lines {
			if fyne.MeasureText(line, w.textSize(), fyne.TextStyle{Monospace: true}).Width > width {
				t.Errorf("at %v: %q is too wide", width, line)
			}
		}
		if last := lines[len(lines)-1]; last != "third" {
			t.Errorf("the last line is %q", last)
		}
		if w.Scrolls() || !w.Disabled() {
			t.Error("the text can be scrolled although all of it is visible")
		}
		if slices.Contains(test.WidgetRenderer(w).Objects(), fyne.CanvasObject(w.scroll)) {
			t.Error("the text takes the mouse wheel from the page")
		}
	}
}

// TestWholeScrolls checks that keys scroll a long text to its end, and that only the visible part is drawn.
func TestWholeScrolls(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	w := NewWhole(5, WholeSpan{Text: strings.Repeat("word ", 50000) + "end"})
	window := test.NewTempWindow(t, kit.NewPage(w))
	window.Resize(fyne.NewSize(400, 300))
	if height := w.MinSize().Height; height > 120 {
		t.Errorf("the text is %v high", height)
	}
	if !w.Scrolls() || w.Disabled() {
		t.Fatal("the text cannot be scrolled")
	}
	window.Canvas().Focus(w)
	kit.ScrollByKey(window.Canvas(), &fyne.KeyEvent{Name: fyne.KeyEnd})
	lines := shownRows(w)
	if len(lines) > 12 || !strings.HasSuffix(lines[len(lines)-1], "end") {
		t.Errorf("%d lines are drawn, the last %q", len(lines), lines[len(lines)-1])
	}
}
