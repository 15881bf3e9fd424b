package model

import (
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Approval says which servers other programs have added or changed without the approval of the user.
type Approval struct {
	Of      *config.Config     // the configuration that was checked; nil before the first check
	State   approval.State     // whether servers can wait for approval, as the user has chosen
	Waiting []approval.Waiting // the servers that wait, in the order of the file
}

// Choices returns the servers that wait for approval, each with the reason.
func (a Approval) Choices() map[Choice]approval.Reason {
	if len(a.Waiting) == 0 {
		return nil
	}
	waiting := make(map[Choice]approval.Reason, len(a.Waiting))
	for _, w := range a.Waiting {
		waiting[Choice{Toolbox: w.Toolbox, Server: w.Server.Name}] = w.Why
	}
	return waiting
}
