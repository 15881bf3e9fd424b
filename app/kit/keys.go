package kit

import (
	"runtime"
	"strings"
)

// Keys gives the name of keys as this system calls them: what is Ctrl elsewhere is Cmd on a Mac.
func Keys(name string) string { return KeysOn(runtime.GOOS == "darwin", name) }

// KeysOn is [Keys] on a Mac or elsewhere.
func KeysOn(mac bool, name string) string {
	if mac && name != "Ctrl+Tab" { // there the command key and Tab change the program
		return strings.ReplaceAll(name, "Ctrl+", "Cmd+")
	}
	return name
}
