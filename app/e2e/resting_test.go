//go:build linux

package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

var (
	resting        = flag.Duration("resting", 0, "watch the program for so `long` while it is hidden in the tray and nothing happens")
	restingProgram = flag.String("resting.program", "", "watch this `program`, instead of one that is built as releases are")
)

// TestResting says what the program costs while it is hidden in the tray and nothing happens: processor time, and memory as the system counts it.
// Rss has all that is resident; Pss counts what other programs use too by their share. It is built as releases are:
//
//	go test ./app/e2e -run TestResting -resting 120s -v
func TestResting(t *testing.T) {
	if *resting == 0 {
		t.Skip("it takes minutes, and its figures are for people to read: -resting 120s")
	}
	released := release(t)
	for _, way := range []string{"started hidden", "window closed"} {
		t.Run(way, func(t *testing.T) {
			s := newSession(t, twoToolboxes)
			p := newPanel(t, s)
			args := []string{"--config", s.config, "--link", s.link}
			if way == "started hidden" {
				args = append(args, "--hidden")
			}
			if *soakFolder != "" {
				s.env = append(s.env, "WORKBENCH_E2E_USE="+filepath.Join(*soakFolder, strings.ReplaceAll(way, " ", "-")))
			}
			program := start(t, s.env, released, args...)
			icon := p.icon(t)
			if way == "window closed" {
				eventually(t, s.hasWindow)
				eventually(t, s.has(colorAccent, 500))
				s.closeWindow(t, s.hasNoWindow)
			}
			time.Sleep(10 * time.Second) // the start is over, and so is what is given back after it
			pid := program.cmd.Process.Pid
			before := processorTime(t, pid)
			time.Sleep(*resting)
			used := processorTime(t, pid) - before
			load, _ := os.ReadFile("/proc/loadavg")
			t.Logf("%.2f %% of a core; %s; load %s", 100*used.Seconds()/resting.Seconds(), memory(t, pid), load)
			if *soakFolder != "" {
				if err := program.cmd.Process.Signal(syscall.SIGUSR2); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Second) // until it has written what it uses, for people to read
				smaps, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
				if err == nil {
					err = os.WriteFile(filepath.Join(*soakFolder, strings.ReplaceAll(way, " ", "-")+".smaps"), smaps, 0o600)
				}
				if err != nil {
					t.Error(err)
				}
			}
			icon.click(t, "Open Workbench", s.hasWindow) // whose fonts are read again
			eventually(t, s.has(colorAccent, 500))
			s.picture(t, "after-"+strings.ReplaceAll(way, " ", "-"))
		})
	}
}

// release builds the program as releases are built.
func release(t *testing.T) string {
	t.Helper()
	if *restingProgram != "" {
		return *restingProgram
	}
	made, err := built.Recipe{Package: "../../cmd/workbench-desktop", Args: []string{"-trimpath", "-ldflags", "-s -w"}, Cgo: true}.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return made.Path
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

// memory is what a process has resident, in MiB: all of it, with its share of what others use too, and what is in files, most of it libraries.
func memory(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		kb, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
		if slices.Contains([]string{"Rss", "Pss", "Pss_Anon", "Pss_File"}, name) && err == nil {
			said = append(said, fmt.Sprintf("%s %d MiB", name, kb/1024))
		}
	}
	if len(said) == 0 {
		t.Fatal("the process has ended")
	}
	return strings.Join(said, ", ")
}
