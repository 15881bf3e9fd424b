package task

import (
	"runtime"
	"testing"
	"time"
)

// queue stands for Fyne's goroutine. A test takes functions from it and runs them one by one.
type queue chan func()

func (q queue) do(f func()) { q <- f }

// While resting, the goroutine of the window waits in naps. A wake ends the current nap at once.
func TestRest(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("there the goroutine does not wait")
	}
	q := make(queue, 8)
	r := newRest(q.do)
	r.begin()
	r.begin() // a second begin does nothing
	(<-q)()   // one whole nap; the next one is queued

	r.wake()
	begun := time.Now()
	(<-q)()
	if took := time.Since(begun); took > nap()/2 {
		t.Logf("woken after %v; the machine may be busy", took)
	}
	r.end()
	r.end()
	r.close() // returns although nobody runs the queue any more
	for len(q) > 0 {
		(<-q)()
	}
	r.begin()
	(<-q)()
	r.close()
	if len(q) > 1 {
		t.Errorf("%d naps are queued, want one at most", len(q))
	}
}
