//go:build linux

package e2e

import (
	"flag"
	"os"
	"slices"
	"testing"
	"time"
)

var firstWindow = flag.Int("first-window", 0, "measure so `often` how soon the first window is there")

// TestFirstWindow measures how soon the first window shows its contents, in elapsed time and in processor time.
// Processor time is more reliable on a busy machine. It includes the time of Mesa, which draws without a graphics
// card. The program is built like a release:
//
//	go test ./app/e2e -run TestFirstWindow -first-window 10 -v
func TestFirstWindow(t *testing.T) {
	if *firstWindow == 0 {
		t.Skip("its figures are for people to read: -first-window 10")
	}
	released := release(t)
	s := newSession(t, twoToolboxes)
	var clock, worked []time.Duration
	for range *firstWindow {
		program := start(t, s.env, released, "--config", s.config, "--link", s.link)
		for s.has(colorAccent, 500)() != nil {
			if time.Since(program.begun) > patience {
				t.Fatal("the window is still empty")
			}
		}
		clock = append(clock, time.Since(program.begun))
		worked = append(worked, processorTime(t, program.cmd.Process.Pid))
		s.closeWindow(t, program.hasEnded) // there is no tray
	}
	slices.Sort(clock)
	slices.Sort(worked)
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("elapsed time %v to %v, median %v; processor time %v to %v, median %v; load %s",
		clock[0].Round(time.Millisecond), clock[len(clock)-1].Round(time.Millisecond),
		clock[len(clock)/2].Round(time.Millisecond), worked[0], worked[len(worked)-1], worked[len(worked)/2], load)
}
