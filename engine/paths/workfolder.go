package paths

import (
	"os"
	"strings"
)

// WorkFolder returns the folder in which servers start whose entry names none. It is "", which means our own current
// folder, if that may be the project that is open in an app. Systems also start programs in folders that nobody has
// chosen: the top of the disk, the inside of an app, the folder of Windows. WorkFolder then returns the user's home.
func WorkFolder() string {
	current, err := os.Getwd()
	if err != nil {
		return Here(os.Getenv).Home
	}
	return Here(os.Getenv).workFolder(current)
}

func (f Folders) workFolder(current string) string {
	folder := strings.TrimRight(strings.ToLower(strings.ReplaceAll(current, `\`, "/")), "/")
	notChosen := folder == "" || f.OS == "darwin" && strings.Contains(folder+"/", ".app/contents/") ||
		f.OS == "windows" && (len(folder) == 2 && folder[1] == ':' || strings.HasSuffix(folder, ":/windows/system32") ||
			strings.HasSuffix(folder, ":/windows"))
	if notChosen {
		return f.Home
	}
	return ""
}
