// Package tryit is where a person calls one tool by hand: a form made from the tool's schema, the run, and its result.
//
// The form itself, what of it is sent and how that is checked is the work of package toolform; how a result is read is
// that of [Read]. The widgets only draw both.
package tryit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// View is which tool is tried, and whether it can be. It is not changed once made.
type View struct {
	Toolbox, Server string
	Tool            status.Tool

	// Blocked says in one sentence why the tool cannot be run now; empty when it can.
	Blocked string
}

// Actions are what the page does to the world. They are called on the goroutine of the window and must not block.
type Actions struct {
	// Run calls the tool. Progress and done are called on the goroutine of the window, done once and last. The end of the
	// context cancels the call, after which done is still called. A total of 0 means that it is not known.
	Run func(ctx context.Context, view View, arguments json.RawMessage,
		progress func(done, total float64, message string), done func(result json.RawMessage, err error))

	// Copy puts text on the clipboard.
	Copy func(text string)

	// Save asks where, and writes a file there; name is proposed.
	Save func(name string, data []byte)

	// Back leads to where the page was opened from.
	Back func()

	// Do runs a function on the goroutine of the window.
	Do func(func())

	// Now is the time.
	Now func() time.Time
}
