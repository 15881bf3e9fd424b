package frame

import (
	"runtime"

	"fyne.io/fyne/v2"
)

// Still makes the caret of a text field stand still, and buttons do not shimmer when they are pressed. Fyne redraws
// the whole window for each step of an animation: without a graphics card, a caret that blinks takes a fifth of a
// core. On macOS there always is one, and Fyne needs its own settings there.
func Still(app fyne.App) {
	if runtime.GOOS != "darwin" {
		fyne.SetCurrentApp(still{app})
	}
}

type still struct{ fyne.App }

func (s still) Settings() fyne.Settings { return stillSettings{s.App.Settings()} }

type stillSettings struct{ fyne.Settings }

func (stillSettings) ShowAnimations() bool { return false }
