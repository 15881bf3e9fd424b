// Package tools is the Tools tab of a server: what it offers, which of that clients may see, and a way to try it.
package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// View is what the tab shows. It is not changed once made; a change gives a new one.
type View struct {
	Toolbox, Server string

	// Status is how the server is doing, and Shown says it to people.
	Status status.Server
	Shown  live.Shown

	// Tools are all tools of a connected server, in its order, those included that clients may not see.
	Tools []status.Tool

	// Filters is "toolFilters" of the server as the file has it: nil when absent.
	Filters []string

	// Changes are the tools that are withheld since they have changed; nil when none are, or they are not known yet. The same are the
	// same pointer.
	Changes *Changes

	// Locked says in one sentence why the file cannot be edited now; empty when it can.
	Locked string
}

// Target names the server in the configuration.
func (v View) Target() edit.Target { return edit.Target{Toolbox: v.Toolbox, Server: v.Server} }

// Actions are what the tab does to the world. They are called on the goroutine of the window and must not block.
type Actions struct {
	// Start connects the server, in the app's own engine.
	Start func(target edit.Target)

	// Edit changes the configuration; done is called on the goroutine of the window.
	Edit func(ops []edit.Op, done func(error))

	// Decide notes whether changed tools may be offered, as they were shown.
	Decide func(target edit.Target, changes []pin.Change, approved bool)

	// Run calls a tool; see tryit.Actions.
	Run func(ctx context.Context, target edit.Target, tool string, arguments json.RawMessage,
		progress func(done, total float64, message string), done func(result json.RawMessage, err error))

	// Log shows the Log tab of the server.
	Log func(target edit.Target)

	Copy func(text string)              // see tryit.Actions
	Save func(name string, data []byte) // see tryit.Actions
	Do   func(func())                   // see tryit.Actions
	Now  func() time.Time               // see tryit.Actions
}
