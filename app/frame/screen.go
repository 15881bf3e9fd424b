package frame

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Screen is the content of the window at one place. All of its methods belong to the goroutine of the window.
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

	// Back closes what lies over the screen, or else ends the selection. It reports whether there was either.
	Back() bool

	// Drop receives files that were dropped on the window.
	Drop(at fyne.Position, uris []fyne.URI)
}

// Deeds are what a [Screen] can do besides being drawn. A screen embeds them; a nil one does nothing.
type Deeds struct {
	OnEnter func()
	OnLeave func()
	OnFind  func(canvas fyne.Canvas)
	OnBack  func() bool
	OnDrop  func(at fyne.Position, uris []fyne.URI)
}

// Enter is for [Screen].
func (d Deeds) Enter() { call(d.OnEnter) }

// Leave is for [Screen].
func (d Deeds) Leave() { call(d.OnLeave) }

// Back is for [Screen].
func (d Deeds) Back() bool { return d.OnBack != nil && d.OnBack() }

// Find is for [Screen].
func (d Deeds) Find(canvas fyne.Canvas) {
	if d.OnFind != nil {
		d.OnFind(canvas)
	}
}

// Drop is for [Screen].
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

// Drawn is a [Screen] that draws a view of its own, which is made of the state of the window.
type Drawn[View any] struct {
	On interface {
		Object() fyne.CanvasObject
		Apply(View)
	}
	View func(now *model.Model) View
	Deeds
}

// Object is for [Screen].
func (s *Drawn[View]) Object() fyne.CanvasObject { return s.On.Object() }

// Apply is for [Screen].
func (s *Drawn[View]) Apply(now *model.Model) { s.On.Apply(s.View(now)) }
