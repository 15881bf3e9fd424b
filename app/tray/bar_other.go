//go:build !(linux || freebsd || openbsd || netbsd)

package tray

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// NewBar gives the program's place in the tray.
func NewBar(app desktop.App, _ fyne.Window, actions Actions, _ func(func())) Bar {
	return newFyneBar(app, actions)
}
