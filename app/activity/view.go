// Package activity is the screen that shows what passes through the engines: every tool call as it happens, and the engines
// that run now with what they have open.
//
// The screen shows a [View], which is a plain value. The widgets only draw it.
package activity

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// View is the content of the screen. Neither it nor its slices change after it was handed over.
type View struct {
	// Calls are in any order; the screen shows the newest first. A call is known by its engine and its ID, so that it
	// stays the same when it ends.
	Calls []model.Call

	// Dropped is how many older calls are no longer among them.
	Dropped int

	// Changed are servers whose tools have changed and wait for the user's approval, in the order of the file.
	Changed []model.Server

	Engines []model.Engine // those that run now
	Version string         // of the app, to point out engines of another version
	Now     time.Time      // when this was so; see [Screen.Tick]
}
