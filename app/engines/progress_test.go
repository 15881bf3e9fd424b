package engines

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// TestProgressOfAFlood checks that the window draws progress only once, with the newest values, however often the
// server reports it while the window is busy.
func TestProgressOfAFlood(t *testing.T) {
	var queue []func()
	var shown []string
	p := &progress{
		tasks: task.New(func(f func()) { queue = append(queue, f) }),
		show: func(done, total float64, message string) {
			shown = append(shown, fmt.Sprint(done, " of ", total, " ", message))
		},
	}
	draw := func(want ...string) {
		t.Helper()
		if len(queue) != 1 {
			t.Fatalf("%d functions wait for the window, want 1", len(queue))
		}
		queue[0]()
		queue = nil
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
	}
	for i := range 1000 {
		p.tell(float64(i), 1000, fmt.Sprint("step ", i))
	}
	p.tell(1000, 1000, "")
	draw("1000 of 1000 step 999")
	p.tell(2, 3, "again")
	draw("1000 of 1000 step 999", "2 of 3 again")

	// Long messages are cut before they are kept.
	for _, message := range []string{strings.Repeat("x", 10<<20), strings.Repeat("€", 10<<20),
		strings.Repeat("\xff", 10<<20)} {
		p.tell(3, 3, message)
		if len(p.message) > 4*longestProgress {
			t.Errorf("%d bytes of a message wait", len(p.message))
		}
		queue[0]()
		queue = nil
	}
	// Run functions at once.
	p.tasks = task.New(func(f func()) { f() })
	p.tell(4, 4, "now")
	if got := shown[len(shown)-1]; got != "4 of 4 now" {
		t.Errorf("the last progress is %s", got)
	}
}
