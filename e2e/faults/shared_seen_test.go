//go:build linux

package faults

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// says runs a command about the shared servers and returns what it prints.
func (s *sharing) says(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command(program(), append(args, "--config", s.file)...)
	cmd.Env = surroundings(s.home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%q: %v", args, err)
	}
	return string(out)
}

// TestSharedIsSeenOnce: status shows a server that two apps use once, with the names of the apps, and so does its log.
func TestSharedIsSeenOnce(t *testing.T) {
	s := share(t, servers{"a": fake(fakeserver.Script{Stderr: []string{"it is up"}})})
	status := func() string { return s.says(t, "status", "--host", s.endpoint) }
	if got := status(); !strings.Contains(got, "not started") ||
		!strings.Contains(got, "the AI apps share one process of it") {
		t.Errorf("before anybody uses it, status says\n%s", got)
	}
	cursor, zed := s.engine(t, "--client", "cursor"), s.engine(t, "--client", "zed")
	cursor.open(t)
	zed.open(t)
	if got := status(); !strings.Contains(got, "running") ||
		strings.Count(got, "one process of it, used by Cursor and Zed") != 1 {
		t.Errorf("status says\n%s", got)
	}
	got := strings.Join(strings.Fields(s.says(t, "status", "--json", "--host", s.endpoint)), "")
	if !strings.Contains(got, `"state":"running"`) || !strings.Contains(got, `"usedBy":["Cursor","Zed"]`) {
		t.Errorf("status says\n%s", got)
	}
	zed.close(t)
	if got := status(); !strings.Contains(got, "used by Cursor\n") {
		t.Errorf("when one has closed its toolbox, status says\n%s", got)
	}
	want := []string{"Starting: ", "it is up", "Cursor uses it", "Zed uses it", "Zed no longer uses it"}
	var log string
	eventually(t, "the log is written", patience, func() bool {
		log = s.says(t, "logs", "dev", "a")
		return !slices.ContainsFunc(want, func(text string) bool { return !strings.Contains(log, text) })
	})
	for _, text := range want {
		if n := strings.Count(log, text); n != 1 {
			t.Errorf("the log has %q %d times:\n%s", text, n, log)
		}
	}
}
