package environ

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// maxFirstLine is how much of a file is read for its first line. Systems read less.
const maxFirstLine = 512

// Runs reports whether a command can be started in an environment. It must be in the PATH, or be the path of
// a program, and if it is a script its interpreter must be found too. For example, npx is a script that does
// not work without node.
func Runs(command string, env []string) bool {
	path, err := process.LookPath(command, env, "")
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return true // a script there has its interpreter beside it, or uses one of the system
	}
	interpreter := interpreterOf(path)
	if interpreter == "" {
		return true
	}
	_, err = process.LookPath(interpreter, env, "")
	return err == nil
}

// interpreterOf returns the program that the first line of a script names: node for "#!/usr/bin/env node". It
// is empty if the file is no script or cannot be read.
func interpreterOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	start := make([]byte, maxFirstLine)
	n, err := io.ReadFull(file, start)
	if err != nil && n == 0 {
		return ""
	}
	return interpreter(start[:n])
}

// interpreter parses the first line of a script.
func interpreter(start []byte) string {
	rest, ok := bytes.CutPrefix(start, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	// The first word after env that is neither an option nor an assignment.
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return words[0]
}
