//go:build !windows

package userpath

import "io"

// Run does nothing: packages of other systems put programs where they are found.
func Run([]string, io.Writer) (status int, ok bool) { return 0, false }
