package kit

import (
	"runtime"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// PassShortcut passes a shortcut on to the window of an object. Fyne sends all shortcuts to the focused object. This
// object must pass on the shortcuts that it does not use. Otherwise they work only while nothing has the focus.
func PassShortcut(object fyne.CanvasObject, shortcut fyne.Shortcut) {
	canvas := fyne.CurrentApp().Driver().CanvasForObject(object)
	if window, ok := canvas.(fyne.Shortcutable); ok {
		window.TypedShortcut(shortcut)
	}
}

// PassKey passes a key on to the window of an object that does not use it. Fyne sends keys only to the focused object.
func PassKey(object fyne.CanvasObject, event *fyne.KeyEvent) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(object); canvas != nil && canvas.OnTypedKey() != nil {
		canvas.OnTypedKey()(event)
	}
}

// HoldsKeyboard reports whether an object has the focus in its window, even if another program is in front. While
// another program is in front, Fyne has told the object that it has lost the focus, but will give the focus back to
// the object.
func HoldsKeyboard(object fyne.Focusable) bool {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return false
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(shown)
	return canvas != nil && canvas.Focused() == object
}

// pressing is how long WhenLeft waits for the action of a button after the user has pressed the mouse button on it.
const pressing = 400 * time.Millisecond

// WhenLeft calls left if the focus has left a form. Call it when a control of the form has lost the focus. has reports
// whether an object is a control of the form. after runs a function on the goroutine of the window after a time.
//
// While a dialog is open, WhenLeft waits. If nothing has the focus, the user may be pressing a button, whose action
// may discard or change the typed text. This action must come before left, so WhenLeft waits for a moment. If another
// program is in front, the focus has not left the form. If the form is hidden, the user was not the one who left it,
// or it was saved by what the user did.
func WhenLeft(form fyne.CanvasObject, has func(fyne.Focusable) bool, after func(time.Duration, func()) (stop func()),
	left func()) {
	var look func(waited bool)
	look = func(waited bool) {
		if canvas := fyne.CurrentApp().Driver().CanvasForObject(form); canvas != nil {
			focused := canvas.Focused()
			switch {
			case hidden(form, canvas):
				return
			case canvas.Overlays().Top() != nil,
				focused == nil && !waited: // Fyne takes the focus away when the user presses the mouse button
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

// Focus focuses an object. Fyne knows the window of an object only after drawing it, so a new object is searched for
// in all windows.
func Focus(object fyne.Focusable) {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return
	}
	driver := fyne.CurrentApp().Driver()
	if canvas := driver.CanvasForObject(shown); canvas != nil {
		focusOn(canvas, object)
		return
	}
	for _, window := range driver.AllWindows() {
		if focusOn(window.Canvas(), object) {
			return
		}
	}
}

// focusOn focuses an object that is on a canvas, and reports whether it then has the focus. The text of an input is
// selected if the input did not have the focus before.
func focusOn(canvas fyne.Canvas, object fyne.Focusable) bool {
	before := canvas.Focused()
	canvas.Focus(object)
	if canvas.Focused() != object {
		return false
	}
	if line, ok := object.(interface{ selectLine() }); ok && before != object {
		line.selectLine()
	}
	return true
}

// Forsake takes the focus from an object if the object was removed or hidden. Otherwise keys would still reach it.
func Forsake(object fyne.Focusable) {
	shown, ok := object.(fyne.CanvasObject)
	if !ok {
		return
	}
	canvas := fyne.CurrentApp().Driver().CanvasForObject(shown)
	if canvas != nil && canvas.Focused() == object && hidden(shown, canvas) {
		canvas.Unfocus()
	}
}

// hidden reports whether an object of a window is not visible, or not in the window any more.
func hidden(object fyne.CanvasObject, canvas fyne.Canvas) bool {
	// Fyne returns a zero position for an object that is not visible.
	return object != canvas.Content() && fyne.CurrentApp().Driver().AbsolutePositionForObject(object).IsZero()
}

// TextShortcut reports whether a shortcut is for editing text. A field for text uses such a shortcut itself.
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

// OnKeys returns a handler of shortcuts. The handler calls do if the shortcut is Ctrl, or Cmd on a Mac, with one of
// the keys, and reports whether it did.
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

// Modifiers returns the modifier keys that are held down now.
func Modifiers() fyne.KeyModifier {
	if driver, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return driver.CurrentKeyModifiers()
	}
	return 0
}
