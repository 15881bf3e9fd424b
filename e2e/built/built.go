// Package built builds the program for tests that run it as people do. A test binary that was built with the
// race detector (go test -race) gets a program with the race detector too, since the detector works in a
// single process. Races returns what it finds in the program.
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
	Path       string // that the tests start
	Executable string // its own path; with the race detector that is another file
	folder     string // the folder of Path
}

// WithRaceDetector reports whether this process was built with the race detector.
func WithRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Recipe says how to build a program.
type Recipe struct {
	Package string
	Args    []string // for go build
	Cgo     bool     // needed by the window, and by the race detector anyway
	Race    bool     // with the race detector; usually WithRaceDetector()
	Known   []string // functions of libraries whose races are not reported
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
		p.Executable = filepath.Join(folder, "raced", name) // it has the same name, which desktops and tests rely on
		args = append(args, "-race")
	}
	if r.Race || r.Cgo {
		cgo = "CGO_ENABLED=1"
	}
	args = append(append(append(args, "-o", p.Executable), isolated(r.Args)...), r.Package)
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

// isolated returns the arguments of a build whose program does not find what the person who runs the tests has
// approved.
func isolated(args []string) []string {
	const tag = "isolated"
	args = slices.Clone(args)
	if i := slices.Index(args, "-tags"); i >= 0 && i+1 < len(args) {
		args[i+1] += "," + tag
		return args
	}
	return append(args, "-tags", tag)
}

// listen makes the race detector write its reports into files in our folder, except for races in known
// functions. Clients start the program with their own environment, so tests start a script that sets the
// variable and then becomes the program. It exits as quickly as without the detector, which otherwise waits
// for a second, since clients kill a program that takes too long.
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
	script := fmt.Sprintf("#!/bin/sh\nGORACE='log_path=%s suppressions=%s atexit_sleep_ms=0' exec '%s' \"$@\"\n",
		filepath.Join(p.folder, "race"), suppressions, p.Executable)
	return os.WriteFile(p.Path, []byte(script), 0o700)
}

// Races returns the reports of the race detector since the last call, one for each process.
func (p *Program) Races() []string {
	files, _ := filepath.Glob(filepath.Join(p.folder, "race.*")) // the pattern is right
	var reports []string
	for _, file := range files {
		report, err := os.ReadFile(file)
		if err != nil {
			report = []byte(err.Error())
		}
		reports = append(reports, strings.TrimSpace(string(report)))
		_ = os.Remove(file) // a report that cannot be removed is returned again
	}
	return reports
}
