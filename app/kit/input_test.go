package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A line of 5 MB that is pasted into a search would take more memory than the rest of the program. Its beginning is
// enough, and no character is cut in two.
func TestPastedLineHasALimit(t *testing.T) {
	clipboard := test.NewTempApp(t).Clipboard()
	found := ""
	search := NewSearch("", func(text string) { found = text })
	for _, c := range []struct {
		pasted string
		most   int
	}{{"short", 5}, {strings.Repeat("ä", 3<<20), maxLine}} {
		search.SetText("")
		clipboard.SetContent(c.pasted)
		search.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
		if len(found) == 0 || len(found) > c.most || !strings.HasPrefix(c.pasted, found) {
			t.Errorf("of %d bytes, %d are in the field", len(c.pasted), len(found))
		}
	}
}

// Each line that has only the beginning of what was pasted says so, until something else is typed.
func TestCutLineSaysSo(t *testing.T) {
	app := test.NewTempApp(t)
	app.Clipboard().SetContent(strings.Repeat("a", 3<<20))
	for name, line := range map[string]interface {
		fyne.CanvasObject
		fyne.Focusable
		fyne.Shortcutable
	}{"search": NewSearch("", func(string) {}), "secret": NewSecretInput("").Input} {
		window := test.NewTempWindow(t, line)
		window.Resize(fyne.NewSize(300, 60))
		says := func() bool {
			for _, object := range test.LaidOutObjects(window.Content()) {
				text, ok := object.(*Text)
				if !ok || !strings.HasPrefix(text.Text(), "Only the beginning of what you pasted is here") {
					continue
				}
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(text)
				if at.X < 0 || at.X+text.Size().Width > 300 {
					t.Errorf("%s: it says so at %v, in %v", name, at, text.Size())
				}
				return true
			}
			return false
		}
		paste := func() { line.TypedShortcut(&fyne.ShortcutPaste{Clipboard: app.Clipboard()}) }
		window.Canvas().Focus(line)
		if says() {
			t.Errorf("%s: an empty line says so", name)
		}
		paste()
		if !says() {
			t.Errorf("%s: the line does not say that its text is cut", name)
		}
		line.TypedRune('x')
		if says() {
			t.Errorf("%s: the line still says so after typing", name)
		}
	}
}
