package paths

import (
	"os"
	"strings"
)

// UserFolders are the folders in which people keep their own files.
type UserFolders struct{ Desktop, Documents, Downloads string }

// UserFolders returns the folders of the user, which may not exist. On Linux desktops they may be elsewhere
// and have other names, which is read from a file.
func (f Folders) UserFolders() UserFolders {
	found := UserFolders{f.join(f.Home, "Desktop"), f.join(f.Home, "Documents"), f.join(f.Home, "Downloads")}
	if f.OS == "windows" || f.OS == "darwin" {
		return found
	}
	text, err := os.ReadFile(f.join(f.ConfigHome(), "user-dirs.dirs"))
	if err != nil {
		return found
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		folder := strings.Replace(strings.Trim(value, `"`), "$HOME", f.Home, 1)
		if !IsAbs(f.OS, folder) {
			continue
		}
		switch name {
		case "XDG_DESKTOP_DIR":
			found.Desktop = folder
		case "XDG_DOCUMENTS_DIR":
			found.Documents = folder
		case "XDG_DOWNLOAD_DIR":
			found.Downloads = folder
		}
	}
	return found
}
