package kit

import (
	"image"
	"image/color"
	"log"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// seen counts the pixels that are clearly different in the second picture.
func seen(before, after image.Image) int {
	count := 0
	bounds := before.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			a, b := color.GrayModel.Convert(before.At(x, y)).(color.Gray), color.GrayModel.Convert(after.At(x, y)).(color.Gray)
			if max(a.Y, b.Y)-min(a.Y, b.Y) > 20 {
				count++
			}
		}
	}
	return count
}

// The focus must be visible on every button, most of all on the most important one.
func TestFocusIsSeenOnEveryButton(t *testing.T) {
	for _, variant := range []fyne.ThemeVariant{base.VariantLight, base.VariantDark} {
		for _, importance := range []widget.Importance{widget.LowImportance, widget.MediumImportance, widget.HighImportance,
			widget.DangerImportance} {
			test.NewTempApp(t).Settings().SetTheme(fixed{theme.Theme{}, variant})
			button := NewButton("Add and try", importance, nil)
			window := test.NewTempWindow(t, button)
			window.Resize(fyne.NewSize(200, 60))
			before := window.Canvas().Capture()
			window.Canvas().Focus(button)
			if got := seen(before, window.Canvas().Capture()); got < 300 {
				t.Errorf("variant %d, importance %d: the focus changes %d pixels", variant, importance, got)
			}
			window.Canvas().Unfocus()
			if got := seen(before, window.Canvas().Capture()); got > 0 {
				t.Errorf("variant %d, importance %d: after the focus has left, %d pixels differ", variant, importance, got)
			}
		}
	}
}

// fixed is a theme with a fixed variant.
type fixed struct {
	fyne.Theme
	variant fyne.ThemeVariant
}

func (f fixed) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return f.Theme.Color(name, f.variant)
}

// The focused row has a ring at first, after an arrow key, after a click, and if it is the chosen row.
func TestListShowsWhereTheKeyboardIs(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	names, rows := []string{"a", "b", "c"}, map[string]*Text{}
	chosen, escapes := -1, 0
	list := NewList(func() int { return len(names) },
		func() fyne.CanvasObject { return NewText("", TextStyle{}) },
		func(row int, object fyne.CanvasObject) {
			object.(*Text).Set(names[row])
			rows[names[row]] = object.(*Text)
		})
	list.OnChosen = func(row int) { chosen = row }
	list.OnEscape = func() { escapes++ }
	window := test.NewTempWindow(t, list)
	window.Resize(fyne.NewSize(200, 200))
	at := func() string {
		found := ""
		for _, object := range test.LaidOutObjects(list) {
			if row, ok := object.(*fyne.Container); ok && len(row.Objects) == 2 {
				if ring := row.Objects[1]; ring.Visible() {
					found += row.Objects[0].(*Text).Text()
				}
			}
		}
		return found
	}
	expect := func(when, want string) {
		t.Helper()
		if got := at(); got != want {
			t.Errorf("%s, the ring is around %q, want %q", when, got, want)
		}
	}
	press := func(key fyne.KeyName) { list.TypedKey(&fyne.KeyEvent{Name: key}) }

	expect("without the focus", "")
	list.Select(0)
	before := window.Canvas().Capture()
	window.Canvas().Focus(list)
	expect("with the focus", "a")
	if got := seen(before, window.Canvas().Capture()); got < 100 {
		t.Errorf("the focus changes %d pixels", got)
	}
	press(fyne.KeyDown)
	expect("one down", "b")
	press(fyne.KeyReturn)
	if chosen != 1 {
		t.Errorf("Enter chose %d", chosen)
	}
	press(fyne.KeyDown)
	press(fyne.KeyDown)
	expect("at the end", "c")
	list.Select(0)
	if press(fyne.KeyEscape); escapes != 1 {
		t.Error("Esc was not reported")
	}
	window.Canvas().Unfocus()
	expect("after the focus", "")

	window.Canvas().Focus(list)
	press(fyne.KeyDown)
	window.Canvas().Unfocus()
	names = names[:1]
	list.Refresh()
	window.Canvas().Focus(list)
	expect("in a list that has become shorter", "a")
	if press(fyne.KeySpace); chosen != 0 {
		t.Errorf("the space bar chose %d", chosen)
	}
}

// A button may close its own dialog when it is pressed. The button must not be focused after that, because Fyne logs
// an error if it is.
func TestButtonThatClosesItsDialog(t *testing.T) {
	test.NewTempApp(t)
	window := test.NewTempWindow(t, NewGap(200, 100))
	var said strings.Builder
	log.SetOutput(&said)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	var button *Button
	button = NewButton("Done", widget.HighImportance, func() { window.Canvas().Overlays().Remove(button) })
	window.Canvas().Overlays().Add(button)
	window.Canvas().Focus(button)
	button.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if said.Len() > 0 {
		t.Errorf("Fyne said: %s", &said)
	}
}
