package filewatch

import (
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// private returns a function that reports whether a folder of macOS must not be opened with all that is in it. The
// system asks the person for Desktop, Documents and Downloads, for other programs' data, for iCloud and for disks that
// can be removed, and such a question appears in our name although we do not want to read any of it. A home folder has
// all of these, and is always busy.
func private(home string) func(folder string) bool {
	home = paths.Fold(filepath.Clean(home))
	return func(folder string) bool {
		folder = paths.Fold(filepath.Clean(folder))
		if folder == home || within(home, folder) || folder == "/volumes" || filepath.Dir(folder) == "/volumes" {
			return true
		}
		below, inHome := strings.CutPrefix(folder, home+"/")
		if !inHome {
			return false
		}
		first, rest, deeper := strings.Cut(below, "/")
		switch {
		case strings.HasPrefix(first, "."):
			return false // settings of programs
		case !deeper:
			return true // Documents, Library and the like
		}
		next, _, _ := strings.Cut(rest, "/")
		return first == "library" && (rest == "application support" || next == "containers" || next == "group containers" ||
			next == "mobile documents")
	}
}

// within reports whether a path is inside a folder.
func within(path, folder string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}
