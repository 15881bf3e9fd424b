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

// Program does what the user asks for. Its methods are called on the goroutine of the window and must not block.
type Program interface {
	// Run calls the tool. progress and done are called on the goroutine of the window; done is called once, at the end.
	// When ctx ends, the call is cancelled, and done is still called. A total of 0 means that the total is not known.
	Run(ctx context.Context, view View, arguments json.RawMessage,
		progress func(done, total float64, message string), done func(result json.RawMessage, err error))

	Copy(text string)              // puts text on the clipboard
	Save(name string, data []byte) // asks for a place and writes a file there; name is proposed to the user
	Back()                         // goes back to where the page was opened from
	Do(func())                     // runs a function on the goroutine of the window
	Now() time.Time
}
