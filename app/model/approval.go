package model

import (
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Approval is what other programs have changed in the configuration and what the user has not approved yet.
type Approval struct {
	Of      *config.Config     // the configuration that was compared; nil before the first comparison
	Known   bool               // the comparison has been made
	State   approval.State     // what the user has chosen
	Waiting []approval.Waiting // in the order of the file
	Problem error              // why the comparison failed
}

// Choices returns the servers that wait for approval, each with the reason.
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
