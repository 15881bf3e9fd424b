package model

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// Connecting is the state of connecting or disconnecting AI apps, one after the other.
type Connecting struct {
	Leaving bool               // the apps are being disconnected
	Ticked  map[string]bool    // the apps that the user has ticked or unticked, by ID; the others have the default
	Runs    map[string]*Run    // the progress of each app, by ID
	Queue   []string           // the IDs of the apps that are still to come
	Now     string             // the ID of the current app, or empty
	Shown   map[string]*Change // the changes that have been computed for display, by ID
}

// NewConnecting returns a Connecting that does nothing.
func NewConnecting() Connecting {
	return Connecting{Ticked: map[string]bool{}, Runs: map[string]*Run{}, Shown: map[string]*Change{}}
}

// RunState is the progress of one app.
type RunState int

// The states of an app.
const (
	RunNone RunState = iota
	RunWaits
	RunWorks
	RunQuitting // the user must quit the app first
	RunDone
	RunFailed
)

// Run is the progress of connecting or disconnecting one app.
type Run struct {
	State    RunState
	Deferred bool // the app comes last, because the user must quit it first
	Problem  string
	Moved    setup.Moved // the entries that were moved out of the app's file
}

// Proposal is how connecting or disconnecting an app would change its file, or the command that would be run.
type Proposal struct {
	Plan    clients.Plan
	Running bool // the app is running and must be quit first

	// Moved are the files from which servers were moved; disconnecting offers to put them back. Back is how the files
	// change then.
	Moved []setup.MovedFile
	Back  []clients.Difference
}

// Change is a [Proposal] that is shown.
type Change struct {
	Proposal
	Looking  bool          // the proposal is being computed
	Removing setup.Preview // what changes if the app's own entries are removed, too
	Problem  string
}

// Waits reports whether the app must be quit before the change can be made.
func (c *Change) Waits() bool { return c.Running && (c.Plan.Changed() || len(c.Moved) > 0) }

// State returns the progress of an app.
func (c *Connecting) State(id string) RunState {
	if run := c.Runs[id]; run != nil {
		return run.State
	}
	return RunNone
}

// Running reports whether an app is being connected or disconnected.
func (c *Connecting) Running() bool { return c.Now != "" }

// Failed reports whether connecting or disconnecting an app has failed.
func (c *Connecting) Failed() bool {
	for _, run := range c.Runs {
		if run.State == RunFailed {
			return true
		}
	}
	return false
}

// OthersWait reports whether apps are left that have not been tried yet.
func (c *Connecting) OthersWait() bool {
	return slices.ContainsFunc(c.Queue, func(id string) bool { return !c.Runs[id].Deferred })
}

// Forget empties the queue and resets the apps that are not finished.
func (c *Connecting) Forget() {
	for _, run := range c.Runs {
		if run.State == RunWaits || run.State == RunWorks || run.State == RunQuitting {
			run.State = RunNone
		}
	}
	c.Queue, c.Now = nil, ""
}
