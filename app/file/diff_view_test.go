package file

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Fyne drops the renderer of what has been out of sight for a minute. The next one shows the same.
func TestDiffComesBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	v := newDiffView()
	v.show(diffOf{lines: []diffLine{{kind: diffRemoved, number: 1, text: "a"}, {kind: diffAdded, number: 1, text: "b"}}})
	v.Resize(fyne.NewSize(400, 200))
	before, after := test.WidgetRenderer(v.area).Objects(), v.area.CreateRenderer().Objects()
	if len(before) == 0 || len(after) != len(before) {
		t.Errorf("%d objects, and %d with the next renderer", len(before), len(after))
	}
}
