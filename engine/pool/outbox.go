package pool

import (
	"net"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// outbox writes lines to one engine, which may read slowly or not at all. Lines are queued, and run writes them. If
// the engine does not read, only answers to its own requests wait; no other engine and no server does.
type outbox struct {
	conn net.Conn

	mu    sync.Mutex
	queue [][]byte
	bytes int
	state takes
	room  chan struct{} // closed and replaced when the queue has become shorter
	wake  chan struct{}
}

// takes says what an [outbox] takes. It only ever becomes less.
type takes int

const (
	takesAll  takes = iota
	takesLast       // nothing: what is queued is written, and then the connection is closed
	takesNone       // nothing: the engine has left, and reads only the end of the connection
	isClosed        // nothing: the connection is closed
)

func newOutbox(conn net.Conn) *outbox {
	return &outbox{conn: conn, room: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// tell queues a line and does not block. It reports false if the line was dropped, because too much is queued.
func (o *outbox) tell(line []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state != takesAll || o.full(line) {
		return false
	}
	o.add(line)
	return true
}

// full reports whether there is no room for a line. The caller must hold mu.
func (o *outbox) full(line []byte) bool { return o.bytes > 0 && o.bytes+len(line) > maxQueued }

// add adds a line to the queue. The caller must hold mu.
func (o *outbox) add(line []byte) {
	o.queue = append(o.queue, line)
	o.bytes += len(line)
	pause.Wake(o.wake)
}

// send queues a line. It waits for room in the queue, and returns when the connection is closed.
func (o *outbox) send(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.state == takesAll && o.full(line) {
		room := o.room
		o.mu.Unlock()
		<-room
		o.mu.Lock()
	}
	if o.state == takesAll {
		o.add(line)
	}
}

// finish writes what is queued and a last line, and then closes the connection. It does not block.
func (o *outbox) finish(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state != takesAll {
		return
	}
	o.add(line)
	o.state = takesLast
	_ = o.conn.SetWriteDeadline(time.Now().Add(greetTime)) // an engine that does not read gets no more time
}

// unheard drops what is queued and all that is sent later: the engine has left.
func (o *outbox) unheard() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state == takesAll {
		o.state = takesNone
		o.queue, o.bytes = nil, 0
		close(o.room)
		o.room = make(chan struct{})
	}
}

// close closes the connection.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shut()
}

// shut is close for a caller that holds mu.
func (o *outbox) shut() {
	if o.state != isClosed {
		o.state = isClosed
		o.queue, o.bytes = nil, 0
		close(o.room)
		_ = o.conn.Close()
		pause.Wake(o.wake)
	}
}

// run writes what is queued, and a sign of life now and then, until the connection is closed.
func (o *outbox) run() {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-o.wake:
		case <-beat.C:
			o.tell([]byte(lineBeat + "\n"))
		}
		for {
			lines, open := o.take()
			if !open {
				return
			}
			if lines == nil {
				break
			}
			if _, err := o.conn.Write(lines); err != nil {
				o.close()
			}
		}
	}
}

// take removes queued lines and returns them, or nil if there are none. open is false when nothing more can be
// written.
func (o *outbox) take() (lines []byte, open bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		if o.state == takesLast {
			o.shut()
		}
		return nil, o.state != isClosed
	}
	lines = slices.Clip(o.queue[0]) // several engines may get the same line
	count := 1
	for count < len(o.queue) && len(lines)+len(o.queue[count]) <= 64<<10 {
		lines = append(lines, o.queue[count]...)
		count++
	}
	for _, line := range o.queue[:count] {
		o.bytes -= len(line)
	}
	o.queue = append([][]byte(nil), o.queue[count:]...)
	close(o.room)
	o.room = make(chan struct{})
	return lines, true
}
