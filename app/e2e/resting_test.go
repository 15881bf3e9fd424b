//go:build linux

package e2e

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

var (
	resting = flag.Duration("resting", 0,
		"watch the program for so `long` while it is hidden in the tray and nothing happens")
	restingProgram = flag.String("resting.program", "",
		"watch this `program`, instead of one that is built as releases are")
)

// TestResting measures what the program uses while it is hidden in the tray: processor time, and memory as the system
// counts it. Rss is all resident memory; Pss counts shared memory by its share. The program is built like a release:
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
				s.walk(t)
				s.closeWindow(t, s.hasNoWindow)
			}
			time.Sleep(10 * time.Second) // until the start is over and unused memory was freed
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
				time.Sleep(2 * time.Second) // until the program has written its figures
				smaps, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
				if err == nil {
					err = os.WriteFile(filepath.Join(*soakFolder, strings.ReplaceAll(way, " ", "-")+".smaps"), smaps, 0o600)
				}
				if err != nil {
					t.Error(err)
				}
			}
			icon.click(t, "Open Workbench", s.hasWindow) // this reads the fonts again
			eventually(t, s.has(colorAccent, 500))
			s.picture(t, "after-"+strings.ReplaceAll(way, " ", "-"))
		})
	}
}

// walk shows one screen after the other.
func (s *session) walk(t *testing.T) {
	t.Helper()
	eventually(t, s.has(colorAccent, 500))
	for screen := 1; screen <= 6; screen++ {
		s.goesTo(t, fmt.Sprintf("ctrl+%d", screen%6+1))
	}
}

// goesTo presses the keys of another screen until the window has changed: a window that has just come up may not take
// them yet.
func (s *session) goesTo(t *testing.T, keys string) {
	t.Helper()
	before := colours(s.screen())
	eventually(t, func() error {
		s.keys(t, keys)
		if maps.Equal(colours(s.screen()), before) {
			return errors.New("the screen has not changed")
		}
		return nil
	})
}

// mostResident is how much memory the program may have while it is hidden, in MiB.
const mostResident = 200

// TestMemoryInTheTray checks that the program uses little memory in the tray, whatever was shown before.
func TestMemoryInTheTray(t *testing.T) {
	if built.WithRaceDetector() {
		t.Skip("the race detector needs memory of its own")
	}
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t, "--hidden")
	icon := p.icon(t)
	small := func() error {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", program.cmd.Process.Pid))
		if err != nil {
			return err
		}
		if now := rollup(text, "Rss"); now == 0 || now > mostResident {
			return fmt.Errorf("%d MiB are resident, want %d at most", now, mostResident)
		}
		return nil
	}
	eventually(t, small)
	for range 2 {
		icon.click(t, "Open Workbench", s.hasWindow)
		s.walk(t)
		s.closeWindow(t, s.hasNoWindow)
		eventually(t, small)
	}
}

// release builds the program like a release.
func release(t *testing.T) string {
	t.Helper()
	if *restingProgram != "" {
		return *restingProgram
	}
	made, err := built.Recipe{Package: "../../cmd/workbench-desktop", Args: []string{"-trimpath", "-ldflags", "-s -w"},
		Cgo: true}.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return made.Path
}

// processorTime returns the processor time that a process has used, in steps of 10 ms.
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

// memory returns the resident memory of a process in MiB: all of it, its share of it, and the parts of that share that
// are anonymous and in files. Most of the latter are libraries.
func memory(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	if rollup(text, "Rss") == 0 {
		t.Fatal("the process has ended")
	}
	var said []string
	for _, name := range []string{"Rss", "Pss", "Pss_Anon", "Pss_File"} {
		said = append(said, fmt.Sprintf("%s %d MiB", name, rollup(text, name)))
	}
	return strings.Join(said, ", ")
}

// rollup returns one of the amounts of memory in a smaps_rollup, in MiB, or 0 if it is missing.
func rollup(text []byte, name string) int {
	_, found, _ := strings.Cut(string(text), "\n"+name+":")
	kb := 0
	_, _ = fmt.Sscan(found, &kb)
	return kb / 1024
}
