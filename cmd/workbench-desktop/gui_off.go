//go:build headless

package main

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// variant distinguishes this build in the output of "version".
const variant = ", headless"

// hasWindow reports whether this build has a window.
const hasWindow = false

// runDesktop prints that this build has no window.
func runDesktop(_ context.Context, _ desktopOptions, s streams) int {
	s.complain(words.NewError("command.no_window"))
	return exitFailed
}
