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

// maxFirstLine is how much of a file is looked at for its first line. Systems take less.
const maxFirstLine = 512

// Runs reports whether a command can be started in an environment: it is found in its PATH, or is the path of a program, and when
// it is a script its interpreter is found too. npx is such a script, and of no use where node is not found.
func Runs(command string, env []string) bool {
	path, err := process.LookPath(command, env, "")
	if err != nil {
		return false
	}
	if runtime.GOOS == "windows" {
		return true // a script there has the program that runs it beside it, or is run by the system's
	}
	interpreter := interpreterOf(path)
	if interpreter == "" {
		return true
	}
	_, err = process.LookPath(interpreter, env, "")
	return err == nil
}

// interpreterOf is the program that the first line of a script names, for "#!/usr/bin/env node" that is node; empty when the file
// is no script or cannot be read.
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

// interpreter reads the first line of a script.
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
	// The first word after env that is neither one of its options nor an assignment.
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return words[0]
}
