package downstream

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// TestOutboxIsBounded: the lines for a server that does not read are limited, including those of callers that
// wait for room. A caller that gives up makes room.
func TestOutboxIsBounded(t *testing.T) {
	read, write := io.Pipe()
	o := newOutbox(write)
	ended := make(chan error, 1)
	go func() { ended <- o.run() }()
	part := make([]byte, 1<<20)
	if err := o.send(t.Context(), 0, part, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := read.Read(make([]byte, 1)); err != nil { // this line is being written from now on and no longer waits
		t.Fatal(err)
	}
	patient, giveUp := context.WithCancel(t.Context())
	const many = 100
	sent := make(chan error, many)
	for range many {
		go func() { sent <- o.send(patient, 0, part, nil) }()
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
		t.Errorf("%d were accepted and %d refused at once", taken, refused)
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
	if err := o.send(late, 0, part, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after that one more got %v", err)
	}
	_ = read.Close()
	if err := <-ended; err == nil {
		t.Error("a write without a reader succeeded")
	}
}

// TestOutboxTakesBack: a request that waits can be taken back, and one that is being written cannot.
func TestOutboxTakesBack(t *testing.T) {
	o := newOutbox(io.Discard) // nobody calls run, so everything waits
	if err := o.send(t.Context(), 7, []byte("{}\n"), nil); err != nil {
		t.Fatal(err)
	}
	if o.drop(8) || !o.drop(7) || o.drop(7) || o.bytes != 0 {
		t.Errorf("the request was not dropped exactly once; %d bytes are left", o.bytes)
	}
	if err := o.send(t.Context(), 9, []byte("{}\n"), nil); err != nil {
		t.Fatal(err)
	}
	if string(o.take()) != "{}\n" || o.drop(9) {
		t.Error("a request that is being written was dropped")
	}
}

// TestOutboxDropsWhatNobodyWaitsFor: lines for which nobody waits are dropped if a thousand of them wait, or
// if they are long and others wait. The outbox reports which were dropped.
func TestOutboxDropsWhatNobodyWaitsFor(t *testing.T) {
	o := newOutbox(io.Discard) // nobody calls run, so everything waits
	long := make([]byte, maxBatch+1)
	for i, tt := range []struct {
		data  []byte
		taken bool
	}{{long, true}, {long, false}, {long[:maxBatch], true}} {
		if o.post(tt.data) != tt.taken {
			t.Errorf("line %d: accepted is not %t", i, tt.taken)
		}
	}
	taken := 2
	for range maxPosted + 5 {
		if o.post(nil) {
			taken++
		}
	}
	if taken != maxPosted {
		t.Errorf("%d lines were accepted", taken)
	}
}
