//go:build linux

package e2e

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

var resting = flag.Duration("resting", 0, "watch the program for so `long` while it is hidden in the tray and nothing happens")

// TestResting says what the program costs while it is hidden in the tray and nothing happens: processor time and resident memory, of which
// some 60 MiB here are Mesa's, which draws without a graphics card.
func TestResting(t *testing.T) {
	if *resting == 0 {
		t.Skip("it takes minutes, and its figures are for people to read: -resting 60s")
	}
	for _, way := range []string{"started hidden", "window closed"} {
		t.Run(way, func(t *testing.T) {
			s := newSession(t, twoToolboxes)
			p := newPanel(t, s)
			var args []string
			if way == "started hidden" {
				args = []string{"--hidden"}
			}
			program := s.run(t, args...)
			p.icon(t)
			if args == nil {
				eventually(t, s.hasWindow)
				s.closeWindow(t, s.hasNoWindow)
			}
			time.Sleep(10 * time.Second) // the start is over, and so is what is given back after it
			pid := program.cmd.Process.Pid
			before := processorTime(t, pid)
			time.Sleep(*resting)
			used := processorTime(t, pid) - before
			t.Logf("%.2f %% of a core; %s", 100*used.Seconds()/resting.Seconds(), residentMemory(t, pid))
		})
	}
}

// processorTime is what a process has used so far, to a hundredth of a second.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	hundredths := 0
	for _, field := range strings.Fields(after)[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		hundredths += n
	}
	return time.Duration(hundredths) * 10 * time.Millisecond
}

// residentMemory is the line of the process's status that says it.
func residentMemory(t *testing.T, pid int) string {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmRSS:") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	t.Fatal("the process has ended")
	return ""
}
