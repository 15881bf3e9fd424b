package kit

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// PassShortcut hands a shortcut to the window of an object. What has the focus gets all shortcuts and has to pass on those
// that it does not know, or they would work only while nothing has the focus.
func PassShortcut(object fyne.CanvasObject, shortcut fyne.Shortcut) {
	canvas := fyne.CurrentApp().Driver().CanvasForObject(object)
	if window, ok := canvas.(fyne.Shortcutable); ok {
		window.TypedShortcut(shortcut)
	}
}

// TextShortcut tells whether a shortcut is one of those by which text is edited.
func TextShortcut(shortcut fyne.Shortcut) bool {
	custom, ok := shortcut.(*desktop.CustomShortcut)
	if !ok {
		return true // cut, copy, paste, select all, undo, redo
	}
	switch custom.KeyName {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete:
		return custom.Modifier&fyne.KeyModifierAlt == 0 || runtime.GOOS == "darwin"
	}
	return false
}

// Modifiers are the modifier keys that are held down now.
func Modifiers() fyne.KeyModifier {
	if driver, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return driver.CurrentKeyModifiers()
	}
	return 0
}
