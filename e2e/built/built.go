// Package built makes the program for tests that run it as people do. A test binary that was built with the race detector (go test
// -race) gets a program with the race detector too, since the detector sees one process only: its own. What it finds in the program is
// then asked for with Races.
package built

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Program is a program that was built for tests.
type Program struct {
	Path       string // of what the tests start
	Executable string // what it calls itself; with the race detector that is another file
	folder     string // that Path is in
}

// WithRaceDetector reports whether this process was built with the race detector.
func WithRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Recipe is how to build a program.
type Recipe struct {
	Package string
	Args    []string // for go build
	Cgo     bool     // needed by the window, and by the race detector anyway
	Race    bool     // with the race detector; tests say WithRaceDetector()
	Known   []string // functions of others whose races are not reported
}

// Into builds the program into a folder.
func (r Recipe) Into(folder string) (*Program, error) {
	name := filepath.Base(r.Package)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	p := &Program{Path: filepath.Join(folder, name), Executable: filepath.Join(folder, name), folder: folder}
	args, cgo := []string{"build"}, "CGO_ENABLED=0"
	if r.Race {
		p.Executable = filepath.Join(folder, "raced", name) // of the same name, which desktops and tests go by
		args = append(args, "-race")
	}
	if r.Race || r.Cgo {
		cgo = "CGO_ENABLED=1"
	}
	args = append(append(append(args, "-o", p.Executable), r.Args...), r.Package)
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), cgo)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s: %w\n%s", r.Package, err, out)
	}
	if !r.Race {
		return p, nil
	}
	return p, p.listen(r.Known)
}

// listen has the race detector write what it finds into files in our folder, except for races with known functions. Clients start
// the program with an environment of their own, so the program that tests start is a script that sets the variable and becomes the
// program. It ends as quickly as without the detector, which waits for a second otherwise: clients kill what they wait for too long.
func (p *Program) listen(known []string) error {
	if runtime.GOOS == "windows" {
		return errors.New("with the race detector, the program is started by a shell script, which Windows cannot run")
	}
	var rules strings.Builder
	for _, function := range known {
		fmt.Fprintf(&rules, "race:^%s$\n", function)
	}
	suppressions := filepath.Join(p.folder, "known-races")
	if err := os.WriteFile(suppressions, []byte(rules.String()), 0o600); err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\nGORACE='log_path=%s suppressions=%s atexit_sleep_ms=0' exec '%s' \"$@\"\n", filepath.Join(p.folder, "race"), suppressions, p.Executable)
	return os.WriteFile(p.Path, []byte(script), 0o700)
}

// Races takes what the race detector has found in the program since it was last asked, one report for each process.
func (p *Program) Races() []string {
	files, _ := filepath.Glob(filepath.Join(p.folder, "race.*")) // the pattern is right
	var reports []string
	for _, file := range files {
		report, err := os.ReadFile(file)
		if err != nil {
			report = []byte(err.Error())
		}
		reports = append(reports, strings.TrimSpace(string(report)))
		_ = os.Remove(file) // what cannot be removed is told again
	}
	return reports
}
