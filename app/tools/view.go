// Package tools is the Tools tab of a server. It lists the tools of the server, says which of them clients may see,
// and lets the user try them.
package tools

import (
	"context"
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// View is what the tab shows. The caller does not change a View after it has passed it to the tab, but passes a new
// one.
type View struct {
	Toolbox, Server string

	// Status is the state of the server, and Shown describes it in words.
	Status status.Server
	Shown  live.Shown

	// Tools are all tools of the server, in its order, including those that clients may not see. If the server does not
	// run, they are those of the last time.
	Tools []status.Tool
	Err   error // why the tools could not be read

	// Filters is "toolFilters" of the server in the file. It is nil if the file has no such field.
	Filters []string

	// Changes are the changed tools that are withheld. It is nil if there are none or they are not known yet. Two views
	// with the same changes have the same pointer.
	Changes *Changes

	// Locked is a sentence that says why the file cannot be edited now. It is empty if the file can be edited.
	Locked string
}

// Target returns the server as the target of an edit.
func (v View) Target() edit.Target { return edit.Target{Toolbox: v.Toolbox, Server: v.Server} }

// Program carries out what the user does on the tab. Its methods are called on the goroutine of the window and must not
// block. Copy, Save and Do are those of tryit.Program.
type Program interface {
	// Start starts the server in the engine of the window. Again asks for its tools once more. Fix helps with the problem
	// of the server.
	Start(target edit.Target)
	Again(target edit.Target)
	Fix(target edit.Target)

	// Edit changes the configuration; done is called on the goroutine of the window.
	Edit(ops []edit.Op, done func(error))

	// Decide stores whether changed tools, as they were shown, may be offered.
	Decide(target edit.Target, changes []pin.Change, approved bool)

	// Run calls a tool; see tryit.Program.
	Run(ctx context.Context, target edit.Target, tool string, arguments json.RawMessage,
		progress func(done, total float64, message string), done func(result json.RawMessage, err error))

	// ShowLog shows the Log tab of the server.
	ShowLog(target edit.Target)

	Copy(text string)
	Save(name string, data []byte)
	Do(func())
}
