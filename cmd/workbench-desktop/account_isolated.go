//go:build isolated

package main

import "github.com/workbench-mcp/workbench-desktop/engine/paths"

// account returns nothing: tests build the program with this tag, see package built.
func account() (paths.Folders, bool) { return paths.Folders{}, false }
