package main

import (
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// openApprovals returns what the user has approved to run; nil if it is not known where that is stored.
func openApprovals() *approval.Approvals {
	here := paths.Here(os.Getenv)
	path, err := here.Approvals()
	if err != nil {
		return nil
	}
	options := approval.Options{Path: path, Keychain: approval.SystemKeychain()}
	// Only the window writes preferences, so the file shows that a window was used. The history of the
	// configuration would not: commands write it too.
	if path, err := here.Preferences(); err == nil {
		options.Traces = []string{path}
	}
	return approval.New(options)
}
