// Package e2e tests the built program as people use it: real MCP clients from npm start it, and it starts
// real MCP servers from npm. README.md in this folder says how to run the tests.
package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/e2e/fakeclaude"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// patience is how long a test waits for an event. It is long because machines can be slow; it costs nothing
// if the event happens.
const patience = 60 * time.Second

// program is the built workbench-desktop, and executable its own path. TestMain sets them once, before any
// test runs.
var program, executable string

func TestMain(m *testing.M) {
	fakeclaude.RunIfAsked() // these do not return if this binary was started as one of them
	fakeserver.RunIfAsked()
	os.Exit(built.Tests(m.Run, prepare))
}

func prepare(folder string) (*built.Program, error) {
	made, err := built.Recipe{Package: "../cmd/workbench-desktop", Args: []string{"-tags", "headless"},
		Race: built.WithRaceDetector()}.Into(folder)
	if err != nil {
		return nil, err
	}
	program, executable = made.Path, made.Executable
	return made, nil
}

// needNPM ends the test if the servers and clients from npm are not installed: with a failure in CI, where a
// skipped test would not be noticed, and as skipped elsewhere.
func needNPM(t *testing.T) {
	t.Helper()
	const hint = "the MCP servers and clients from npm are not installed; run e2e/npm/install"
	_, err := os.Stat(npmPath("node_modules", ".installed-lock.json"))
	if err == nil {
		_, err = exec.LookPath("node")
	}
	if err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal(hint)
	}
	t.Skip(hint)
}

// npmPath returns the absolute path of a file below the folder npm.
func npmPath(parts ...string) string {
	path, err := filepath.Abs(filepath.Join(append([]string{"npm"}, parts...)...))
	if err != nil {
		panic(err) // the working directory is gone
	}
	return path
}
