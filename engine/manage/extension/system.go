package extension

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// System is the computer that an extension is added on, and the user's folders there.
type System struct {
	OS     string // as in runtime.GOOS
	Folder string // below which extensions are unpacked

	Home, Desktop, Documents, Downloads string
}

// ThisSystem is the computer that we run on. env is [os.Getenv] or takes its place.
func ThisSystem(env func(string) string) (System, error) {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := env(variable)
	if !filepath.IsAbs(home) {
		found, err := os.UserHomeDir()
		if err != nil {
			return System{}, fmt.Errorf("finding the folder for extensions: the home folder is not known, because %s is not set", variable)
		}
		home = found
	}
	s := System{OS: runtime.GOOS, Home: home, Desktop: filepath.Join(home, "Desktop"), Documents: filepath.Join(home, "Documents"), Downloads: filepath.Join(home, "Downloads")}
	// Never under AppData, of which packaged programs on Windows get a private copy.
	switch runtime.GOOS {
	case "windows":
		s.Folder = filepath.Join(home, ".workbench", "extensions")
	case "darwin":
		s.Folder = filepath.Join(home, "Library", "Application Support", "Workbench", "extensions")
	default:
		s.Folder = filepath.Join(absolute(env("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), "workbench", "extensions")
		s.userFolders(filepath.Join(absolute(env("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "user-dirs.dirs"))
	}
	return s, nil
}

// absolute is a path, or another one where the first is none: the XDG base directory specification wants relative ones ignored.
func absolute(path, other string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return other
}

// userFolders reads where desktops of Linux have the user's folders, which may be elsewhere and under other names.
func (s *System) userFolders(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	for l := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(l), "=")
		folder := strings.Replace(strings.Trim(value, `"`), "$HOME", s.Home, 1)
		if !filepath.IsAbs(folder) {
			continue
		}
		switch name {
		case "XDG_DESKTOP_DIR":
			s.Desktop = folder
		case "XDG_DOCUMENTS_DIR":
			s.Documents = folder
		case "XDG_DOWNLOAD_DIR":
			s.Downloads = folder
		}
	}
}

// platform is the system as manifests name it.
func (s System) platform() string {
	switch s.OS {
	case "windows":
		return "win32"
	case "darwin":
		return s.OS
	}
	return "linux"
}

// platformName is a system of a manifest as people call it.
func platformName(platform string) string {
	switch platform {
	case "win32":
		return "Windows"
	case "darwin":
		return "macOS"
	case "linux":
		return "Linux"
	}
	return line(norm.NFC.String(platform), 20)
}

// variables are what manifests call the user's folders.
func (s System) variables() map[string]string {
	return map[string]string{
		"HOME": s.Home, "DESKTOP": s.Desktop, "DOCUMENTS": s.Documents, "DOWNLOADS": s.Downloads,
		"pathSeparator": string(filepath.Separator), "/": string(filepath.Separator),
	}
}
