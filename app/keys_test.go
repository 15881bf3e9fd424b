package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// All that can be clicked in the window can be reached with the Tab key, on every screen, and F1 tells of the other keys.
func TestScreensByKeys(t *testing.T) {
	b := newBench(t, oneServer, nil)
	canvas := b.window.window.Canvas()
	w := bykeys.New(t, b.window.window, bykeys.Otherwise{"*toolboxes.tapText": "the pencil beside it"})
	for _, at := range []place{placeClients, placeActivity, placeSettings, placeFile, placeToolboxes} {
		b.choose(at)
		w.Walk()
	}
	canvas.Focus(b.window.nav.buttons[placeClients])
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if b.at != placeSettings {
		t.Error("F1 does not show the keys")
	}
}
