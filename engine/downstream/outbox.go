package downstream

import (
	"context"
	"io"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxQueued is how many bytes may be queued. After that, callers wait.
	maxQueued = 16 << 20
	// maxWaiting is how many bytes may be queued or wait for the queue. After that, requests fail at once. It is less
	// than the limit for a client's unanswered requests, so that calls of other servers remain possible.
	maxWaiting = 32 << 20
	// maxPosted is how many lines that post has sent may be queued, such as answers to pings. Further ones are dropped.
	maxPosted = 1000
	// maxBatch is how many bytes are written at once.
	maxBatch = 64 << 10
)

const (
	errOutboxClosed = words.Code("downstream.outbox_closed")
	errNotRead      = words.Code("downstream.does_not_read")
)

// line is a message with its newline.
type line struct {
	data []byte
	id   int64 // the id of a request, 0 for other messages
	post bool  // it was sent by post
}

// outbox writes lines to a server that may read slowly or not at all. Lines are queued, and run writes them. So
// neither the read loop nor a caller whose context ends is blocked in a write.
type outbox struct {
	w io.Writer

	mu      sync.Mutex
	queue   []line
	bytes   int
	waiting int           // bytes of callers that wait for the queue
	posted  int           // queued lines that post has sent
	room    chan struct{} // closed and replaced when there is room in the queue
	err     error

	wake chan struct{}
	quit chan struct{}
}

func newOutbox(w io.Writer) *outbox {
	return &outbox{w: w, room: make(chan struct{}), wake: make(chan struct{}, 1), quit: make(chan struct{})}
}

// send sends a line, which must end in a newline and belongs to the outbox from now on. id is 0 if the line is not a
// request. If the queue is full, send calls whenFull, unless that is nil, and blocks until there is room or ctx ends.
// It returns errNotRead if too much is waiting.
func (o *outbox) send(ctx context.Context, id int64, data []byte, whenFull func()) error {
	o.mu.Lock()
	if all := o.bytes + o.waiting; o.err == nil && all > 0 && all+len(data) > maxWaiting {
		o.mu.Unlock()
		return errNotRead
	}
	for o.err == nil && o.bytes > 0 && o.bytes+len(data) > maxQueued {
		room := o.room
		o.waiting += len(data)
		o.mu.Unlock()
		if whenFull != nil {
			whenFull()
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

// post sends a line without blocking. It reports false if the line was dropped, because too much is queued.
func (o *outbox) post(data []byte) bool {
	o.mu.Lock()
	if o.posted >= maxPosted || len(o.queue) > 0 && len(data) > maxBatch {
		o.mu.Unlock()
		return false
	}
	return o.put(line{data: data, post: true}) == nil
}

// put queues a line. It must be called with the lock held, which it releases.
func (o *outbox) put(l line) error {
	defer o.mu.Unlock()
	if o.err != nil {
		return o.err
	}
	o.queue = append(o.queue, l)
	o.count(l, 1)
	pause.Wake(o.wake)
	return nil
}

// count records that a line was added to the queue (1) or removed (-1).
func (o *outbox) count(l line, sign int) {
	o.bytes += sign * len(l.data)
	if l.post {
		o.posted += sign
	}
}

// drop removes a request from the queue. It reports false if the request is being written or was written.
func (o *outbox) drop(id int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, l := range o.queue {
		if l.id == id {
			o.count(l, -1)
			o.queue = append(o.queue[:i], o.queue[i+1:]...)
			return true
		}
	}
	return false
}

// run writes queued lines until close. It returns the error of a write.
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
			if _, err := o.w.Write(batch); err != nil {
				o.fail(err)
				return err
			}
		}
	}
}

// take removes lines from the queue and returns them, or nil if there are none.
func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return nil
	}
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

// close ends run. If run is blocked in a write, it returns when the pipe is closed.
func (o *outbox) close() {
	o.fail(errOutboxClosed)
	close(o.quit)
}
