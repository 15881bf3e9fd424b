package engines

import (
	"os"
	"os/exec"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// TestMemoryIsCalm: what is measured is shown again only if it differs enough, and other processes are measured at
// once.
func TestMemoryIsCalm(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMemoryIsCalmChild$")
	cmd.Env = append(os.Environ(), "WORKBENCH_TEST_WAITS=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	m := memory{wake: make(chan struct{}, 1)}
	if m.measure() {
		t.Error("something was measured although nothing is wanted")
	}
	m.want(map[int]int{cmd.Process.Pid: os.Getpid()})
	select {
	case <-m.wake:
	default:
		t.Error("new processes are not measured at once")
	}
	if !m.measure() || m.uses()[cmd.Process.Pid].Processes != 1 {
		t.Errorf("measured was %v", m.uses())
	}
	m.want(map[int]int{cmd.Process.Pid: os.Getpid()})
	select {
	case <-m.wake:
		t.Error("the same processes are measured at once")
	default:
	}
	for name, c := range map[string]struct {
		before, now process.Use
		want        bool
	}{
		"a little more": {process.Use{Processes: 2, Bytes: 100}, process.Use{Processes: 2, Bytes: 109}, true},
		"much more":     {process.Use{Processes: 2, Bytes: 100}, process.Use{Processes: 2, Bytes: 120}, false},
		"much less":     {process.Use{Processes: 2, Bytes: 100}, process.Use{Processes: 2, Bytes: 80}, false},
		"one more":      {process.Use{Processes: 2, Bytes: 100}, process.Use{Processes: 3, Bytes: 100}, false},
	} {
		if got := alike(map[int]process.Use{7: c.before}, map[int]process.Use{7: c.now}); got != c.want {
			t.Errorf("%s is alike: %t", name, got)
		}
	}
	if alike(map[int]process.Use{7: {}}, map[int]process.Use{8: {}}) {
		t.Error("other processes are alike")
	}
}

// TestMemoryIsCalmChild is the program of TestMemoryIsCalm.
func TestMemoryIsCalmChild(t *testing.T) {
	if os.Getenv("WORKBENCH_TEST_WAITS") != "" {
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends
	}
}
