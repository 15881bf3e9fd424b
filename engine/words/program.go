package words

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// windowProgram is our name on all systems.
const windowProgram = "workbench-desktop"

// Program returns what people type at a terminal to run our commands. On Windows the program with the window
// prints nothing there, so its package has another one beside it.
var Program = sync.OnceValue(func() string {
	program, err := os.Executable()
	if err != nil {
		return windowProgram
	}
	return typed(runtime.GOOS, filepath.Dir(program))
})

// typed is [Program] for programs in a folder.
func typed(goos, folder string) string {
	if goos == "windows" {
		if info, err := os.Stat(filepath.Join(folder, "workbench.exe")); err == nil && info.Mode().IsRegular() {
			return "workbench"
		}
	}
	return windowProgram
}

// asTyped returns what changes a template so that it names the program as people type it; nil if nothing
// does.
func asTyped(program string) func(template string) string {
	if program == windowProgram {
		return nil
	}
	return func(template string) string {
		return strings.ReplaceAll(template, windowProgram+" ", program+" ")
	}
}
