package task

import (
	"runtime"
	"testing"
	"time"
)

// queue is Fyne's goroutine: it does one function after the other, as long as it is asked to.
type queue chan func()

func (q queue) do(f func()) { q <- f }

// While the program rests, the goroutine of the window waits, and it does at once what it is woken for.
func TestRest(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("there the goroutine does not wait")
	}
	q := make(queue, 8)
	r := newRest(q.do)
	r.begin()
	r.begin() // twice is once
	(<-q)()   // it has begun, and waits once more

	r.wake()
	begun := time.Now()
	(<-q)()
	if took := time.Since(begun); took > nap/2 {
		t.Logf("woken after %v; the machine may be busy", took)
	}
	r.end()
	r.end()
	r.close() // ends though the goroutine of the window does nothing any more
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
