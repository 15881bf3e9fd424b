package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/finder"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestFindAnything checks that one field finds a screen, a setting, a server, a tool and an action, and goes there.
func TestFindAnything(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"files": {}}), nil)
	b.untilOwn()
	at := model.Choice{Toolbox: "dev", Server: "files"}
	b.start(at)
	b.until(func() string {
		if b.now.Lists[at] == nil {
			return "the tools are not known"
		}
		return ""
	})
	canvas := b.window.Window.Canvas()
	finds := func(text string) {
		t.Helper()
		b.find()
		for _, r := range text {
			canvas.Focused().TypedRune(r)
		}
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	finds("activity")
	if b.places.At() != placeActivity {
		t.Errorf("it goes to %s", b.places.At())
	}
	finds("dark")
	if b.places.At() != placeSettings {
		t.Errorf("the theme is at %s", b.places.At())
	}
	finds("activity")
	finds("secrets")
	if b.places.At() != placeSettings {
		t.Errorf("it goes to %s", b.places.At())
	}
	finds("echo")
	if b.places.At() != placeToolboxes || b.detail.At != at || b.detail.Editor.Tab() != model.TabTools {
		t.Errorf("it goes to %s, %v", b.places.At(), b.detail.At)
	}
	finds("pause")
	b.until(func() string {
		if !b.now.Live.Paused {
			return "nothing is paused"
		}
		return ""
	})
	for _, thing := range (ofFinder{b.controller}).Things() {
		if thing.Kind == finder.Deed && thing.ID == "pause" {
			t.Error("what is paused can be paused")
		}
	}
	finds("resume")
	b.until(func() string {
		if b.now.Live.Paused {
			return "it is still paused"
		}
		return ""
	})
}
