//go:build linux

// Package faults makes things go wrong on purpose, with the built program, and checks what is left:
// processes, descriptors, memory, goroutines, and whether each request was answered exactly once.
// docs/faults.md lists the faults, with figures.
//
// Long tests must be asked for: go test ./e2e/faults -long 1h -timeout 2h -v
package faults

import (
	"errors"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

var (
	long = flag.Duration("long", 0,
		"how long parties are killed and stopped at random; the other tests then do all that docs/faults.md says")
	seed = flag.Int64("seed", 0, "of what is random; 0: another one each time")
)

// patience is how long a test waits for something that must happen.
const patience = 60 * time.Second

// programVariable is the variable with the path of the built workbench-desktop, and executableVariable the one with
// the program itself, see [built.Program]. TestMain sets them once, before any test runs.
const (
	programVariable    = "WORKBENCH_FAULTS_PROGRAM"
	executableVariable = "WORKBENCH_FAULTS_EXECUTABLE"
)

// program returns the path of the built workbench-desktop.
func program() string { return os.Getenv(programVariable) }

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked() // these calls do not return if this binary was started as one of them
	runPartyIfAsked()
	flag.Parse()
	os.Exit(built.Tests(m.Run, prepare))
}

func prepare(folder string) (*built.Program, error) {
	made, err := built.Recipe{Package: "../../cmd/workbench-desktop", Args: []string{"-tags", "headless"},
		Race: built.WithRaceDetector()}.Into(folder)
	if err != nil {
		return nil, err
	}
	return made, errors.Join(os.Setenv(programVariable, made.Path), os.Setenv(executableVariable, made.Executable))
}

// some returns the number for a short run, or whole for a long one.
func some(short, whole int) int {
	if *long > 0 {
		return whole
	}
	return short
}
