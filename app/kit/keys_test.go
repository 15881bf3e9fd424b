package kit

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestKeysOfAMac(t *testing.T) {
	for name, mac := range map[string]string{
		"Ctrl+Enter": "⌘↵", "Ctrl+Z, Ctrl+Shift+Z": "⌘Z, ⇧⌘Z", "Ctrl+Tab": "⌃⇥", "Tab, Shift+Tab": "⇥, ⇧⇥", "F2": "F2",
		"Del": "⌫", "Esc": "⎋", "Ctrl+,": "⌘,",
		"Menu, Shift+F10": "⇧F10", "Page Up, Page Down": "⇞, ⇟", "Ctrl+Up, Ctrl+Down": "⌘↑, ⌘↓", "Ctrl+1": "⌘1",
	} {
		if got := KeysOn(true, name); got != mac {
			t.Errorf("%q on a Mac is %q, want %q", name, got, mac)
		}
		if got := KeysOn(false, name); got != name {
			t.Errorf("%q elsewhere is %q", name, got)
		}
	}
}

// TestDeletes checks which key deletes: on a Mac also the one that is called Backspace elsewhere.
func TestDeletes(t *testing.T) {
	for key, want := range map[fyne.KeyName][2]bool{fyne.KeyDelete: {true, true}, fyne.KeyBackspace: {false, true},
		fyne.KeyReturn: {}} {
		if got := [2]bool{deletesOn(false, key), deletesOn(true, key)}; got != want {
			t.Errorf("%s: elsewhere and on a Mac %v", key, got)
		}
	}
}
