// Package serverlog is the Log tab of a server: what the server wrote, and what Workbench did with it.
package serverlog

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// MaxLines is how many lines are kept; older ones give way.
const MaxLines = 10_000

// View says whose log is shown and, in one sentence, why when there is nothing in it.
type View struct {
	Toolbox, Server string
	Empty           string
}

// Actions are what the tab does to the world. They are called on the goroutine of the window and must not block.
type Actions struct {
	Copy func(text string)              // puts text on the clipboard; nil takes that of the app
	Save func(name string, data []byte) // asks where, and writes a file there; nil leaves the button out
	Do   func(func())                   // runs a function on the goroutine of the window; nil takes fyne.Do
}

// Log draws the lines. Its methods belong to the goroutine of the window.
type Log struct {
	actions Actions
	view    View
	root    *fyne.Container
}

// New makes the tab without lines.
func New(actions Actions) *Log { return &Log{actions: actions, root: container.NewStack()} }

// Object is what the window shows.
func (l *Log) Object() fyne.CanvasObject { return l.root }

// Apply shows another View. Another server begins without lines.
func (l *Log) Apply(view View) { l.view = view }

// Set shows other lines, oldest first.
func (l *Log) Set(lines []status.LogLine) {}

// Append adds lines at the end.
func (l *Log) Append(lines ...status.LogLine) {}

// FocusSearch puts the cursor into the search field.
func (l *Log) FocusSearch(canvas fyne.Canvas) {}
