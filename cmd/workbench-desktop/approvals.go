package main

import (
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// openApprovals returns what the user has approved to run, nil when it is not known where that is kept.
func openApprovals() *approval.Approvals {
	path, err := paths.Here(os.Getenv).Approvals()
	if err != nil {
		return nil
	}
	return approval.New(approval.Options{Path: path, Keychain: approval.SystemKeychain()})
}
