package downstream

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// What waits for a server that does not read is bounded, callers that wait for room included. Who gives up makes room.
func TestOutboxIsBounded(t *testing.T) {
	read, write := io.Pipe()
	o := newOutbox(write)
	ended := make(chan error, 1)
	go func() { ended <- o.run() }()
	part := make([]byte, 1<<20)
	if err := o.send(t.Context(), 0, part); err != nil {
		t.Fatal(err)
	}
	if _, err := read.Read(make([]byte, 1)); err != nil { // that one is being written from now on, and waits no more
		t.Fatal(err)
	}
	patient, giveUp := context.WithCancel(t.Context())
	const many = 100
	sent := make(chan error, many)
	for range many {
		go func() { sent <- o.send(patient, 0, part) }()
	}
	taken, refused := 0, 0
	for taken+refused < many-(maxWaiting-maxQueued)/len(part) {
		switch err := <-sent; err {
		case nil:
			taken++
		case errNotRead:
			refused++
		default:
			t.Fatal(err)
		}
	}
	if taken != maxQueued/len(part) || refused != many-maxWaiting/len(part) {
		t.Errorf("%d were taken and %d refused at once", taken, refused)
	}
	giveUp()
	for range (maxWaiting - maxQueued) / len(part) {
		if err := <-sent; !errors.Is(err, context.Canceled) {
			t.Errorf("one that waited got %v", err)
		}
	}
	o.mu.Lock()
	if o.waiting != 0 {
		t.Errorf("%d bytes still wait", o.waiting)
	}
	o.mu.Unlock()
	late, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := o.send(late, 0, part); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after that one more got %v", err)
	}
	_ = read.Close()
	if err := <-ended; err == nil {
		t.Error("writing to nobody went well")
	}
}
