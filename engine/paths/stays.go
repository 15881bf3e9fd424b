package paths

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Fold returns a path as disks compare it that ignore case and how accents are composed, as those of macOS and Windows
// do.
func Fold(path string) string { return strings.ToLower(norm.NFC.String(path)) }

// Stays returns an error if a program is at a place where it will not be found later, so that its path must not be
// written down: for other programs, for the start at login, for links. On macOS these are the folders where people
// keep downloads and what they work on, disks that can be ejected, and the random place where macOS shows an app that
// was opened where it was downloaded.
func (f Folders) Stays(program string) error {
	if strings.Contains(program, "/AppTranslocation/") || f.OS == "darwin" && f.passing(program) {
		return words.NewError("paths.move_first", "Path", program)
	}
	return nil
}

// passing reports whether a program is in one of the folders of [Folders.Stays].
func (f Folders) passing(program string) bool {
	program = Fold(program)
	user := f.UserFolders()
	for _, folder := range []string{"/Volumes", user.Desktop, user.Documents, user.Downloads,
		f.join(f.Home, "Library", "Mobile Documents"), f.join(f.Home, ".Trash")} {
		if folder != "" && strings.HasPrefix(program, Fold(folder)+"/") {
			return true
		}
	}
	return false
}
