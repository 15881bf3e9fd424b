package model

import "github.com/workbench-mcp/workbench-desktop/engine/manage/runtimes"

// Runtime is a program that servers need, with its state as the window shows it.
type Runtime struct {
	ID, Name  string
	Version   string // that can be got
	Size      int64  // of its archive, about, in bytes
	Installed string // the installed version; "" when there is none
	Outdated  bool   // a newer version than the installed one can be had

	Busy     bool // it is being got; Progress tells how far that is
	Progress runtimes.Progress
}

// Runtimes are the programs that Workbench can get on this computer; empty before the first look.
type Runtimes []Runtime

// Find returns a runtime by its id. It returns false for one that Workbench cannot get here.
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
