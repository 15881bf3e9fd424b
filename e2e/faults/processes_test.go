//go:build linux

package faults

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runVariable marks the processes of a test. The tests find processes by this mark alone, and not in the way in which
// the program finds them.
const runVariable = "WORKBENCH_FAULTS_RUN"

type runID string

// newRun returns a new mark. At the end of the test, all processes with the mark are ended.
func newRun(t testing.TB) runID {
	run := runID(rand.Text())
	t.Cleanup(func() {
		for _, pid := range run.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return run
}

// processes returns the ids of the processes that have the mark in their environment or as an argument, in ascending
// order. They are servers and the processes that servers have started.
func (r runID) processes() []int {
	var found []int
	for _, pid := range allProcesses() {
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // the process may have ended
		arguments, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if (has(environ, runVariable+"="+string(r)) || has(arguments, string(r))) && state(pid) != "Z" {
			found = append(found, pid)
		}
	}
	return found
}

// has reports whether text is one of texts, which are separated by zero bytes.
func has(texts []byte, text string) bool {
	return slices.ContainsFunc(bytes.Split(texts, []byte{0}), func(t []byte) bool { return string(t) == text })
}

func allProcesses() []int {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	var all []int
	for _, folder := range folders {
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			all = append(all, pid)
		}
	}
	slices.Sort(all)
	return all
}

// stat returns the fields of /proc/pid/stat after the name: state, parent, group, …; or nil if the process is
// gone.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// state returns a letter such as S or Z, or "" if the process is gone.
func state(pid int) string {
	if fields := stat(pid); fields != nil {
		return fields[0]
	}
	return ""
}

// guardianOf returns the id of the guardian that a process has started, or 0.
func guardianOf(pid int) int {
	for _, other := range allProcesses() {
		fields := stat(other)
		if fields == nil || fields[1] != strconv.Itoa(pid) || fields[0] == "Z" {
			continue
		}
		if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", other)); bytes.HasSuffix(line,
			[]byte("\x00guardian\x00")) {
			return other
		}
	}
	return 0
}

// eventually waits until a condition is true, and returns how long that took.
func eventually(t testing.TB, what string, limit time.Duration, is func() bool) time.Duration {
	t.Helper()
	begun := time.Now()
	for !is() {
		if time.Since(begun) > limit {
			t.Fatalf("not within %v: %s", limit, what)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begun)
}

// describe returns the id, state and command line of each process, for messages.
func describe(pids []int) string {
	var all []string
	for _, pid := range pids {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		all = append(all, fmt.Sprintf("%d %s %.100q", pid, state(pid), bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return strings.Join(all, "; ")
}
