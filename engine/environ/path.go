package environ

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Limits of a PATH. No system starts a program with a longer one.
const (
	maxFolders = 1000
	maxPath    = 64 << 10 // bytes
)

// splitPath returns the folders of a PATH in order, each once. Relative ones are left out, since they would
// depend on the folder in which a server is started.
func splitPath(path string) []string {
	var folders []string
	size := 0
	for _, folder := range filepath.SplitList(path) {
		folder = real(folder)
		if len(folders) == maxFolders || size+len(folder) > maxPath {
			break
		}
		if !filepath.IsAbs(folder) || strings.ContainsAny(folder, "\x00\r\n") || contains(folders, folder) {
			continue
		}
		folders = append(folders, folder)
		size += len(folder) + 1
	}
	return folders
}

// real returns a folder without the part that belongs to one shell: fnm makes for each shell a link to the
// version that it uses, which disappears some time after the shell.
func real(folder string) string {
	if !strings.Contains(folder, "fnm_multishells") {
		return folder
	}
	if target, err := filepath.EvalSymlinks(folder); err == nil {
		return target
	}
	return folder
}

// mergePath merges two lists of folders, each folder once.
//
// If the parent has passed on only the system's own folders, it did not choose an order. The shell's order is
// then used, so that a program is the same as in a terminal. If the parent has passed on other folders, its
// order stays, and the shell's folders come after them.
func mergePath(given, shell []string) []string {
	first, second := given, shell
	if !slices.ContainsFunc(given, func(folder string) bool { return !systems(folder) }) && len(shell) > 0 {
		first, second = shell, given
	}
	merged := slices.Clone(first)
	for _, folder := range second {
		if !contains(merged, folder) {
			merged = append(merged, folder)
		}
	}
	return merged
}

// systems reports whether a folder is in the PATH that a system gives every program.
func systems(folder string) bool {
	if runtime.GOOS == "windows" {
		// Here the parent's list and the registry's are the same, except for what was installed since the
		// parent was started.
		return false
	}
	switch filepath.Clean(folder) {
	case "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games", "/usr/local/games",
		"/snap/bin":
		return true
	}
	return false
}

// contains reports whether a folder is in a list, in any spelling.
func contains(list []string, folder string) bool {
	folder = filepath.Clean(folder)
	return slices.ContainsFunc(list, func(other string) bool {
		other = filepath.Clean(other)
		return other == folder || runtime.GOOS == "windows" && strings.EqualFold(other, folder)
	})
}

// setPath returns an environment with another PATH, under the name that it has there: Windows calls it Path.
func setPath(env []string, folders []string) []string {
	name := "PATH"
	kept := make([]string, 0, len(env)+1)
	for _, entry := range env {
		if key, _, ok := strings.Cut(entry, "="); ok && sameName(key, "PATH") {
			name = key
			continue
		}
		kept = append(kept, entry)
	}
	return append(kept, name+"="+strings.Join(folders, string(filepath.ListSeparator)))
}
