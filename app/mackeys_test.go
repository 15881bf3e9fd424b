package app

import (
	"testing"

	"fyne.io/fyne/v2"
)

// TestKeysOfMacOS: Cmd+comma shows the settings, but not over a dialog, and Cmd+W closes the window. Without a tray,
// that quits.
func TestKeysOfMacOS(t *testing.T) {
	b := newBench(t, twoServers, nil)
	press := func(key fyne.KeyName) {
		b.macKeys()[key]()
		b.drain()
	}
	b.window.ShowKeys()
	press(fyne.KeyComma)
	if b.places.At() == placeSettings {
		t.Error("the settings are shown behind a dialog")
	}
	b.press("Close")
	press(fyne.KeyComma)
	if b.places.At() != placeSettings {
		t.Errorf("Cmd+comma shows %v", b.places.At())
	}
	press(fyne.KeyW)
	if !hasQuit(b.app) {
		t.Error("Cmd+W does not close the window")
	}
}
