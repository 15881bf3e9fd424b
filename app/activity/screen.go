package activity

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Actions are what the controls of the screen do. They are called on the goroutine of the window and must not block.
type Actions struct {
	// CloseToolbox closes a toolbox of one engine. done is to be called on the goroutine of the window.
	CloseToolbox func(engine, toolbox string, done func(error))

	// Export lets the user choose where to save calls, and saves them as [Encode] writes them.
	Export func(format Format, calls []Call)

	// Copy puts a text on the clipboard.
	Copy func(text string)

	// ShowServer goes to a server on the toolboxes screen; nil: there is no such button.
	ShowServer func(toolbox, server string)
}

// Format is a kind of file that calls can be exported as.
type Format string

// The formats of [Encode]. They are also the endings of file names.
const (
	CSV  Format = "csv"
	JSON Format = "json"
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

// Apply shows another View. What was selected, typed and paused stays so.
func (s *Screen) Apply(view View) { s.view = view }

// Tick moves the times that run on. The window calls it about once a second while the screen can be seen.
func (s *Screen) Tick(now time.Time) {}

// FocusSearch puts the cursor into the filter field.
func (s *Screen) FocusSearch(canvas fyne.Canvas) {}
