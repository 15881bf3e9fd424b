package httpserver

import (
	"strconv"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// Limits of what is kept for clients that resume a stream after their connection was lost.
const (
	// maxRecord and maxRecordBytes limit the events of a session that were written. Whether a client has got them is not
	// known.
	maxRecord      = 100
	maxRecordBytes = 256 << 10
	// maxLost is how many streams of a session can wait for their client, and maxLostBytes what one of them may have.
	maxLost      = 16
	maxLostBytes = 1 << 20
)

// resuming is what a session keeps for clients that resume streams.
type resuming struct {
	streams int64 // how many there were
	// by number, those that have not been written whole
	open   map[int64]*stream
	record record
}

// record has the newest events that were written in a session, the oldest first.
type record struct {
	mu     sync.Mutex
	events []event
	bytes  int
}

// event is a message as it was written in a stream.
type event struct {
	stream, number int64
	line           []byte
}

// add adds an event, and forgets the oldest ones beyond the limits.
func (r *record) add(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events, r.bytes = append(r.events, e), r.bytes+len(e.line)
	for len(r.events) > maxRecord || r.bytes > maxRecordBytes {
		r.bytes -= len(r.events[0].line)
		r.events[0].line = nil
		r.events = r.events[1:]
	}
}

// has reports whether there are lines that a stream has written after an event.
func (r *record) has(stream, number int64) bool {
	lines, _ := r.after(stream, number)
	return lines != nil
}

// after returns the lines that a stream has written after an event, and the number of the first of them.
func (r *record) after(stream, number int64) (lines [][]byte, first int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.stream != stream || e.number <= number {
			continue
		}
		if lines == nil {
			first = e.number
		}
		lines = append(lines, e.line)
	}
	return lines, first
}

// newStream returns a stream of the session, for a number of requests. A client can resume it, but not in 2026-07-28,
// and not for initialize, before whose answer the client knows no session.
func (s *session) newStream(answers int, resumes bool) *stream {
	o := newStream(s.app, answers)
	if s.modern || !resumes {
		return o
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resuming.streams++
	o.at.stream, o.at.record, o.ofGET = s.resuming.streams, &s.resuming.record, answers == 0
	if !s.over {
		s.resuming.open[o.at.stream] = o
	}
	return o
}

// leave is called when a response no longer writes its stream. If the connection was lost, the stream waits for its
// client.
func (s *session) leave(p *response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := p.stream
	switch {
	case !o.writtenBy(p.wake): // the client has resumed it already
	case o.at.stream != 0 && p.lost && !s.over && o.lose():
		s.limitLost()
	default:
		delete(s.resuming.open, o.at.stream)
		o.close()
	}
}

// limitLost drops the oldest of the streams that wait for their client, if there are too many. The caller must hold
// the lock.
func (s *session) limitLost() {
	var oldest *stream
	lost := 0
	for _, o := range s.resuming.open {
		if !o.isLost() {
			continue
		}
		if lost++; oldest == nil || o.at.stream < oldest.at.stream {
			oldest = o
		}
	}
	if lost > maxLost {
		delete(s.resuming.open, oldest.at.stream)
		oldest.close()
	}
}

// resume returns the stream with the event that a client has got last, to be written from there on; nil if it is no
// longer there. The response waits for wake.
func (s *session) resume(lastEvent string) (o *stream, wake chan struct{}) {
	before, after, ok := strings.Cut(lastEvent, "-")
	id, err := strconv.ParseInt(before, 10, 64)
	number, errNumber := strconv.ParseInt(after, 10, 64)
	if !ok || err != nil || errNumber != nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.resuming.open[id]; o != nil {
		return o, o.again(number)
	}
	if !s.resuming.record.has(id, number) {
		return nil, nil
	}
	// Everything was written, but not all of it has arrived.
	o = newStream(s.app, 0)
	o.at.stream, o.at.record = id, &s.resuming.record
	o.closed = true
	return o, o.again(number)
}

// lose makes a stream wait for its client. It reports false if nothing will come any more.
func (o *stream) lose() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost = true
	o.boundLost()
	return len(o.lines) > 0 || !o.closed
}

// boundLost gives a stream up if it has too much for a client that may never come back. The caller must hold the lock.
func (o *stream) boundLost() {
	bytes := 0
	for _, line := range o.lines {
		bytes += len(line)
	}
	if o.lost && bytes > maxLostBytes {
		o.drop()
		o.closed, o.overflow = true, true
	}
}

func (o *stream) isLost() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost
}

// again makes a stream be written once more after an event that its client has, by the response that waits for wake.
// The one that has written it so far stops.
func (o *stream) again(number int64) (wake chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.at.written < number && len(o.lines) > 0 {
		o.pop() // the one that has written it was about to say so
	}
	lines, first := o.at.record.after(o.at.stream, number)
	for _, line := range lines {
		o.owner.unread.Add(int64(len(line)))
	}
	if lines != nil {
		o.lines, o.at.written = append(lines, o.lines...), first-1
		o.at.recorded = max(o.at.recorded, o.at.written+int64(len(lines)))
	}
	o.lost, o.only = false, false
	former := o.wake
	o.wake = make(chan struct{}, 1)
	pause.Wake(former)
	return o.wake
}

// writer returns what the first response that writes the stream waits for.
func (o *stream) writer() chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.wake
}

// writtenBy reports whether the response that waits for this channel is the one that writes the stream.
func (o *stream) writtenBy(wake chan struct{}) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.wake == wake
}
