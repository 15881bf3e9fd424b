package kit

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// focusRow is a row that can have the focus.
type focusRow struct{ Button }

func newFocusRow() *focusRow {
	r := &focusRow{}
	r.ExtendBaseWidget(r)
	return r
}

func (r *focusRow) Holds(focused fyne.Focusable) bool { return focused == fyne.Focusable(r) }

func TestRowsMakeWhatIsSeen(t *testing.T) {
	test.NewTempApp(t)
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("row ", i)
	}
	made := 0
	rows := NewRows(20, 5, RowSource{
		Length: func() int { return len(names) },
		Key:    func(row int) any { return names[row] },
		Create: func() fyne.CanvasObject { made++; return newFocusRow() },
		Fill:   func(row int, object fyne.CanvasObject) { object.(*focusRow).Text = names[row] },
	})
	window := test.NewTempWindow(t, rows)
	window.SetPadded(false)
	if got := rows.MinSize().Height; got != 1000*25-5 {
		t.Errorf("the rows are %v high", got)
	}
	shown := func() (texts []string) {
		for _, object := range test.WidgetRenderer(rows).Objects() {
			texts = append(texts, object.(*focusRow).Text)
		}
		return texts
	}
	rows.See(100, 150) // rows 4 and 5 are visible; the others exist for the Tab key
	if got := shown(); !slices.Equal(got, []string{"row 3", "row 4", "row 5", "row 6", "row 7"}) {
		t.Errorf("seen: %q", got)
	}
	for y := float32(0); y < 25000; y += 13 {
		rows.See(y, y+50)
	}
	if made > 20 {
		t.Errorf("%d widgets were made", made)
	}
	if got := shown(); !slices.Equal(got, []string{"row 998", "row 999"}) {
		t.Errorf("at the end: %q", got)
	}

	// Spare rows still have the theme in which they were made, so they are dropped when the theme changes.
	rows.Refresh()
	rows.See(0, 250)
	if rows.See(0, 50); len(rows.spare) == 0 {
		t.Error("no rows are kept for later")
	}
	fyne.CurrentApp().Settings().SetTheme(theme.Theme{Look: theme.LookDark})
	if rows.Refresh(); len(rows.spare) != 0 {
		t.Errorf("%d rows are kept with the old theme", len(rows.spare))
	}

	// A row keeps its widget when its index changes. It keeps it out of view, too, while it has the focus.
	rows.See(0, 50)
	first := rows.Object(0)
	window.Canvas().Focus(first.(*focusRow))
	names = slices.Insert(names, 0, "new")
	rows.Refresh()
	if rows.Object(1) != first {
		t.Error("the row has another widget after it has moved")
	}
	rows.See(5000, 5050)
	if rows.Object(1) != first || first.Position().Y != 25 {
		t.Error("the row with the focus is gone")
	}
	window.Canvas().Unfocus()
	rows.See(6000, 6050)
	if rows.Object(1) != nil {
		t.Error("the row without the focus is kept")
	}
	names = nil
	rows.Refresh()
	if len(shown()) != 0 || rows.MinSize().Height != 0 {
		t.Errorf("without rows, it shows %q", shown())
	}
}

func TestNameEntry(t *testing.T) {
	test.NewTempApp(t)
	said, done := "", ""
	entry := NewNameEntry()
	window := test.NewTempWindow(t, entry)
	begin := func() {
		said, done = "", ""
		entry.Begin(NameEdit{
			Text:  "old",
			Check: func(text string) string { return map[string]string{"taken": "It is taken", "": "It is empty"}[text] },
			Say:   func(problem string) { said = problem },
			Done:  func(text string, saved, left bool) { done = fmt.Sprintf("%s %v %v", text, saved, left) },
		})
		window.Canvas().Focus(entry)
	}
	press := func(key fyne.KeyName) { entry.TypedKey(&fyne.KeyEvent{Name: key}) }

	begin()
	if entry.SelectedText() != "old" {
		t.Errorf("selected is %q", entry.SelectedText())
	}
	test.Type(entry, "new")
	press(fyne.KeyReturn)
	if done != "new true false" {
		t.Errorf("Enter: %s", done)
	}
	begin()
	entry.SetText("taken")
	press(fyne.KeyReturn)
	if done != "" || said != "It is taken" || entry.ended {
		t.Errorf("a taken name: %q, %q", done, said)
	}
	entry.SetText("  free ")
	if said != "" {
		t.Errorf("a free name: %q", said)
	}
	window.Canvas().Unfocus()
	if done != "free true true" {
		t.Errorf("leaving: %s", done)
	}
	begin()
	entry.SetText("taken")
	window.Canvas().Unfocus()
	if done != "taken false true" || said != "" {
		t.Errorf("leaving with a taken name: %s, %s", done, said)
	}
	begin()
	press(fyne.KeyEscape)
	press(fyne.KeyEscape)
	if done != "old false false" {
		t.Errorf("Esc: %s", done)
	}
	begin()
	press(fyne.KeyReturn)
	if done != "old false false" {
		t.Errorf("nothing changed: %s", done)
	}
}

func TestTextShortcut(t *testing.T) {
	for _, c := range []struct {
		shortcut fyne.Shortcut
		want     bool
	}{
		{&fyne.ShortcutPaste{}, true},
		{&fyne.ShortcutUndo{}, true},
		{&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierControl}, true},
		{&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierControl}, false},
		{&desktop.CustomShortcut{KeyName: fyne.Key1, Modifier: fyne.KeyModifierControl}, false},
	} {
		if got := TextShortcut(c.shortcut); got != c.want {
			t.Errorf("%s: %v", c.shortcut.ShortcutName(), got)
		}
	}
}

func TestButtonByKeyboard(t *testing.T) {
	test.NewTempApp(t)
	pressed := 0
	button := NewButton("Do it", widget.MediumImportance, func() { pressed++ })
	window := test.NewTempWindow(t, button)
	window.Canvas().Focus(button)
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeySpace, fyne.KeyEnter, fyne.KeyEscape} {
		button.TypedKey(&fyne.KeyEvent{Name: key})
	}
	button.TypedRune(' ') // Fyne reports the rune after the key
	if pressed != 3 || window.Canvas().Focused() != fyne.Focusable(button) {
		t.Errorf("pressed %d times, the focus is on %T", pressed, window.Canvas().Focused())
	}
	if got := NewIconButton(nil, "Close", nil).AccessibilityLabel(); got != "Close" {
		t.Errorf("the name is %q", got)
	}
}

func TestFlow(t *testing.T) {
	test.NewTempApp(t)
	hidden := NewGap(500, 10)
	hidden.Hide()
	flow := NewFlow(8, NewGap(100, 20), NewGap(100, 20), hidden, NewGap(100, 30))
	for width, height := range map[float32]float32{400: 30, 316: 30, 300: 58, 150: 86, 10: 86} {
		flow.Resize(fyne.NewSize(width, 20))
		if got := flow.MinSize(); got.Height != height || got.Width != 100 {
			t.Errorf("at the width %v, the height is %v, want %v", width, got, height)
		}
	}
}

func TestLinesBreakAndEnd(t *testing.T) {
	test.NewTempApp(t)
	lines := NewLines(2, TextStyle{})
	test.NewTempWindow(t, lines)
	if got := lines.lines(100); got != nil {
		t.Errorf("without a text: %q", got)
	}
	lines.Set("one two three four five six seven eight nine ten")
	one := lines.lines(10000)
	two := lines.lines(lines.Full().Width * 0.7)
	few := lines.lines(120)
	if len(one) != 1 || len(two) != 2 || two[0]+" "+two[1] != lines.Text() || len(few) != 2 ||
		few[1][len(few[1])-len("…"):] != "…" {
		t.Errorf("%q, %q, %q", one, two, few)
	}
	if lines.Height(10000) >= lines.Height(120) {
		t.Error("two lines are not higher than one")
	}
	lines.Set("aVeryLongWordWithoutAnySpacesInItThatGoesOnAndOnAndOn")
	for width := float32(0); width < 500; width += 7 {
		for _, line := range lines.lines(width) {
			if len(line) > 4 && lines.measure(line).Width > width+1 {
				t.Errorf("at %v: %q", width, line)
			}
		}
	}
}

// Fyne drops the renderer of an object that was out of view for a minute. The next renderer must show the same,
// although the size has not changed.
func TestLinesComeBack(t *testing.T) {
	test.NewTempApp(t)
	lines := NewLines(2, TextStyle{})
	lines.Set("one two three four five six seven eight nine ten")
	lines.Resize(fyne.NewSize(lines.Full().Width*0.7, 40))
	before, after := test.WidgetRenderer(lines).Objects(), lines.CreateRenderer().Objects()
	if len(before) != 2 || len(after) != len(before) {
		t.Fatalf("%d lines, and %d with the next renderer", len(before), len(after))
	}
	for i := range before {
		if after[i].(*canvas.Text).Text != before[i].(*canvas.Text).Text || after[i].Position() != before[i].Position() {
			t.Errorf("line %d is %+v, was %+v", i, after[i], before[i])
		}
	}
}
