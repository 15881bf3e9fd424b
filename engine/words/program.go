package words

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// windowProgram is the name of the program with the window.
const windowProgram = "workbench-desktop"

// Program returns the command that people type at a terminal. On Windows, the program with the window cannot print at
// a terminal, so its package has a second program for that.
var Program = sync.OnceValue(func() string {
	program, err := os.Executable()
	if err != nil {
		return windowProgram
	}
	return typed(runtime.GOOS, filepath.Dir(program))
})

// typed is [Program] for a program in a folder.
func typed(goos, folder string) string {
	if goos == "windows" {
		if info, err := os.Stat(filepath.Join(folder, "workbench.exe")); err == nil && info.Mode().IsRegular() {
			return "workbench"
		}
	}
	return windowProgram
}

// asTyped returns a function that puts the command that people type into a template; nil if it is in all templates
// already.
func asTyped(program string) func(template string) string {
	if program == windowProgram {
		return nil
	}
	return func(template string) string {
		return strings.ReplaceAll(template, windowProgram+" ", program+" ")
	}
}
