package kit

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
)

// Deletes reports whether a key deletes what is selected. Keyboards of Macs have one key for it, which other systems call Backspace.
func Deletes(key fyne.KeyName) bool { return deletesOn(runtime.GOOS == "darwin", key) }

func deletesOn(mac bool, key fyne.KeyName) bool {
	return key == fyne.KeyDelete || mac && key == fyne.KeyBackspace
}

// Keys translates the name of keys, such as "Ctrl+Up", into the language of the window. On a Mac, it also replaces Ctrl by Cmd, except in Ctrl+Tab.
func Keys(name string) string { return KeysOn(runtime.GOOS == "darwin", name) }

// KeysOn is like [Keys], but mac says whether the system is a Mac.
func KeysOn(mac bool, name string) string {
	if mac && name != "Ctrl+Tab" { // on a Mac, Cmd+Tab changes the program
		name = strings.ReplaceAll(name, "Ctrl+", "Cmd+")
	}
	return strings.NewReplacer("Ctrl", lang.L("Ctrl"), "Shift", lang.L("Shift"), "Del", lang.L("Del"), "Menu", lang.L("Menu"),
		"Page Up", lang.L("Page Up"), "Page Down", lang.L("Page Down"), "Up", lang.L("Up"), "Down", lang.L("Down")).Replace(name)
}
