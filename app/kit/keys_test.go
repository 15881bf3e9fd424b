package kit

import "testing"

func TestKeysOfAMac(t *testing.T) {
	for name, mac := range map[string]string{
		"Ctrl+Enter": "Cmd+Enter", "Ctrl+Z, Ctrl+Shift+Z": "Cmd+Z, Cmd+Shift+Z", "Ctrl+Tab": "Ctrl+Tab", "F2": "F2",
	} {
		if got := KeysOn(true, name); got != mac {
			t.Errorf("%q on a Mac is %q, want %q", name, got, mac)
		}
		if got := KeysOn(false, name); got != name {
			t.Errorf("%q elsewhere is %q", name, got)
		}
	}
}
