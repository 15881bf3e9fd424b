package task

import (
	"testing"
	"time"
)

// queue stands for Fyne's goroutine. A test takes functions from it and runs them one by one.
type queue chan func()

func (q queue) do(f func()) { q <- f }

// While resting, the goroutine of the window waits in naps. A wake ends the current nap at once.
func TestRest(t *testing.T) {
	q := make(queue, 8)
	r := newRest(q.do, nil)
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

// events are the system's events in a test.
type events struct {
	waits chan<- struct{}
	event chan struct{}
}

func (e events) Await(time.Duration) {
	e.waits <- struct{}{}
	<-e.event
}

func (e events) Wake() { e.event <- struct{}{} }

// TestRestWithEvents: where the system's events have to be asked for, a nap waits for them. A wake before or during it
// ends it.
func TestRestWithEvents(t *testing.T) {
	q := make(queue, 8)
	event := make(chan struct{}, 8)
	waits := make(chan struct{}, 8)
	r := newRest(q.do, events{waits, event})
	r.wake() // nothing rests: the system's events are left alone
	if len(event) > 0 {
		t.Fatal("an event was made although no nap waits for one")
	}
	r.begin()
	(<-q)() // woken before it began
	if len(waits) > 0 {
		t.Error("the nap waits although something was queued before it")
	}
	ended := make(chan struct{})
	nap := <-q
	go func() {
		nap()
		close(ended)
	}()
	<-waits
	r.wake()
	<-ended
	nap = <-q
	go nap() // an event of the awake that is left over may end it at once
	r.close()
}
