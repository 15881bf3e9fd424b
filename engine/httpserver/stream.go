package httpserver

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// stream has the messages of one HTTP response, until the client has read them.
type stream struct {
	owner *app
	wake  chan struct{} // receives a value when there is something new

	mu       sync.Mutex
	lines    [][]byte
	answers  int  // that are still to come; none in a stream of GET, which only close ends
	code     int  // of the error in the last answer
	only     bool // nothing has come before the answer, and there is one alone
	closed   bool
	overflow bool // it was closed, since its client leaves too much unread
}

// newStream returns the stream for a number of requests; 0 for one of GET.
func newStream(owner *app, answers int) *stream {
	return &stream{owner: owner, wake: make(chan struct{}, 1), answers: answers, only: answers == 1}
}

// send adds a message.
func (o *stream) send(line []byte) { o.add(line, false, 0) }

// answer adds the answer to a request. After the last one the stream ends.
func (o *stream) answer(line []byte, code int) { o.add(line, true, code) }

func (o *stream) add(line []byte, answer bool, code int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer pause.Wake(o.wake)
	if o.closed {
		return
	}
	if o.owner.unread.Add(int64(len(line))) > o.owner.most {
		o.owner.unread.Add(-int64(len(line)))
		o.drop()
		o.closed, o.overflow = true, true
		return
	}
	o.lines = append(o.lines, line)
	if !answer {
		o.only = false
		return
	}
	o.answers--
	o.code = code
	o.closed = o.answers == 0
}

// unanswered ends the wait for an answer that will not come.
func (o *stream) unanswered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers--
	o.only = false
	o.closed = o.closed || o.answers == 0
	pause.Wake(o.wake)
}

// drop drops what was not taken. The caller must hold the lock.
func (o *stream) drop() {
	for _, line := range o.lines {
		o.owner.unread.Add(-int64(len(line)))
	}
	o.lines = nil
}

// close ends the stream. What was not read is dropped.
func (o *stream) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drop()
	o.closed = true
	pause.Wake(o.wake)
}

// next returns the next message, and whether it is the only one of the response. over means that there is none and
// will be none.
func (o *stream) next() (line []byte, only, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.lines) == 0 {
		return nil, false, o.closed
	}
	line, o.lines = o.lines[0], o.lines[1:]
	return line, o.only && o.closed, false
}

// firstBeat is when a client at the latest learns that its request was taken.
const firstBeat = time.Second

// response writes a stream to a client: as events, or as one message where that is all there is.
type response struct {
	*stream
	limits Limits
	modern bool
	plain  bool // the answer is no stream of events, if nothing comes before it
	w      http.ResponseWriter
	begun  bool
}

// write writes the messages until the stream ends, the client is gone, or it does not read. It reports whether
// everything was written.
func (p *response) write(r *http.Request) (whole bool) {
	beat := time.NewTimer(min(firstBeat, p.limits.KeepAlive))
	defer beat.Stop()
	for {
		line, only, over := p.next()
		var err error
		switch {
		case over:
			p.extend()
			whole = p.answers == 0 && !p.overflow
			if whole && !p.begun { // an answer without a message is a stream without events
				whole = p.comment() == nil
			}
			return whole
		// In 2026-07-28, the status of the response says that the request has failed.
		case line != nil && only && !p.begun && (p.plain || p.modern && p.code != 0):
			err = p.message(line)
		case line != nil:
			err = p.event(line)
		default:
			select {
			case <-p.wake:
			case <-beat.C:
				beat.Reset(p.limits.KeepAlive)
				err = p.comment()
			case <-r.Context().Done():
				return false
			}
		}
		p.owner.unread.Add(-int64(len(line)))
		if err != nil {
			return false
		}
	}
}

// message writes the only message of a response.
func (p *response) message(line []byte) error {
	status := http.StatusOK
	if p.modern {
		status = statusOf(p.code)
	}
	p.w.Header().Set("Content-Length", strconv.Itoa(len(line)))
	p.begin(asJSON, status)
	return p.send(line)
}

// event writes a message of several.
func (p *response) event(line []byte) error {
	return p.send(p.beginEvents(), []byte("event: message\ndata: "), line, []byte("\n\n"))
}

// comment writes something that clients ignore, so that neither they nor proxies take the connection for lost.
func (p *response) comment() error {
	return p.send(p.beginEvents(), []byte(": keep-alive\n\n"))
}

// beginEvents begins a stream of events, if it has not begun. It returns what comes first.
func (p *response) beginEvents() []byte {
	if p.begun {
		return nil
	}
	p.begin(asEvents, http.StatusOK)
	if p.modern {
		return nil
	}
	return []byte("retry: 1000\n\n") // how long a client waits before it opens the stream again
}

// begin sends the headers.
func (p *response) begin(kind string, status int) {
	p.begun = true
	p.w.Header().Set("Content-Type", kind)
	p.w.Header().Set("X-Accel-Buffering", "no") // a proxy that collects an answer would hold back every event
	p.extend()
	p.w.WriteHeader(status)
}

// part is how many bytes are written before the client gets more time.
const part = 64 << 10

// send writes parts of the response.
func (p *response) send(parts ...[]byte) error {
	for _, all := range parts {
		for chunk := range slices.Chunk(all, part) {
			p.extend()
			if _, err := p.w.Write(chunk); err != nil {
				return err
			}
		}
	}
	p.extend()
	return http.NewResponseController(p.w).Flush()
}

// extend gives the client time to read what is written next.
func (p *response) extend() {
	// It fails if the connection is closed, and so does the next write.
	_ = http.NewResponseController(p.w).SetWriteDeadline(time.Now().Add(p.limits.Patience))
}

// statusOf returns the status that 2026-07-28 gives an answer with an error; 0 means none.
func statusOf(code int) int {
	switch code {
	case jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case jsonrpc.CodeInvalidParams, jsonrpc.CodeInvalidRequest, jsonrpc.CodeParseError, jsonrpc.CodeHeaderMismatch,
		jsonrpc.CodeMissingCapability, jsonrpc.CodeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
