package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// checkGone is the testscript command "gone FILE". It checks that no process whose id is in the file is alive, and
// removes the file.
func checkGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone file")
	}
	pids := strings.Fields(ts.ReadFile(args[0]))
	if len(pids) == 0 {
		ts.Fatalf("%s has no process id", args[0])
	}
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		ts.Check(err)
		if err := poll(func() error { return dead(pid) }); err != nil {
			ts.Fatalf("%v", err)
		}
	}
	ts.Check(os.Remove(ts.MkAbs(args[0])))
}

// dead returns an error while the process is running. A zombie counts as dead.
func dead(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil || process.Signal(syscall.Signal(0)) != nil {
		return nil
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil && strings.Contains(string(stat), ") Z ") {
		return nil
	}
	return fmt.Errorf("process %d is still alive", pid)
}

// checkLines is the testscript command "lines FILE N". It checks that the file has N lines.
func checkLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines file n")
	}
	if got := strconv.Itoa(strings.Count(ts.ReadFile(args[0]), "\n")); got != args[1] {
		ts.Fatalf("%s has %s lines, want %s", args[0], got, args[1])
	}
}

// checkAbsent is the testscript command "absent TEXT FOLDER". It checks that the folder has files and that none of
// them contains the text.
func checkAbsent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: absent text folder")
	}
	files := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), args[0]) {
			return fmt.Errorf("%s contains %q", path, args[0])
		}
		return err
	}))
	if files == 0 {
		ts.Fatalf("there is no file in %s", args[1])
	}
}

// checkNothing is the testscript command "nothing FOLDER". It checks that the folder is empty.
func checkNothing(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nothing folder")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, entry := range entries {
		ts.Fatalf("%s is in %s", entry.Name(), args[0])
	}
}

// checkStatus is the testscript command "status N PROGRAM ARGUMENT…". It checks that the program exits with status N.
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program argument…")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}
