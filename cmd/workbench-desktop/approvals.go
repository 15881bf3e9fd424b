package main

import (
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// openApprovals returns what the user has approved to run, nil when it is not known where that is kept.
func openApprovals() *approval.Approvals {
	here := paths.Here(os.Getenv)
	path, err := here.Approvals()
	if err != nil {
		return nil
	}
	options := approval.Options{Path: path, Keychain: approval.SystemKeychain()}
	// Only the window writes preferences. The history of the configuration is written by commands, too.
	if path, err := here.Preferences(); err == nil {
		options.Traces = []string{path}
	}
	return approval.New(options)
}
