package tray

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"
)

// NewBar returns the program's place in the tray, where it is from now on. On the goroutine of the window do runs what was
// clicked. While the menu is open Windows keeps that goroutine for itself, so an open menu does not change.
func NewBar(app desktop.App, window fyne.Window, actions Actions, do func(func())) Bar {
	app.SetSystemTrayWindow(window) // and so there is a tray, whose menu Fyne leaves alone
	return &shellBar{menuBar{app: app, actions: actions, do: do}}
}

// shellBar is a place in the tray of Windows, where an entry that is hidden is not in the menu. The library puts it back to
// where it was, and remembers what is below it.
type shellBar struct{ menuBar }

// Close takes the icon away. Fyne does that only when its window has the keyboard, and the picture of a program that has ended
// stays in the tray until the pointer is over it.
func (b *shellBar) Close() { systray.Quit() }
