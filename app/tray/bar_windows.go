package tray

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"
)

// NewBar puts the program into the tray and returns its place there. The function do runs clicks on the goroutine of the window.
// Windows blocks that goroutine while the menu is open, so an open menu does not change.
func NewBar(app desktop.App, window fyne.Window, actions Actions, do func(func())) Bar {
	app.SetSystemTrayWindow(window) // and so there is a tray, whose menu Fyne leaves alone
	return &shellBar{menuBar{app: app, actions: actions, do: do}}
}

// shellBar is a place in the tray of Windows. Windows has no hidden entries: the library removes an entry from the menu, puts it
// back where it was, and remembers its children.
type shellBar struct{ menuBar }

// Close takes the icon away. Fyne does that only when its window has the keyboard, and the picture of a program that has ended
// stays in the tray until the pointer is over it.
func (b *shellBar) Close() { systray.Quit() }
