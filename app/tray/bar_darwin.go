package tray

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// NewBar returns the program's place in the menu bar. It must be called before the app runs, because Fyne starts the tray only
// then. The function do runs clicks on the goroutine of the window. macOS blocks that goroutine while the menu is open, so an open
// menu does not change.
func NewBar(app desktop.App, window fyne.Window, actions Actions, do func(func())) Bar {
	app.SetSystemTrayWindow(window) // creates the tray, with a menu that Fyne does not touch
	return newLater(&statusBar{menuBar{app: app, actions: actions, do: do}}, do)
}

// statusBar is a place in the menu bar of macOS.
type statusBar struct{ menuBar }

// Close does nothing: the icon disappears when the program ends.
func (b *statusBar) Close() {}
