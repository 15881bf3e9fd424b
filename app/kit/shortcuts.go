package kit

import (
	"runtime"
	"slices"
	"time"

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

// PassKey hands a key to the window of an object that does not use it itself. Fyne gives it to what has the focus alone.
func PassKey(object fyne.CanvasObject, event *fyne.KeyEvent) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(object); canvas != nil && canvas.OnTypedKey() != nil {
		canvas.OnTypedKey()(event)
	}
}

// HoldsKeyboard reports whether the window has its keyboard at an object, also while another program is in front: the object itself has been
// told then that the keyboard is gone, but gets it back.
func HoldsKeyboard(object fyne.Focusable) bool {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return false
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(shown)
	return canvas != nil && canvas.Focused() == object
}

// pressing is the time within which a button that is pressed has done what it does.
const pressing = 400 * time.Millisecond

// WhenLeft calls left once the keyboard, which a control of a form has just lost, is elsewhere in the window: at nothing that has reports to be
// of the form. It has not left the form while another program is in front, nor while a dialog lies over the window, which gives the keyboard
// back. While a button is pressed, what the button does comes first: it may discard or change what was typed. After runs a function on
// the goroutine of the window when a time has passed.
func WhenLeft(form fyne.CanvasObject, has func(fyne.Focusable) bool, after func(time.Duration, func()) (stop func()), left func()) {
	var look func(waited bool)
	look = func(waited bool) {
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(form); canvas != nil {
			focused := canvas.Focused()
			switch {
			case canvas.Overlays().Top() != nil, focused == nil && !waited: // Fyne takes the keyboard away when the mouse is pressed
				after(pressing, func() { look(true) })
				return
			case focused != nil && has(focused):
				return
			}
		}
		left()
	}
	after(0, func() { look(false) })
}

// Focus gives an object the keyboard. Fyne knows the window of an object only once it has drawn it, which what was made just now has not been:
// such an object is looked for in the windows that there are.
func Focus(object fyne.Focusable) {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return
	}
	driver := fyne.CurrentApp().Driver()
	if canvas := driver.CanvasForObject(shown); canvas != nil {
		canvas.Focus(object)
		return
	}
	for _, window := range driver.AllWindows() {
		if window.Canvas().Focus(object); window.Canvas().Focused() == object {
			return
		}
	}
}

// Forsake takes the focus from what has it and is not in the window any more, or is hidden there: keys would still do there what nobody
// can see.
func Forsake(object fyne.Focusable) {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(shown)
	if canvas == nil || canvas.Focused() != object || shown == canvas.Content() {
		return
	}
	if fyne.CurrentApp().Driver().AbsolutePositionForObject(shown).IsZero() { // which is said of what is not seen
		canvas.Unfocus()
	}
}

// TextShortcut reports whether a shortcut is one of those by which text is edited.
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

// OnKeys returns what does something for Ctrl, on a Mac Cmd, with one of some keys, and reports whether a shortcut was one of these.
func OnKeys(do func(), keys ...fyne.KeyName) func(fyne.Shortcut) bool {
	return func(shortcut fyne.Shortcut) bool {
		custom, ok := shortcut.(*desktop.CustomShortcut)
		ok = ok && custom.Modifier == fyne.KeyModifierShortcutDefault && slices.Contains(keys, custom.KeyName)
		if ok {
			do()
		}
		return ok
	}
}

// Modifiers are the modifier keys that are held down now.
func Modifiers() fyne.KeyModifier {
	if driver, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return driver.CurrentKeyModifiers()
	}
	return 0
}
