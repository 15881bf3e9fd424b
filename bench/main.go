// Command bench measures the cost of the engine. It makes the same calls to the same server directly, through
// a process that only passes bytes on (the floor for every proxy), and through the engine.
//
//	go run ./bench
//
// README.md in this folder says what is measured, and has the bars for the results.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// errMissed means that everything was measured and a bar was missed.
var errMissed = errors.New("a bar was missed")

func main() {
	if err := run(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

func run(args []string) error {
	// The program starts itself as the server and as the floor.
	if len(args) > 0 {
		switch args[0] {
		case roleServer:
			return serve(os.Stdin, os.Stdout)
		case roleFloor:
			return pass(os.Stdin, os.Stdout, args[1:])
		}
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON instead of a table")
	check := flags.Bool("check", false, "exit with status 1 when a bar is missed")
	rounds := flags.Int("rounds", 20, "how often the measurements take turns")
	engine := flags.String("engine", "", "measure this `program` instead of building the engine")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *rounds < 1 {
		return fmt.Errorf("usage: go run ./bench [-json] [-check] [-rounds N] [-engine PROGRAM]")
	}
	report, err := measure(*engine, *rounds)
	if err != nil {
		return err
	}
	if *asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		err = report.print(os.Stdout)
	}
	if err != nil {
		return fmt.Errorf("printing the results: %w", err)
	}
	if *check && !report.Passed {
		return errMissed
	}
	return nil
}

// measure builds the engine, unless one is given, and runs all measurements.
func measure(engine string, rounds int) (*report, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "workbench-bench-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the run: %w", err)
	}
	defer os.RemoveAll(dir)
	if engine == "" {
		engine = filepath.Join(dir, "workbench-desktop")
		if runtime.GOOS == "windows" {
			engine += ".exe"
		}
		if err := build(root, engine); err != nil {
			return nil, err
		}
	}
	paths, err := newTargets(dir, root, engine)
	if err != nil {
		return nil, err
	}
	suite := &suite{targets: paths, rounds: rounds}
	rows, err := suite.run()
	if err != nil {
		return nil, err
	}
	return newReport(rows, rounds), nil
}

// build builds the engine as it is released.
func build(root, program string) error {
	fmt.Fprintln(os.Stderr, "building the engine (CGO_ENABLED=0 -tags headless -trimpath) …")
	cmd := exec.Command("go", "build", "-tags", "headless", "-trimpath", "-o", program, "./cmd/workbench-desktop")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	return nil
}

// moduleRoot returns the folder of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for the module: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return "", errors.New("run this inside the module, as go run ./bench")
	}
	return filepath.Dir(file), nil
}
