package process

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Engine is the name of the program without the window, and the command of entries of built-in servers.
const Engine = "workbench-engine"

// itself returns the path of a program of ours. Entries of built-in servers name it [Engine], wherever it lies: it is
// the running program, which may have been renamed, as downloads are, or the one beside it. Another version in PATH
// does not count. The program of a Go test has no servers.
func itself(command string) (string, bool) {
	running, err := os.Executable()
	if err != nil || !ours(command) || strings.HasSuffix(strings.TrimSuffix(running, ".exe"), ".test") {
		return "", false
	}
	beside := filepath.Join(filepath.Dir(running), strings.TrimSuffix(command, ".exe"))
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
		return beside, true
	}
	return running, true
}

// ours reports whether a name is that of one of our programs.
func ours(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return name == Engine || name == "workbench-desktop"
}
