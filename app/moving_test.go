package app

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// TestMovingTheApp: where the app cannot stay, the window offers to move it, and ends when it has been moved.
func TestMovingTheApp(t *testing.T) {
	const label = "Move Workbench to Applications"
	moves, fails := 0, errors.New("the disk is full")
	b := newBench(t, twoServers, func(o *Options) {
		o.Move = func() error {
			moves++
			return fails
		}
	})
	press := func() {
		t.Helper()
		for _, object := range test.LaidOutObjects(b.window.Window.Content()) {
			if button, ok := object.(*kit.Button); ok && button.Text == label {
				test.Tap(button)
				return
			}
		}
		t.Fatalf("there is no button %q", label)
	}
	press()
	b.until(func() string {
		if !strings.Contains(b.overlay(), "disk is full") {
			return "the error is not shown"
		}
		return ""
	})
	if moves != 1 || hasQuit(b.app) {
		t.Fatalf("it was moved %d times; quit: %v", moves, hasQuit(b.app))
	}
	b.press("Close")
	fails = nil
	press()
	b.until(func() string {
		if !hasQuit(b.app) {
			return "the app has not quit"
		}
		return ""
	})
	if (ofFrame{newBench(t, twoServers, nil).controller}).CanMove() {
		t.Error("an app that can stay offers to move")
	}
}
