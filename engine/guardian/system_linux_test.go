package guardian

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// sleeper starts a process with a mark. It returns when the process is running: a moment earlier, the system
// does not know its environment yet.
func sleeper(t *testing.T, mark string) (*exec.Cmd, proc) {
	t.Helper()
	cmd := exec.Command("cat")
	cmd.Env = []string{Variable + "=" + mark}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p, err := look(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return cmd, p
}

// TestSignalHitsNobodyElse: a process that has the id of one of ours, but was started at another time, gets
// no signal.
func TestSignalHitsNobodyElse(t *testing.T) {
	cmd, p := sleeper(t, "x")
	stranger := p
	stranger.started--
	system{}.signal(stranger, syscall.SIGKILL)
	if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("a process that was not proven ours has ended: %v", err)
	}
	if now, err := look(p.pid); err != nil || now.dead {
		t.Fatalf("a process that was not proven ours has ended: %v, %v", now, err)
	}
	system{}.signal(p, syscall.SIGKILL)
	if err := cmd.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("ours ended with %v", err)
	}
}

func TestSystem(t *testing.T) {
	text, err := newMark()
	if err != nil {
		t.Fatal(err)
	}
	m, ok := parseMark(text)
	if !ok || m.engine != os.Getpid() {
		t.Fatalf("the mark is %q", text)
	}
	_, p := sleeper(t, text)
	if got := (system{}).marks(p); !slices.Equal(got, []string{text}) {
		t.Errorf("the marks are %q", got)
	}
	if p.parent != os.Getpid() || p.dead || p.started < m.started {
		t.Errorf("the process is %+v", p)
	}
	if found := find(system{}, seeds{mark: text}); len(found) != 1 || found[0].pid != p.pid {
		t.Errorf("found %v, want %d", found, p.pid)
	}
	// An engine is identified by its id, its start time and the boot.
	for _, tt := range []struct {
		name   string
		change func(*mark)
		want   bool
	}{
		{"it runs", func(*mark) {}, false},
		{"another process has its id", func(m *mark) { m.started-- }, true},
		{"nobody has its id", func(m *mark) { m.engine = 1 << 30 }, true},
		{"an engine of another boot", func(m *mark) { m.started--; m.boot = "another" }, false},
	} {
		changed := m
		tt.change(&changed)
		if got := (system{}).gone(p, changed); got != tt.want {
			t.Errorf("%s: gone is %t", tt.name, got)
		}
	}
}
