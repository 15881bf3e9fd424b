package extension

import (
	"path/filepath"

	"golang.org/x/text/unicode/norm"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// System is the computer on which an extension is added, with the user's folders.
type System struct {
	OS     string // as in runtime.GOOS
	Folder string // the folder below which extensions are unpacked

	Home string
	paths.UserFolders
}

// ThisSystem returns this computer. env is [os.Getenv] or a replacement.
func ThisSystem(env func(string) string) (System, error) {
	here := paths.Here(env)
	folder, err := here.Extensions()
	if err != nil {
		return System{}, words.NewError("extension.no_folder", "Why", err)
	}
	return System{OS: here.OS, Folder: folder, Home: here.Home, UserFolders: here.UserFolders()}, nil
}

// platform returns the system's name in manifests.
func (s System) platform() string {
	switch s.OS {
	case "windows":
		return "win32"
	case "darwin":
		return s.OS
	}
	return "linux"
}

// platformName returns the name for people of a system in a manifest.
func platformName(platform string) string {
	switch platform {
	case "win32":
		return "Windows"
	case "darwin":
		return "macOS"
	case "linux":
		return "Linux"
	}
	return visible.Short(norm.NFC.String(platform), 20)
}

// variables returns the names that manifests have for the user's folders, with their paths.
func (s System) variables() map[string]string {
	return map[string]string{
		"HOME": s.Home, "DESKTOP": s.Desktop, "DOCUMENTS": s.Documents, "DOWNLOADS": s.Downloads,
		"pathSeparator": string(filepath.Separator), "/": string(filepath.Separator),
	}
}
