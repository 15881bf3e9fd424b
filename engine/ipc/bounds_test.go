package ipc

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestLineLimit: a line may be as long as the limit and no longer, however many pieces it arrives in.
func TestLineLimit(t *testing.T) {
	const limit = 100_000
	for length, want := range map[int]bool{limit - 1: true, limit: true, limit + 1: false, limit + 20_000: false,
		3 * limit: false} {
		line := `{"type":"` + strings.Repeat("x", length-len(`{"type":""}`)-1) + "\"}\n" // the line break counts
		r := newLineReader(strings.NewReader(line+`{"type":"next"}`+"\n"), limit)
		m, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Type != "next"; got != want {
			t.Errorf("a line of %d bytes was read: %v, with a limit of %d", length, got, limit)
		}
	}
}

// TestOutboxAtTheLimit: exactly the maximum number of lines may wait, or fewer if they are long.
func TestOutboxAtTheLimit(t *testing.T) {
	missed := func(lines int, text string) int {
		o := newOutbox()
		for range lines {
			o.addLine("dev", "a", status.LogLine{Text: text})
		}
		return o.missed
	}
	const length = 24_376
	room := maxWaitingBytes / (length + 200)
	for _, c := range []struct {
		lines int
		text  string
		want  int
	}{
		{maxWaiting, "", 0}, {maxWaiting + 1, "", 1},
		{room, strings.Repeat("x", length), 0}, {room + 1, strings.Repeat("x", length), 1},
		{room + 7, strings.Repeat("x", length), 7},
		{2, strings.Repeat("x", maxWaitingBytes), 1},
	} {
		if got := missed(c.lines, c.text); got != c.want {
			t.Errorf("of %d lines of %d bytes %d are missed, want %d", c.lines, len(c.text), got, c.want)
		}
	}
}

// TestReplyAtTheLimit: a reply that exceeds the app's limit is replaced; one that is a byte shorter fits,
// with its line break.
func TestReplyAtTheLimit(t *testing.T) {
	frame := len(appendMessage(nil, &message{Type: typeReply, ID: 7, Toolbox: "x"})) - 2
	for length, want := range map[int]bool{maxFromEngine - 1: true, maxFromEngine: false} {
		line := appendMessage(nil, &message{Type: typeReply, ID: 7, Toolbox: strings.Repeat("x", length-frame)})
		if got := !bytes.Contains(line, []byte("ipc.answer_too_large")); got != want {
			t.Errorf("a reply of %d bytes was passed on: %v", length, got)
		}
		if m, err := newLineReader(bytes.NewReader(line), maxFromEngine).next(); err != nil || m.ID != 7 {
			t.Errorf("the app reads %v, %v", m, err)
		}
	}
}

// TestArgumentsGoOldestFirst: arguments are dropped from the oldest calls that still have some, also after
// others were written. A changed call stays without them.
func TestArgumentsGoOldestFirst(t *testing.T) {
	q := callQueue{at: map[uint64]uint64{}, told: map[uint64]bool{}, gone: map[uint64]bool{}}
	call := func(id uint64, outcome status.Outcome, length int) status.Call {
		return status.Call{ID: id, Outcome: outcome, Arguments: strings.Repeat("x", length)}
	}
	const long = maxCallBytes / 8
	for id := range uint64(4) {
		q.add(call(id+1, status.Done, 10))
	}
	q.take(1) // the first call is written
	for id := range uint64(12) {
		q.add(call(id+10, status.Running, long))
	}
	held := func() (with []uint64) {
		for _, c := range q.list {
			if len(c.Arguments) > len(cutArguments) {
				with = append(with, c.ID)
			}
		}
		return with
	}
	if got := held(); len(got) != 7 || got[0] != 15 || got[6] != 21 {
		t.Errorf("arguments are left of the calls %v", got)
	}
	q.add(call(10, status.Done, long)) // its arguments were dropped
	q.add(call(21, status.Done, long))
	if got := held(); len(got) != 7 || got[0] != 15 {
		t.Errorf("after two have ended, arguments are left of the calls %v", got)
	}
	size := 0
	for i := range q.list {
		size += callSize(&q.list[i])
	}
	if size != q.bytes {
		t.Errorf("%d bytes are counted, and there are %d", q.bytes, size)
	}
}

// TestArgumentsAtTheLimit: calls of exactly the maximum size keep their arguments. Arguments that would not
// become shorter stay. A changed call that still has its arguments gets the new ones.
func TestArgumentsAtTheLimit(t *testing.T) {
	q := callQueue{}
	empty := status.Call{}
	const calls = 4
	length := maxCallBytes/calls - callSize(&empty)
	for id := range uint64(calls) {
		q.add(status.Call{ID: id, Arguments: strings.Repeat("x", length)})
	}
	if q.bytes != maxCallBytes || q.list[0].Arguments == cutArguments {
		t.Errorf("with %d bytes the first has %.10q", q.bytes, q.list[0].Arguments)
	}
	q.add(status.Call{ID: 7, Arguments: "123"})
	if q.list[0].Arguments != cutArguments || q.list[1].Arguments == cutArguments || q.bare != 1 {
		t.Errorf("with one more, %d have no arguments", q.bare)
	}
	q.add(status.Call{ID: 1, Arguments: strings.Repeat("y", length)})
	if !strings.HasPrefix(q.list[1].Arguments, "y") {
		t.Errorf("the next one has %.10q", q.list[1].Arguments)
	}
	for id := range uint64(calls) {
		q.add(status.Call{ID: 10 + id, Arguments: strings.Repeat("x", length)})
	}
	if q.list[calls].Arguments != "123" {
		t.Errorf("three letters became %q", q.list[calls].Arguments)
	}
}

// TestSnapshotAtTheLimit: a snapshot may be as long as a line.
func TestSnapshotAtTheLimit(t *testing.T) {
	snapshot := func(length int) status.Snapshot {
		return status.Snapshot{Servers: []status.Server{{Name: strings.Repeat("x", length)}}}
	}
	frame := len(snapshotLine(snapshot(1))) - 1
	for length, want := range map[int]bool{maxFromEngine: true, maxFromEngine + 1: false} {
		if got := len(snapshotLine(snapshot(length-frame))) == length; got != want {
			t.Errorf("of a line of %d bytes the servers are there: %v", length, got)
		}
	}
}

// TestAppComesWhileAQuestionWaits: a question that waits for an app continues as soon as one is there.
func TestAppComesWhileAQuestionWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &asking{}
		begun := time.Now()
		time.AfterFunc(askGrace/2, func() { s.found(newOutbox(), true) })
		if err := s.awaitApp(t.Context()); err != nil || time.Since(begun) != askGrace/2 {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
	})
}
