package tray

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"

	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// NewBar puts the program into the tray and returns its place there. Clicks reach the goroutine of the
// window through tasks. Windows blocks that goroutine while the menu is open, so an open menu does not change.
func NewBar(app desktop.App, window fyne.Window, actions Actions, tasks *task.Tasks) Bar {
	app.SetSystemTrayWindow(window) // creates the tray, with a menu that Fyne does not touch
	return &shellBar{menuBar{app: app, actions: actions, tasks: tasks}}
}

// shellBar is a place in the tray of Windows. Windows has no hidden entries: to hide an entry, the library removes it
// from the menu. To show the entry again, the library puts it back where it was, with its children.
type shellBar struct{ menuBar }

// Close removes the icon. Fyne removes it only when its window has the keyboard. Windows would show the icon of a
// program that has ended until the pointer is over it.
func (b *shellBar) Close() { systray.Quit() }
