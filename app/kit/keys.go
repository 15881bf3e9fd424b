package kit

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2/lang"
)

// Keys translates the name of keys, such as "Ctrl+Up", to the language of the window and for this system: on a Mac, Ctrl is called Cmd.
func Keys(name string) string { return KeysOn(runtime.GOOS == "darwin", name) }

// KeysOn is like [Keys], for a Mac or for another system.
func KeysOn(mac bool, name string) string {
	if mac && name != "Ctrl+Tab" { // on a Mac, Cmd+Tab changes the program
		name = strings.ReplaceAll(name, "Ctrl+", "Cmd+")
	}
	return strings.NewReplacer("Ctrl", lang.L("Ctrl"), "Shift", lang.L("Shift"), "Del", lang.L("Del"), "Menu", lang.L("Menu"),
		"Page Up", lang.L("Page Up"), "Page Down", lang.L("Page Down"), "Up", lang.L("Up"), "Down", lang.L("Down")).Replace(name)
}
