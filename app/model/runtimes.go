package model

import "github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"

// Runtime is a program that servers need, and its state as the window shows it.
type Runtime struct {
	ID, Name  string
	Version   string // the version that can be installed
	Size      int64  // the approximate size of its archive, in bytes
	Installed string // the installed version, or ""
	Outdated  bool   // a newer version than the installed one is available

	Busy     bool // the program is being installed; Progress tells how far
	Progress runtimes.Progress
}

// Runtimes are the programs that Workbench can install on this computer. They are empty before the first look.
type Runtimes []Runtime

// Find returns a runtime by its ID. It returns false if Workbench cannot install it here.
func (r Runtimes) Find(id string) (Runtime, bool) {
	for _, one := range r {
		if one.ID == id {
			return one, true
		}
	}
	return Runtime{}, false
}
