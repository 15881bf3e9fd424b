package main

import (
	"log/slog"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// openPins returns the stored definitions of servers' tools; nil if their folder is not known.
func (s streams) openPins(log *slog.Logger) *pin.Store {
	folder, err := paths.Here(os.Getenv).Pins()
	if err != nil {
		log.Warn("Changes of servers' tools are not noticed", "error", err)
		return nil
	}
	if own, ok := s.ownFolders(); ok {
		if theirs, _ := own.Pins(); isFolder(theirs) { // no variable makes what was approved unknown
			folder = theirs
		}
	}
	return pin.Open(folder)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
