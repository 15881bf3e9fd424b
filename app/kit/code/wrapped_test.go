package code

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// At any width, the whole text can be read without scrolling sideways.
func TestWrapped(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	text := "name\n    " + strings.Repeat("word ", 20_000) + "\n\t\tשלום 漢字漢字漢字\u202e\n" + strings.Repeat("x", 5000)
	begun := time.Now()
	wrapped := NewWrapped(text)
	window := test.NewTempWindow(t, wrapped)
	t.Logf("shown in %v", time.Since(begun))
	entry := wrapped.Objects[0].(*Entry)
	for _, size := range []fyne.Size{{Width: 640, Height: 460}, {Width: 400, Height: 300}, {Width: 1200, Height: 800}} {
		window.Resize(size)
		flat := strings.Join(strings.Fields(entry.Text()), "")
		if want := strings.Join(strings.Fields(visible.Escaped(text)), ""); flat != want {
			t.Errorf("%v: %d letters, want %d", size, len(flat), len(want))
		}
		if entry.area.Size().Width > entry.scroll.Size().Width {
			t.Errorf("%v: the text is %v wide, and the view %v", size, entry.area.Size().Width, entry.scroll.Size().Width)
		}
		for i, line := range strings.Split(entry.Text(), "\n") {
			if strings.HasPrefix(line, "word") {
				t.Errorf("line %d of an indented text begins at the edge: %.20s", i+1, line)
			}
		}
	}
	if !strings.Contains(entry.Text(), `\u202e`) {
		t.Error("an invisible character is not shown escaped")
	}
	if !entry.ReadOnly() {
		t.Error("the text can be changed")
	}
}
