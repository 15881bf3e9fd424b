package tools

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Tab draws a View. Its methods belong to the goroutine of the window.
type Tab struct {
	actions Actions
	view    View
	root    *fyne.Container
}

// New makes the tab. It shows nothing until Apply.
func New(actions Actions) *Tab { return &Tab{actions: actions, root: container.NewStack()} }

// Object is what the window shows.
func (t *Tab) Object() fyne.CanvasObject { return t.root }

// Apply shows another View. What was searched, opened and typed stays while the server is the same.
func (t *Tab) Apply(view View) { t.view = view }

// Open shows the page of one tool, as when a call of it is looked up.
func (t *Tab) Open(tool string) {}

// FocusSearch puts the cursor into the search field, when it can be seen.
func (t *Tab) FocusSearch(canvas fyne.Canvas) {}

// Close ends calls that are under way and waits for the tab's goroutines.
func (t *Tab) Close() {}
