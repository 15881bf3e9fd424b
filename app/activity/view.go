// Package activity is the screen that shows every tool call as it happens, and the running engines with their open
// toolboxes.
//
// The screen draws a [View], which is a plain value.
package activity

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// View is the content of the screen. A View and its slices must not be changed after they are passed to the screen.
type View struct {
	// Calls can be in any order; the screen shows the newest first. A call has the same [model.CallKey] while it runs and
	// after it has ended, so it keeps its row.
	Calls []model.Call

	// Dropped is the number of older calls that are no longer in Calls.
	Dropped int

	// Changed are the servers whose tools have changed and wait for the user's approval, in the order of the file.
	Changed []model.Server

	Engines []model.Engine // the running engines
	Version string         // the version of the app, used to point out engines of another version
	Now     time.Time      // the time of this View; see [Screen.Tick]
}
