package environ

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Limits of what is taken as a PATH. No system starts a program with a longer one.
const (
	maxFolders = 1000
	maxPath    = 64 << 10 // bytes
)

// splitPath returns the folders of a PATH in order, each once. Relative ones are left out: what they mean depends on where a
// server happens to be started.
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

// real is a folder without what belongs to one shell alone: fnm gives each shell a link of its own to the version that it uses,
// which goes away some time after that shell.
func real(folder string) string {
	if !strings.Contains(folder, "fnm_multishells") {
		return folder
	}
	if target, err := filepath.EvalSymlinks(folder); err == nil {
		return target
	}
	return folder
}

// mergePath puts two lists of folders together, each folder once.
//
// A parent that gave only the system's own folders did not choose an order; then the one of the shell counts, so that a program
// is the same one as in a terminal. One that gave others has chosen, and its order stays; the shell's come after it.
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

// systems reports whether a folder is in the PATH that a system gives to programs without being asked.
func systems(folder string) bool {
	if runtime.GOOS == "windows" {
		// Here the parent's list and the registry's are the same but for what was installed since the parent was started.
		return false
	}
	switch filepath.Clean(folder) {
	case "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games", "/usr/local/games", "/snap/bin":
		return true
	}
	return false
}

// contains reports whether a folder is in a list, however it is spelled there.
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
