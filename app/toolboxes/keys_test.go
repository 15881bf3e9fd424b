package toolboxes

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The Tab key must reach everything that can be clicked, and the focus must be visible.
func TestByKeys(t *testing.T) {
	o := open(t, lively(true), small)
	w := bykeys.New(t, o.window, bykeys.Otherwise{"*kit.tapText": "the pencil beside it"})
	w.Walk()
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	w.Walk()
}

// TestKeysOfTheWindow checks that widgets that can be pressed pass on the keys of the window.
func TestKeysOfTheWindow(t *testing.T) {
	o := open(t, lively(true), small)
	keys := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}
	card := newCard(o.Screen)
	card.look.choice = model.Choice{Toolbox: "dev", Server: "memory"}
	for _, object := range []fyne.CanvasObject{
		newBigChoice(theme.ToolboxIcon(theme.ColorMuted), "Begin", "In one of a few ways", true, func() {}),
		newDropZone(func() {}), card} {
		canvas := test.NewTempWindow(t, object).Canvas()
		if got := bykeys.Passed(canvas, object.(fyne.Focusable), keys...); !slices.Equal(got, keys) {
			t.Errorf("%T passes on %v", object, got)
		}
	}
}
