package main

import (
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// openApprovals returns what the user has approved to run; nil if it is not known where that is stored.
func (s streams) openApprovals() *approval.Approvals {
	path, err := paths.Here(os.Getenv).Approvals()
	if err != nil {
		return nil
	}
	options := approval.Options{Path: path}
	if own, ok := s.ownFolders(); ok {
		options.Account, _ = own.Approvals() // its home is known
	}
	return approval.New(options)
}

// ownFolders returns the folders of the user's account, whatever the environment says. Tests have none, so that they
// do not find what the person who runs them has approved.
func (s streams) ownFolders() (own paths.Folders, ok bool) {
	if s.account == nil {
		return own, false
	}
	return s.account()
}
