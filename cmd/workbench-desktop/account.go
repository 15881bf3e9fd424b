//go:build !isolated

package main

import "github.com/workbench-mcp/workbench-desktop/engine/paths"

// account returns the folders of the user's account, whatever the environment says.
func account() (paths.Folders, bool) { return paths.OfAccount() }
