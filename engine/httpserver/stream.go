package httpserver

import (
	"errors"
	"fmt"
	"net"
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
	ofGET bool // it has what belongs to no request

	mu       sync.Mutex
	wake     chan struct{} // receives a value when there is something new; each response that writes has its own
	lines    [][]byte      // that were not written
	at       position
	lost     bool // no response writes it
	answers  int  // that are still to come; none in a stream of GET, which only close ends
	code     int  // of the error in the last answer
	only     bool // nothing has come before the answer, and there is one alone
	closed   bool
	overflow bool // it was closed, since its client leaves too much unread
}

// position says which message of a stream is next.
type position struct {
	stream   int64   // its number in the session; 0 if no client can resume it
	record   *record // of the session, if stream is not 0
	written  int64   // how many messages were
	recorded int64   // the number of the last one that record had; more than written if it is written once more
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
	if answer {
		o.answers--
		o.code = code
		o.closed = o.answers == 0
	} else {
		o.only = false
	}
	if o.lost {
		o.boundLost()
	}
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

// whole reports whether everything was written.
func (o *stream) whole() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.answers == 0 && !o.overflow && len(o.lines) == 0
}

// drop drops what was not written. The caller must hold the lock.
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

// next returns the next message and its number, and whether it is the only one of the response. over means that there
// is none and will be none for the response that waits for wake.
func (o *stream) next(wake chan struct{}) (line []byte, number int64, only, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.wake != wake:
		return nil, 0, false, true
	case len(o.lines) == 0:
		return nil, o.at.written, false, o.closed
	}
	return o.lines[0], o.at.written + 1, o.only && o.closed, false
}

// wrote is called when the message that next has returned was written.
func (o *stream) wrote(wake chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.wake == wake && len(o.lines) > 0 { // otherwise it is written once more, or was dropped
		o.pop()
	}
}

// pop removes the next message, which was written. The caller must hold the lock.
func (o *stream) pop() {
	line := o.lines[0]
	o.lines = o.lines[1:]
	o.at.written++
	o.owner.unread.Add(-int64(len(line)))
	if o.at.stream != 0 && o.at.written > o.at.recorded {
		o.at.recorded = o.at.written
		o.at.record.add(event{o.at.stream, o.at.written, line})
	}
}

// firstBeat is when a client at the latest learns that its request was taken.
const firstBeat = time.Second

// response writes a stream to a client: as events, or as one message where that is all there is.
type response struct {
	*stream
	limits Limits
	form   form
	w      http.ResponseWriter
	wake   chan struct{} // see [stream.wake]
	begun  bool
	lost   bool // the connection was lost, although the client has read what was written
}

// form says how a response is written.
type form struct {
	modern bool
	plain  bool // the answer is no stream of events, if nothing comes before it
	primes bool // the first event can have no message, so that the client knows how to resume
}

// write writes the messages until the stream ends, the client is gone, or it does not read. It reports whether
// everything was written.
func (p *response) write(r *http.Request) (whole bool) {
	beat := time.NewTimer(min(firstBeat, p.limits.KeepAlive))
	defer beat.Stop()
	for {
		line, number, only, over := p.next(p.wake)
		var err error
		switch {
		case over:
			p.extend()
			whole = p.whole()
			if whole && !p.begun { // an answer without a message is a stream without events
				whole = p.comment() == nil
			}
			return whole
		// In 2026-07-28, the status of the response says that the request has failed.
		case line != nil && only && !p.begun && (p.form.plain || p.form.modern && p.code != 0):
			err = p.message(line)
		case line != nil:
			err = p.event(line, number)
		default:
			select {
			case <-p.wake:
			case <-beat.C:
				beat.Reset(p.limits.KeepAlive)
				err = p.silence(number)
			case <-r.Context().Done():
				err = r.Context().Err()
			}
		}
		if err != nil {
			var slow net.Error
			p.lost = !errors.As(err, &slow) || !slow.Timeout()
			return false
		}
		if line != nil {
			p.wrote(p.wake)
		}
	}
}

// message writes the only message of a response.
func (p *response) message(line []byte) error {
	status := http.StatusOK
	if p.form.modern {
		status = statusOf(p.code)
	}
	p.w.Header().Set("Content-Length", strconv.Itoa(len(line)))
	p.begin(asJSON, status)
	return p.send(line)
}

// event writes a message of several.
func (p *response) event(line []byte, number int64) error {
	return p.send(p.beginEvents(), p.id(number), []byte("event: message\ndata: "), line, []byte("\n\n"))
}

// id returns the line of an event from which a client can resume; nil if it cannot.
func (p *response) id(number int64) []byte {
	if p.at.stream == 0 {
		return nil
	}
	return fmt.Appendf(nil, "id: %d-%d\n", p.at.stream, number)
}

// silence writes something while there is no message.
func (p *response) silence(number int64) error {
	if p.begun || !p.form.primes || p.at.stream == 0 {
		return p.comment()
	}
	return p.send(p.beginEvents(), p.id(number), []byte("data: \n\n"))
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
	if p.form.modern {
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
