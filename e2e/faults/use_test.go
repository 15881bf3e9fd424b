//go:build linux

package faults

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// use is what a process uses at one time.
type use struct {
	files, threads, children int
	memory                   int // resident, in KiB
	peak                     int // the highest value of memory so far, in KiB
}

func (u use) String() string {
	return fmt.Sprintf("%d descriptors, %d threads, %d children, %.1f MiB (at most %.1f)", u.files, u.threads, u.children,
		float64(u.memory)/1024, float64(u.peak)/1024)
}

// useOf returns what a process uses now.
func useOf(t testing.TB, pid int) use {
	t.Helper()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	u := use{files: len(files)}
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		number, _ := strconv.Atoi(strings.Fields(value + " x")[0])
		switch name {
		case "VmRSS":
			u.memory = number
		case "VmHWM":
			u.peak = number
		case "Threads":
			u.threads = number
		}
	}
	for _, other := range allProcesses() {
		if fields := stat(other); fields != nil && fields[1] == strconv.Itoa(pid) && fields[0] != "Z" {
			u.children++
		}
	}
	return u
}

// goroutines ends an engine with SIGQUIT and returns its number of goroutines by the function that they run.
func (c *client) goroutines(t testing.TB) map[string]int {
	t.Helper()
	before := len(c.said.String())
	signalTo(t, c.cmd.Process.Pid, syscall.SIGQUIT)
	select {
	case <-c.over:
	case <-time.After(patience):
		t.Fatal("SIGQUIT does not end the engine")
	}
	c.ended.Do(func() { _ = c.cmd.Wait() })
	dump := c.said.String()[before:]
	kinds := map[string]int{}
	for _, stack := range regexp.MustCompile(`(?m)^goroutine \d+ `).Split(dump, -1)[1:] {
		lines := strings.Split(stack, "\n")
		kind := "main"
		for _, line := range lines {
			if created, ok := strings.CutPrefix(line, "created by "); ok {
				kind, _, _ = strings.Cut(created, " in goroutine")
			}
		}
		kinds[kind]++
	}
	if len(kinds) == 0 {
		t.Fatalf("the engine did not print its goroutines:\n%.2000s", dump)
	}
	return kinds
}

// sameGoroutines checks that two engines end with about the same goroutines.
func sameGoroutines(t testing.TB, rested, used *client) {
	t.Helper()
	want, got := rested.goroutines(t), used.goroutines(t)
	total := func(kinds map[string]int) (n int) {
		for _, count := range kinds {
			n += count
		}
		return n
	}
	t.Logf("%d goroutines, %d in an engine that has done little", total(got), total(want))
	for kind, count := range got {
		if count > want[kind]+2 {
			t.Errorf("%d goroutines of %s, %d in an engine that has done little", count, kind, want[kind])
		}
	}
}

// isError reports whether a call failed.
func (a answer) isError() bool {
	return a.Error != nil || bytes.Contains(a.Result, []byte(`"isError":true`))
}
