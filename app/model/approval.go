package model

import (
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Approval is what other programs have changed of what runs, as far as it is known.
type Approval struct {
	Of      *config.Config     // what was looked at; nil before
	Known   bool               // it was found out
	State   approval.State     // what the person has chosen
	Waiting []approval.Waiting // in the order of the file
	Problem error              // why it cannot be told
}

// Choices returns the servers that wait, and why.
func (a Approval) Choices() map[Choice]approval.Reason {
	if len(a.Waiting) == 0 {
		return nil
	}
	waiting := make(map[Choice]approval.Reason, len(a.Waiting))
	for _, w := range a.Waiting {
		waiting[Choice{w.Toolbox, w.Server.Name}] = w.Why
	}
	return waiting
}
