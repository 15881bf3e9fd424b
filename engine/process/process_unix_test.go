//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// awaitGone polls until no process has the id. A process that has ended and that nobody waits for counts as gone,
// where the system shows that.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

func zombie(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestStopEscalates(t *testing.T) {
	tests := []struct{ mode, want string }{
		{"say=ready wait-stdin exit=4", "exited with status 4"},
		{"say=ready sleep", "was killed by signal SIGTERM"},
		{"ignore-term say=ready sleep", "was killed by signal SIGKILL"},
	}
	for _, test := range tests {
		s := spec(t, test.mode)
		switch test.want {
		case "exited with status 4":
			s.StdinGrace = patience
		case "was killed by signal SIGTERM":
			s.TermGrace = patience
		}
		p, lines := start(t, s)
		lines.Scan()
		stop(t, p)
		if got := p.ExitError().Error(); got != test.want {
			t.Errorf("%s: %s, want %s", test.mode, got, test.want)
		}
	}
}

func TestStopAtOnceWhenContextEnds(t *testing.T) {
	s := spec(t, "ignore-term say=ready sleep")
	s.StdinGrace, s.TermGrace = time.Hour, time.Hour
	p, lines := start(t, s)
	lines.Scan()
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 2)
	for range 2 {
		go func() { stopped <- p.Stop(ctx) }()
	}
	cancel()
	for range 2 {
		select {
		case err := <-stopped:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("Stop doesn't return")
		}
	}
}

func TestGrandchildrenAreEnded(t *testing.T) {
	modes := []string{"pid+sleep", "ignore-term+pid+sleep"}
	for _, mode := range modes {
		t.Run("stop "+mode, func(t *testing.T) {
			p, lines := start(t, spec(t, "grandchild="+mode+" wait-stdin"))
			pid := readPid(t, lines)
			stop(t, p)
			awaitGone(t, pid)
			awaitEnd(t, lines)
		})
		t.Run("leader exits "+mode, func(t *testing.T) {
			p, lines := start(t, spec(t, "grandchild="+mode+" wait-stdin exit=5"))
			pid := readPid(t, lines)
			p.Stdin().Close()
			awaitDone(t, p)
			awaitGone(t, pid)
			awaitEnd(t, lines)
			if got := p.ExitError().Error(); got != "exited with status 5" {
				t.Errorf("%s, want the leader's status", got)
			}
		})
		t.Run("leader is killed "+mode, func(t *testing.T) {
			p, lines := start(t, spec(t, "grandchild="+mode+" sleep"))
			pid := readPid(t, lines)
			if err := syscall.Kill(p.Pid(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			awaitDone(t, p)
			awaitGone(t, pid)
			awaitEnd(t, lines)
		})
	}
}

func TestGrandchildGetsTimeToEnd(t *testing.T) {
	s := spec(t, "grandchild=ignore-term+pid+sleep wait-stdin")
	s.TermGrace = time.Hour
	p, lines := start(t, s)
	pid := readPid(t, lines)
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- p.Stop(ctx) }()
	select {
	case <-stopped:
		t.Fatal("Stop returned with a grandchild alive")
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	awaitGone(t, pid)
}

// TestStreamsEndThoughSomebodyHoldsThem: a process that has left the group holds stdout open. It cannot be
// ended, but nobody may wait for it.
func TestStreamsEndThoughSomebodyHoldsThem(t *testing.T) {
	s := spec(t, "")
	s.Command, s.Args = "/bin/sh", []string{"-c", `setsid sh -c 'echo $$; exec sleep 1000' & read line; echo done`}
	if _, err := LookPath("setsid", s.Env, ""); err != nil {
		t.Skip("there is no setsid here")
	}
	s.StdinGrace = patience
	p, lines := start(t, s)
	pid := readPid(t, lines)
	defer syscall.Kill(pid, syscall.SIGKILL)
	stop(t, p)
	if rest := awaitEnd(t, lines); len(rest) != 1 || rest[0] != "done" {
		t.Errorf("read %q, want what was written before the end", rest)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the process outside the group: %v; without it, this test checks nothing", err)
	}
}

func TestStartErrorsOfScripts(t *testing.T) {
	folder := t.TempDir()
	tests := []struct {
		text   string
		mode   os.FileMode
		reason error
		want   string
	}{
		{"#!/bin/sh\n", 0o644, ErrNotExecutable, "is not executable (chmod +x would make it so)"},
		{"#!/no/such/interpreter\n", 0o755, ErrNotFound, "the interpreter named in the first line of"},
		{"\x01\x02\x03", 0o755, ErrNotExecutable, "is not a program for this system"},
	}
	if _, err := Start(Spec{Command: folder}); !errors.Is(err, ErrNotExecutable) ||
		!strings.Contains(err.Error(), "is a folder, not a program") {
		t.Errorf("starting a folder: %v", err)
	}
	for _, test := range tests {
		if err := os.WriteFile(folder+"/script", []byte(test.text), test.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder+"/script", test.mode); err != nil {
			t.Fatal(err)
		}
		for _, s := range []Spec{{Command: folder + "/script"},
			{Command: "script", Env: []string{"PATH=/nowhere:" + folder}}, {Command: "./script", Dir: folder}} {
			p, err := Start(s)
			if err == nil {
				stop(t, p)
				t.Errorf("%q as %s: started", test.text, s.Command)
			} else if !errors.Is(err, test.reason) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q as %s: %v", test.text, s.Command, err)
			}
		}
	}
}

func TestLookPathUsesTheGivenEnvironment(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, folder := range []string{first, second} {
		if err := os.WriteFile(folder+"/server", []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, err := LookPath("server", []string{"PATH=" + first, "PATH=" + second + ":" + first}, "")
	if err != nil || got != second+"/server" {
		t.Errorf("found %q, %v; want it in %s", got, err, second)
	}
	// A file that cannot be run does not hide one that can.
	if err := os.Chmod(second+"/server", 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := LookPath("server", []string{"PATH=" + second + ":" + first}, ""); err != nil ||
		got != first+"/server" {
		t.Errorf("found %q, %v; want it in %s", got, err, first)
	}
}

// windowsChild is only needed on Windows.
func windowsChild(string) {}
