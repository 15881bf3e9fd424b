package updates

import (
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Way is how this program is updated.
type Way struct {
	// Command updates it, where a package manager knows where to find newer versions. Empty: the person downloads a
	// package from the page of the release.
	Command string
}

// Find returns the way for a program on this computer. It reads files below root, the root of the file system, and
// runs nothing.
func Find(program string, root fs.FS) Way { return find(runtime.GOOS, program, root) }

func find(goos, program string, root fs.FS) Way {
	program = filepath.ToSlash(program)
	if goos == "windows" {
		program = strings.ReplaceAll(program, `\`, "/")
	}
	exists := func(name string) bool { _, err := fs.Stat(root, name); return err == nil }
	switch {
	case goos == "windows":
		if strings.Contains(strings.ToLower(program), "/scoop/apps/workbench/") {
			return Way{Command: "scoop update workbench"}
		}
		// The setup and winget leave the same behind, and a newer setup is right for both.
		return Way{}
	case strings.Contains(program, "/Cellar/workbench-engine/"):
		return Way{Command: "brew upgrade workbench-engine"}
	case goos == "darwin":
		if strings.HasPrefix(program, "/Applications/Workbench.app/") &&
			(exists("opt/homebrew/Caskroom/workbench") || exists("usr/local/Caskroom/workbench")) {
			return Way{Command: "brew upgrade --cask workbench"}
		}
		return Way{}
	case path.Dir(program) != "/usr/bin":
		return Way{}
	case exists("var/lib/dpkg/info/workbench-desktop.list"):
		if ours(root, "etc/apt/sources.list", "etc/apt/sources.list.d/*") {
			return Way{Command: "sudo apt update && sudo apt install --only-upgrade workbench-desktop"}
		}
	case ours(root, "etc/zypp/repos.d/*.repo"):
		return Way{Command: "sudo zypper update workbench-desktop"}
	case ours(root, "etc/yum.repos.d/*.repo"):
		return Way{Command: "sudo dnf upgrade workbench-desktop"}
	}
	return Way{}
}

// ours reports whether one of these files of a package manager names the repository of this project.
func ours(root fs.FS, patterns ...string) bool {
	for _, pattern := range patterns {
		names, _ := fs.Glob(root, pattern) // the patterns are right
		for _, name := range names {
			data, err := fs.ReadFile(root, name)
			if err == nil && strings.Contains(string(data), "//workbench-mcp.github.io/") {
				return true
			}
		}
	}
	return false
}

// Text says how to get a release.
func (w Way) Text(release Release) words.Text {
	if w.Command != "" {
		return words.New("updates.by_command", "Command", w.Command)
	}
	return words.New("updates.by_page", "Page", release.Page)
}
