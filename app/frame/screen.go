package frame

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Screen is what the window shows at one place. All of its methods belong to the goroutine of the window.
type Screen interface {
	// Object is what the window shows.
	Object() fyne.CanvasObject

	// Apply draws the state of the window. It does nothing else: it saves nothing, goes nowhere and asks nobody.
	Apply(now *model.Model)

	// Enter is called when the screen has come into sight, Leave before it goes out of sight or the window does.
	Enter()
	Leave()

	// Find puts the keyboard into the search.
	Find(canvas fyne.Canvas)

	// Back takes away what lies over the screen or is selected. It reports whether there was anything of that kind.
	Back() bool

	// Drop takes what was dropped on the window.
	Drop(at fyne.Position, uris []fyne.URI)
}

// Plain does nothing of what a [Screen] may do besides being drawn. A screen embeds it and has what it needs itself.
type Plain struct{}

// Enter is for [Screen].
func (Plain) Enter() {}

// Leave is for [Screen].
func (Plain) Leave() {}

// Find is for [Screen].
func (Plain) Find(fyne.Canvas) {}

// Back is for [Screen].
func (Plain) Back() bool { return false }

// Drop is for [Screen].
func (Plain) Drop(fyne.Position, []fyne.URI) {}
