// Package activity is the screen that shows what passes through the engines: every tool call as it happens, and the engines
// that run now with what they have open.
//
// What the screen shows is a [View], a plain value; the widgets only draw it.
package activity

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// View is what the screen shows. It is not changed once handed over, nor are its slices.
type View struct {
	// Calls are in any order; the screen shows the newest first. A call is known by its engine and its ID, so that it
	// stays the same when it ends.
	Calls []model.Call

	// Dropped is how many older calls are no longer among them.
	Dropped int

	// Changed are servers whose tools have changed and wait for the user's approval, in the order of the file.
	Changed []model.Server

	Engines []model.Engine // those that run now
	Version string         // of the app, to point out engines that are of another one
	Now     time.Time      // when this was so; see [Screen.Tick]
}
