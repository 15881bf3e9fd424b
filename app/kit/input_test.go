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
