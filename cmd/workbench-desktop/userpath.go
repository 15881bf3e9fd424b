package main

import (
	"io"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/userpath"
)

// forInstaller does what the installer for Windows asks for. ok is false if args are for something else.
func forInstaller(args []string, complaints io.Writer) (status int, ok bool) {
	return userpath.Run(args, complaints)
}
