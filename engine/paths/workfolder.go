package paths

import (
	"os"
	"strings"
)

// WorkFolder returns the folder in which servers start whose entry names none; "" for our own current folder. That one
// counts where somebody has chosen it, as a project in which an app was opened. Systems start programs in folders that
// nobody means: the top of the disk, the inside of an app, the folder of Windows. Then it is the user's home.
func WorkFolder() string {
	current, err := os.Getwd()
	if err != nil {
		return Here(os.Getenv).Home
	}
	return Here(os.Getenv).workFolder(current)
}

func (f Folders) workFolder(current string) string {
	folder := strings.TrimRight(strings.ToLower(strings.ReplaceAll(current, `\`, "/")), "/")
	unmeant := folder == "" || f.OS == "darwin" && strings.Contains(folder+"/", ".app/contents/") ||
		f.OS == "windows" && (len(folder) == 2 && folder[1] == ':' || strings.HasSuffix(folder, ":/windows/system32") ||
			strings.HasSuffix(folder, ":/windows"))
	if unmeant {
		return f.Home
	}
	return ""
}
