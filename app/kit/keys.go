package kit

import (
	"runtime"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
)

// Deletes reports whether a key deletes what is selected. Keyboards of Macs have one key for it, which other systems
// call Backspace.
func Deletes(key fyne.KeyName) bool { return deletesOn(runtime.GOOS == "darwin", key) }

func deletesOn(mac bool, key fyne.KeyName) bool {
	return key == fyne.KeyDelete || mac && key == fyne.KeyBackspace
}

// Keys translates the name of keys, such as "Ctrl+Up", into the language of the window. On a Mac they have the signs
// of its menus, such as "⌘↑".
func Keys(name string) string { return KeysOn(runtime.GOOS == "darwin", name) }

// KeysOn is like [Keys], but mac says whether the system is a Mac.
func KeysOn(mac bool, name string) string {
	if mac {
		return signs(name)
	}
	return strings.NewReplacer("Ctrl", lang.L("Ctrl"), "Shift", lang.L("Shift"), "Del", lang.L("Del"), "Menu",
		lang.L("Menu"),
		"Page Up", lang.L("Page Up"), "Page Down", lang.L("Page Down"), "Up", lang.L("Up"), "Down",
		lang.L("Down")).Replace(name)
}

// signs returns the signs of the keys of a Mac. Enter is "↵", since "↩" is drawn as an emoji. Of several keys, it
// leaves out the one that a Mac does not have.
func signs(name string) string {
	var all []string
	for _, keys := range strings.Split(name, ", ") {
		parts := strings.Split(keys, "+")
		if parts[0] == "Menu" {
			continue
		}
		key := parts[len(parts)-1]
		text := ""
		if slices.Contains(parts, "Ctrl") && key == "Tab" { // there, Cmd+Tab changes the program
			text += "⌃"
		}
		if slices.Contains(parts, "Shift") {
			text += "⇧"
		}
		if slices.Contains(parts, "Ctrl") && key != "Tab" {
			text += "⌘"
		}
		all = append(all, text+strings.NewReplacer("Enter", "↵", "Tab", "⇥", "Esc", "⎋", "Del", "⌫", "Page Up", "⇞",
			"Page Down", "⇟", "Up", "↑", "Down", "↓").Replace(key))
	}
	return strings.Join(all, ", ")
}
