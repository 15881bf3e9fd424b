package process

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Engine is the name of the program without the window, and the command in the entries of built-in servers.
const Engine = "workbench-engine"

// itself returns the path of one of our programs, if command names one: the program in the folder of the running
// program, or the running program itself, which may have another name after a download. PATH is not searched, since it
// may lead to another version. In a Go test, itself reports false.
func itself(command string) (string, bool) {
	running, err := os.Executable()
	if err != nil || !Ours(command) || strings.HasSuffix(strings.TrimSuffix(running, ".exe"), ".test") {
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

// Ours reports whether a name is that of one of our programs.
func Ours(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return name == Engine || name == "workbench-desktop"
}
