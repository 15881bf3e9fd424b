package downstream

import (
	"context"
	"io"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxQueued is how many bytes may be queued for a server that does not read; after that, callers wait.
	maxQueued = 16 << 20
	// maxWaiting is how many bytes may wait in total, including those of callers that wait for room; further
	// requests fail at once. It is less than the limit on a client's unanswered requests, so that a server
	// that does not read leaves room for calls to others.
	maxWaiting = 32 << 20
	// maxPosted is how many lines may be queued for which no caller waits, such as answers to the server's
	// pings; further ones are dropped.
	maxPosted = 1000
	// maxBatch is how many bytes of queued lines are written at once.
	maxBatch = 64 << 10
)

const (
	errOutboxClosed = words.Code("downstream.outbox_closed")
	errNotRead      = words.Code("downstream.does_not_read")
)

// line is a message to be sent, including its newline.
type line struct {
	data []byte
	id   int64 // the id of the request; 0 if it is none
	rest bool  // part of it has been written
	post bool  // nobody waits for this line
}

// outbox writes lines to a server that may be slow to read them, or may never read. A line is written
// directly if nothing is queued and the pipe has room, and otherwise goes through a queue that run writes. So
// neither the read loop nor a caller whose context ends ever blocks in a write.
type outbox struct {
	w      io.Writer
	direct *directWriter

	mu      sync.Mutex
	queue   []line
	bytes   int
	waiting int // bytes of the callers that wait for room
	posted  int
	writing bool          // somebody is writing; nobody else may
	room    chan struct{} // closed when the queue has been taken
	err     error

	wake chan struct{}
	quit chan struct{}
}

func newOutbox(w io.Writer) *outbox {
	return &outbox{
		w:      w,
		direct: newDirectWriter(w),
		room:   make(chan struct{}),
		wake:   make(chan struct{}, 1),
		quit:   make(chan struct{}),
	}
}

// send sends a request line, which must end in a newline and belongs to the outbox from now on. It waits only
// for room in the queue, and fails with errNotRead if too much is waiting already. waits is called before it waits;
// nil is allowed.
func (o *outbox) send(ctx context.Context, id int64, data []byte, waits func()) error {
	o.mu.Lock()
	if all := o.bytes + o.waiting; o.err == nil && all > 0 && all+len(data) > maxWaiting {
		o.mu.Unlock()
		return errNotRead
	}
	for o.err == nil && o.bytes > 0 && o.bytes+len(data) > maxQueued {
		room := o.room
		o.waiting += len(data)
		o.mu.Unlock()
		if waits != nil {
			waits()
		}
		select {
		case <-room:
		case <-ctx.Done():
		}
		o.mu.Lock()
		o.waiting -= len(data)
		if err := ctx.Err(); err != nil {
			o.mu.Unlock()
			return err
		}
	}
	return o.put(line{data: data, id: id})
}

// post sends a line that may be dropped if too much is waiting. It reports whether the line was accepted.
func (o *outbox) post(data []byte) bool {
	o.mu.Lock()
	if o.posted >= maxPosted || len(o.queue) > 0 && len(data) > maxBatch {
		o.mu.Unlock()
		return false
	}
	return o.put(line{data: data, post: true}) == nil
}

// put must be called with the lock held, and releases it.
func (o *outbox) put(l line) error {
	if o.err != nil {
		defer o.mu.Unlock()
		return o.err
	}
	if !o.writing && len(o.queue) == 0 {
		o.writing = true
		o.mu.Unlock()
		n := o.direct.tryWrite(l.data)
		o.mu.Lock()
		o.writing = false
		l.data, l.rest = l.data[n:], n > 0
		if len(l.data) > 0 {
			o.queue = append([]line{l}, o.queue...)
			o.count(l, 1)
		}
	} else {
		o.queue = append(o.queue, l)
		o.count(l, 1)
	}
	waiting := len(o.queue) > 0
	o.mu.Unlock()
	if waiting {
		pause.Wake(o.wake)
	}
	return nil
}

// count records that a line has entered the queue (1) or left it (-1).
func (o *outbox) count(l line, sign int) {
	o.bytes += sign * len(l.data)
	if l.post {
		o.posted += sign
	}
}

// drop removes a request from the queue. It reports whether no part of it was or is being written.
func (o *outbox) drop(id int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, l := range o.queue {
		if l.id == id && !l.rest {
			o.count(l, -1)
			o.queue = append(o.queue[:i], o.queue[i+1:]...)
			return true
		}
	}
	return false
}

// run writes the queue until close or an error, which it returns.
func (o *outbox) run() error {
	for {
		select {
		case <-o.quit:
			return nil
		case <-o.wake:
		}
		for {
			batch := o.take()
			if batch == nil {
				break
			}
			_, err := o.w.Write(batch)
			o.mu.Lock()
			o.writing = false
			o.mu.Unlock()
			if err != nil {
				o.fail(err)
				return err
			}
		}
	}
}

// take returns bytes to write; nil if there are none or somebody else is writing. The writer must reset
// writing.
func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing || len(o.queue) == 0 {
		return nil
	}
	o.writing = true
	batch := o.queue[0].data
	count := 1
	for count < len(o.queue) && len(batch)+len(o.queue[count].data) <= maxBatch {
		batch = append(batch, o.queue[count].data...)
		count++
	}
	for _, l := range o.queue[:count] {
		o.count(l, -1)
	}
	o.queue = append([]line(nil), o.queue[count:]...)
	close(o.room)
	o.room = make(chan struct{})
	return batch
}

// fail makes all later calls fail.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	o.err = err
	o.queue, o.bytes, o.posted = nil, 0, 0
	close(o.room)
	o.room = make(chan struct{})
}

// close ends run. If run is inside a write, it ends when the writer's pipe is closed.
func (o *outbox) close() {
	o.fail(errOutboxClosed)
	close(o.quit)
}
