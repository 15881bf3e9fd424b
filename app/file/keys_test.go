package file

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	b := open(t, plainText, small)
	b.outside(strings.Replace(plainText, `"command": "npx"`, `command: npx`, 1))
	w := bykeys.New(t, b.window, nil)
	w.Walk()
	b.Find(b.window.Canvas())
	w.Walk()
	for name, scene := range scenes() {
		t.Run(name, func(t *testing.T) {
			b := openAs(t, plainText, small, base.VariantLight)
			scene(t, b)
			w.In(t, b.window).Walk()
		})
	}
}

// TestKeysOfTheWindow checks that the list of versions and the difference pass on the keys of the window.
func TestKeysOfTheWindow(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	keys := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}
	list, diff := newVersionList(func(string) {}), code.NewDifference(code.Difference{})
	for object, focusable := range map[fyne.CanvasObject]fyne.Focusable{list.List: list.List, diff: diff.Focusable()} {
		canvas := test.NewTempWindow(t, object).Canvas()
		if got := bykeys.Passed(canvas, focusable, keys...); !slices.Equal(got, keys) {
			t.Errorf("%T passes on %v", object, got)
		}
	}
}
