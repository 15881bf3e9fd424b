package file

import (
	"bytes"
	"strings"
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

// Of a long diff only what can be seen is drawn.
func TestALongDiffIsDrawnAsFarAsSeen(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	before := []byte(strings.Repeat("\t\"a line\": true,\n", 20_000))
	v := newDiffView()
	v.Resize(fyne.NewSize(400, 200))
	v.show(diffTexts(before, bytes.ReplaceAll(before, []byte("\t"), []byte("  "))))
	v.scroll.ScrollToOffset(fyne.NewPos(0, 100_000))
	v.area.Refresh()
	objects := len(test.WidgetRenderer(v.area).Objects())
	if len(v.diff.lines) < 40_000 || objects == 0 || objects > 80 {
		t.Errorf("%d lines have %d objects", len(v.diff.lines), objects)
	}
	if want := "    \"a line\": true,"; v.diff.lines[1].text != want || v.diff.widest != len(want) || v.diff.highest != 20_000 {
		t.Errorf("%q, %d wide, up to line %d", v.diff.lines[1].text, v.diff.widest, v.diff.highest)
	}
}
