package editor

import (
	"fyne.io/fyne/v2"
)

// letGo takes the keyboard from what is about to leave the window, and tells whether it was there. Such a line must not come to stand
// for something else: who has gone to Remove, and presses Enter, means what it stood beside.
func letGo(parts ...interface {
	fyne.Focusable
	Focused() bool
}) (held bool) {
	for _, part := range parts {
		if !part.Focused() {
			continue
		}
		held = true
		canvas := fyne.CurrentApp().Driver().CanvasForObject(part.(fyne.CanvasObject))
		if canvas != nil && canvas.Focused() == fyne.Focusable(part) {
			canvas.Unfocus()
		}
	}
	return held
}
