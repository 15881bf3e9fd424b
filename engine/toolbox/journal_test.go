package toolbox

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		var live []string
		defer th.Watch(func(_, _ string, line status.LogLine) { live = append(live, line.Words().String()) }, nil)()
		th.set(&notFound{})
		_, _ = th.Open(t.Context(), "dev", nil)
		th.set(nil)
		open(t, th.Manager, "dev")
		th.die()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		_, _, _ = th.Close(t.Context(), "dev")
		var texts []string
		for _, line := range th.Log("dev", "s") {
			texts = append(texts, line.Words().String())
		}
		want := []string{
			"Starting: npx -y thing --api-key •••", "Could not be connected: npx was not found (looked in PATH: /usr/bin)",
			"Starting: npx -y thing --api-key •••", "Connected, 2 tools", "A tool was set aside: bad: it is bad",
			"Ended: exited with status 1", "Trying again in 1 s",
			"Starting: npx -y thing --api-key •••", "Connected, 2 tools", "A tool was set aside: bad: it is bad",
			"Ended",
		}
		if got := strings.Join(texts, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("the journal is\n%s", got)
		}
		if got := strings.Join(live, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("the watcher saw\n%s", got)
		}
	})
}

// Old lines of a journal make room for new ones, but no earlier than necessary.
func TestJournalIsBounded(t *testing.T) {
	j := &journal{watchers: &watchers{}}
	for i := range 10_000 {
		j.add(status.LogLine{Text: fmt.Sprintf("line %05d", i)})
		size := 0
		for _, line := range j.lines {
			size += costOf(line)
		}
		if size > maxJournal || size != j.bytes {
			t.Fatalf("after %d lines there are %d bytes, and %d are counted", i+1, size, j.bytes)
		}
		if last := j.lines[len(j.lines)-1].Text; last != fmt.Sprintf("line %05d", i) {
			t.Fatalf("the last line is %q", last)
		}
	}
	if lifetime := maxJournal / costOf(status.LogLine{Text: "line 00000"}); len(j.lines) != lifetime {
		t.Errorf("%d lines are left, and %d have room", len(j.lines), lifetime)
	}
}
