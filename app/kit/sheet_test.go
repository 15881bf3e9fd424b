package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// When a dialog under others is closed, the others stay open and keep their focus.
func TestHidingLeavesWhatLiesOver(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	window := test.NewTempWindow(t, NewGap(10, 10))
	canvas := window.Canvas()
	var asked []*Question
	var at []fyne.Focusable
	var gone []string
	for _, title := range []string{"first", "second", "third"} {
		ask := NewQuestion(title, 300, NewGap(10, 10), window)
		first, second := NewButton("One", widget.MediumImportance, nil), NewButton("Two", widget.MediumImportance, nil)
		ask.SetButtons([]fyne.CanvasObject{first, second})
		ask.SetOnClosed(func() { gone = append(gone, title) })
		ask.Show()
		canvas.Focus(second)
		asked, at = append(asked, ask), append(at, second)
	}
	asked[0].Hide()
	if len(gone) != 1 || len(canvas.Overlays().List()) != 2 {
		t.Fatalf("closed: %q; %d dialogs are open", gone, len(canvas.Overlays().List()))
	}
	for i := 2; i > 0; i-- {
		if !asked[i].Shown() || canvas.Focused() != at[i] {
			t.Errorf("%d: shown: %v; the focus is on %v", i, asked[i].Shown(), canvas.Focused())
		}
		asked[i].Hide()
	}
	if len(gone) != 3 || asked[0].Shown() || canvas.Overlays().Top() != nil {
		t.Errorf("closed: %q; %v is open", gone, canvas.Overlays().Top())
	}
}
