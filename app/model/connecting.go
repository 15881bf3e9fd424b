package model

import (
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// Connecting is how connecting AI apps goes, or disconnecting them: one after the other.
type Connecting struct {
	Leaving bool               // they are disconnected
	Ticked  map[string]bool    // by ID, as the user has chosen; without one the usual holds
	Runs    map[string]*Run    // how it goes, by ID
	Queue   []string           // the IDs of those that are still to come
	Now     string             // the ID of the one whose turn it is; empty: none
	Shown   map[string]*Change // what would be done, as far as that is shown, by ID
}

// NewConnecting returns one in which nothing is under way.
func NewConnecting() Connecting {
	return Connecting{Ticked: map[string]bool{}, Runs: map[string]*Run{}, Shown: map[string]*Change{}}
}

// RunState is how far an app is.
type RunState int

// The states of an app.
const (
	RunNone RunState = iota
	RunWaits
	RunWorks
	RunQuitting // the app is to be quit first
	RunDone
	RunFailed
)

// Run is how it goes with one app.
type Run struct {
	State    RunState
	Deferred bool // it comes last, since it is to be quit first
	Problem  string
	Moved    setup.Moved // what went out of its file
}

// Change is what would be done to the file of an app, or the command.
type Change struct {
	Looking  bool
	Plan     clients.Plan
	Running  bool          // the app runs, and must be quit first
	Backups  string        // the folder where copies of files are kept
	Removing setup.Preview // the same when its own entries go
	Problem  string
}

// Waits reports whether the app is to be quit before the change can be made.
func (c *Change) Waits() bool { return c.Running && c.Plan.Changed() }

// State is how far an app is.
func (c *Connecting) State(id string) RunState {
	if run := c.Runs[id]; run != nil {
		return run.State
	}
	return RunNone
}

// Running reports whether something is under way.
func (c *Connecting) Running() bool { return c.Now != "" }

// Failed reports whether it went wrong with an app.
func (c *Connecting) Failed() bool {
	for _, run := range c.Runs {
		if run.State == RunFailed {
			return true
		}
	}
	return false
}

// OthersWait reports whether apps are left that were not looked at yet.
func (c *Connecting) OthersWait() bool {
	for _, id := range c.Queue {
		if !c.Runs[id].Deferred {
			return true
		}
	}
	return false
}

// Forget forgets what is under way.
func (c *Connecting) Forget() {
	for _, run := range c.Runs {
		if run.State == RunWaits || run.State == RunWorks || run.State == RunQuitting {
			run.State = RunNone
		}
	}
	c.Queue, c.Now = nil, ""
}
