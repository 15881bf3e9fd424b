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

	// Drop handles files that were dropped on the window.
	Drop(at fyne.Position, uris []fyne.URI)
}

// Deeds implements the methods of a [Screen] that do not draw. A screen embeds it. A function may be nil, which means
// that there is nothing to do.
type Deeds struct {
	OnEnter func()
	OnLeave func()
	OnFind  func(canvas fyne.Canvas)
	OnBack  func() bool
	OnDrop  func(at fyne.Position, uris []fyne.URI)
}

// Enter implements [Screen].
func (d Deeds) Enter() { call(d.OnEnter) }

// Leave implements [Screen].
func (d Deeds) Leave() { call(d.OnLeave) }

// Back implements [Screen].
func (d Deeds) Back() bool { return d.OnBack != nil && d.OnBack() }

// Find implements [Screen].
func (d Deeds) Find(canvas fyne.Canvas) {
	if d.OnFind != nil {
		d.OnFind(canvas)
	}
}

// Drop implements [Screen].
func (d Deeds) Drop(at fyne.Position, uris []fyne.URI) {
	if d.OnDrop != nil {
		d.OnDrop(at, uris)
	}
}

func call(deed func()) {
	if deed != nil {
		deed()
	}
}

// Drawn is a [Screen] that draws its own View, which it makes from the state of the window.
type Drawn[View any] struct {
	On interface {
		Object() fyne.CanvasObject
		Apply(View)
	}
	View func(now *model.Model) View
	Deeds
}

// Object implements [Screen].
func (s *Drawn[View]) Object() fyne.CanvasObject { return s.On.Object() }

// Apply implements [Screen].
func (s *Drawn[View]) Apply(now *model.Model) { s.On.Apply(s.View(now)) }
