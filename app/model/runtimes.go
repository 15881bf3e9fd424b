package model

import "github.com/workbench-mcp/workbench-desktop/engine/manage/runtimes"

// Runtime is a program that servers need, as it stands with it in the window.
type Runtime struct {
	ID, Name  string
	Version   string // that can be got
	Size      int64  // of its archive, about, in bytes
	Installed string // the version that is there; empty: none
	Outdated  bool   // another one can be got than the one that is there

	Busy     bool // it is being got; Progress tells how far that is
	Progress runtimes.Progress
}

// Runtimes are the programs that can be got on this computer; none before it was looked.
type Runtimes []Runtime

// Find returns one by its id. It is false for one that cannot be got here.
func (r Runtimes) Find(id string) (Runtime, bool) {
	for _, one := range r {
		if one.ID == id {
			return one, true
		}
	}
	return Runtime{}, false
}

// For returns the one that brings a command that was not found.
func (r Runtimes) For(command string) (Runtime, bool) { return r.Find(runtimes.For(command)) }
