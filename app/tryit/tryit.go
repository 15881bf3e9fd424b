// Package tryit lets the user call one tool by hand. It shows a form made from the tool's schema, runs the tool, and
// shows its result.
//
// Package toolform makes and checks the form, and [Read] reads the result. The widgets only draw them.
package tryit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// View is the tool to try. Nothing changes a View after it was passed to the page.
type View struct {
	Toolbox, Server string
	Tool            status.Tool

	// Blocked is a sentence that says why the tool cannot be run now. It is empty if the tool can be run.
	Blocked string
}

// Actions are called on the goroutine of the window and must not block.
type Actions struct {
	// Run calls the tool. progress and done are called on the goroutine of the window; done is called once, at the end.
	// When ctx ends, the call is cancelled, and done is still called. A total of 0 means that the total is not known.
	Run func(ctx context.Context, view View, arguments json.RawMessage,
		progress func(done, total float64, message string), done func(result json.RawMessage, err error))

	// Copy puts text on the clipboard.
	Copy func(text string)

	// Save asks for a place and writes a file there. name is proposed to the user.
	Save func(name string, data []byte)

	// Back goes back to where the page was opened from.
	Back func()

	// Do runs a function on the goroutine of the window.
	Do func(func())

	// Now returns the current time.
	Now func() time.Time
}
