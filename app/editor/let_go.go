package editor

import (
	"fyne.io/fyne/v2"
)

// letGo takes the focus from parts that are about to leave the window, and reports whether one of them had it.
// Otherwise a reused button could keep the focus, and Enter would remove an argument of another server.
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
