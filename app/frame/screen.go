package frame

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Screen is one of the screens of the window. Call its methods only on the goroutine of the window.
type Screen interface {
	// Object returns the content of the screen.
	Object() fyne.CanvasObject

	// Apply draws the state of the window and does nothing else.
	Apply(now *model.Model)

	// Enter is called after the screen was shown.
	Enter()

	// Leave is called before the screen or the window is hidden.
	Leave()

	// Find gives the focus to the search field.
	Find(canvas fyne.Canvas)

	// Back closes what covers the screen, or else clears the selection. It returns false if there is neither.
	Back() bool

	// Scrolled returns how far the screen is scrolled, in pixels, and Scroll scrolls it.
	Scrolled() float32
	Scroll(y float32)

	// Drop handles files that were dropped on the window.
	Drop(at fyne.Position, uris []fyne.URI)
}

// Passive implements the methods of a [Screen] that do not draw, by doing nothing. A screen embeds it, and has of its
// own those that do something.
type Passive struct{}

// Enter implements [Screen].
func (Passive) Enter() {}

// Leave implements [Screen].
func (Passive) Leave() {}

// Find implements [Screen].
func (Passive) Find(fyne.Canvas) {}

// Back implements [Screen].
func (Passive) Back() bool { return false }

// Scrolled implements [Screen].
func (Passive) Scrolled() float32 { return 0 }

// Scroll implements [Screen].
func (Passive) Scroll(float32) {}

// Drop implements [Screen].
func (Passive) Drop(fyne.Position, []fyne.URI) {}
