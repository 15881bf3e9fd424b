//go:build headless

package main

import (
	"context"
	"fmt"
	"io"
)

// variant tells this build from the others in "version".
const variant = ", headless"

// hasWindow tells whether the help is to speak of the window.
const hasWindow = false

// runDesktop says that this build has no window.
func runDesktop(_ context.Context, _ desktopOptions, _, stderr io.Writer) int {
	fmt.Fprintf(stderr, "workbench-desktop: this build has no window. %s\n", withoutWindow)
	return exitFailed
}
