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
	for _, trace := range []func() (string, error){here.History, here.Preferences} {
		if path, err := trace(); err == nil {
			options.Traces = append(options.Traces, path)
		}
	}
	return approval.New(options)
}
