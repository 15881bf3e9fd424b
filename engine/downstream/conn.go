package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// conn sends requests to the server and matches answers to them.
type conn struct {
	o       Options
	remarks *remarks
	peer    Peer
	out     *outbox
	era     atomic.Pointer[era] // nil for a server of the older era
	ready   atomic.Bool         // connecting has succeeded
	lastID  atomic.Int64

	mu    sync.Mutex
	calls map[int64]*pending // nil when the session has ended
	err   error              // why the session ended

	// cancelled are requests that the client has cancelled and that are not answered yet. The answer may be on its way.
	cancelled map[int64]bool

	done  chan struct{}    // closed when the session has ended
	group background.Group // the goroutines of the session
}

// begin runs a function in a goroutine of the session. It returns an error if the session has ended.
func (w *conn) begin(run func()) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.group.Go(run)
	}
	return w.err
}

// end ends the session: all requests fail. It returns the reason, which is that of the first call of end or retire.
func (w *conn) end(reason error) error {
	w.mu.Lock()
	if w.err == nil {
		w.err = w.o.secrets.maskError(reason)
	}
	why := w.err
	calls := w.calls
	w.calls = nil
	w.mu.Unlock()
	failure := why
	if lost, ok := errors.AsType[*lostError](reason); ok && lost.answered {
		failure = &notRunError{why}
	}
	for _, p := range calls {
		p.answer(outcome{err: failure})
	}
	return why
}

// pending is a request that waits for its answer. Whoever removes it from conn.calls must call answer once.
type pending struct {
	answer    func(outcome)
	progress  func(json.RawMessage)
	relisted  func()
	cancelled <-chan struct{} // closed when the caller no longer waits
}

// outcome is the answer to a request.
type outcome struct {
	result []jsonrpc.Member // as sent
	err    error
}

// once sends a request and waits for its answer.
func (w *conn) once(ctx context.Context, c Call) ([]jsonrpc.Member, error) {
	c.own = w.own(c.Capabilities)
	id := w.lastID.Add(1)
	result, err := w.roundTrip(ctx, id, callLine(id, c), c)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		w.withdraw(id, context.Cause(ctx))
		err = whyEnded(ctx)
	}
	return result, err
}

// request sends a request of the session itself and waits for its result.
func (w *conn) request(ctx context.Context, method string, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	id := w.lastID.Add(1)
	result, err := w.roundTrip(ctx, id, callLine(id, Call{Method: method, Params: params, own: w.own(nil)}), Call{})
	if err == nil {
		err = w.complete(method, result)
	}
	return result, err
}

// notify is [Session.Notify].
func (w *conn) notify(method string, params json.RawMessage) {
	if w.modern() {
		return
	}
	data := jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), method)
	if params != nil {
		data = appendLine(append(data, `,"params":`...), params)
	}
	w.post(method, append(data, "}\n"...))
}

// roundTrip sends a request line and waits for the answer, the end of ctx, or the end of the session.
func (w *conn) roundTrip(ctx context.Context, id int64, data []byte, c Call) ([]jsonrpc.Member, error) {
	answers, err := w.sendRequest(ctx, id, data, c)
	if err != nil {
		return nil, err
	}
	c.LetNext()
	select {
	case a := <-answers:
		return a.result, a.err
	case <-ctx.Done():
		if w.take(id) == nil {
			// The answer, or the end of the session, came first.
			a := <-answers
			return a.result, a.err
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			w.noteCancelled(id)
		}
		return nil, ctx.Err()
	}
}

// sendRequest sends a request line. The answer comes on the channel, unless take removes the request before.
func (w *conn) sendRequest(ctx context.Context, id int64, data []byte, c Call) (<-chan outcome, error) {
	answers := make(chan outcome, 1)
	p := &pending{answer: func(o outcome) { answers <- o }, progress: c.Progress, relisted: c.Relisted, cancelled: ctx.Done()}
	if err := w.register(id, p); err != nil {
		return nil, err
	}
	err := w.out.send(ctx, id, data, c.LetNext)
	if errors.Is(err, io.ErrClosedPipe) && w.o.remote() {
		return answers, nil // the connection has ended; the end of the session says why, and whether the request has run
	}
	if err != nil && w.take(id) != nil {
		if ctx.Err() == nil && err != errNotRead {
			err = words.NewError("downstream.not_writable", "Why", err).Because(ErrStopped)
		}
		return nil, err
	}
	return answers, nil
}

// register adds a request to those that wait for answers. It fails if the session has ended.
func (w *conn) register(id int64, p *pending) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return &notRunError{w.err}
	}
	w.calls[id] = p
	return nil
}

// waiting returns the request with an id, or nil.
func (w *conn) waiting(id int64) *pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[id]
}

// take removes and returns the request with an id, or nil. The caller must answer it.
func (w *conn) take(id int64) *pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.calls[id]
	delete(w.calls, id)
	return p
}

// maxCancelled limits how many cancelled requests are remembered.
const maxCancelled = 1000

func (w *conn) noteCancelled(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancelled == nil || len(w.cancelled) == maxCancelled {
		w.cancelled = map[int64]bool{}
	}
	w.cancelled[id] = true
}

// wasCancelled reports, once, whether the client has cancelled a request.
func (w *conn) wasCancelled(id int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.cancelled[id]
	delete(w.cancelled, id)
	return was
}

// takeAll removes and returns all requests. The caller must answer them.
func (w *conn) takeAll() map[int64]*pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls := w.calls
	if calls != nil { // nil means that the session has ended
		w.calls = map[int64]*pending{}
	}
	return calls
}

// withdraw cancels a request on the server, unless it was not sent yet.
func (w *conn) withdraw(id int64, why error) {
	if w.out.drop(id) {
		return
	}
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":`, id)
	data = jsonrpc.AppendString(data, why.Error())
	w.out.post(append(data, "}}\n"...))
}

// failure returns why the session has ended, or nil.
func (w *conn) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// post sends a line. It drops the line if the server does not read.
func (w *conn) post(method string, line []byte) {
	if !w.out.post(line) {
		w.remarks.log.Debug("A line to the server was dropped; it does not read", "method", clean(method, 100))
	}
}

// unanswered fails a request that will get no answer.
func (w *conn) unanswered(id int64, err error) {
	if p := w.take(id); p != nil {
		p.answer(outcome{err: w.o.secrets.maskError(err)})
	}
}

// retire makes new requests fail. Requests that were sent may still be answered.
func (w *conn) retire(reason error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = reason
	}
}

// own returns the members of _meta that the modern era requires in each request, or nil in the older era. If
// capabilities is nil, those of the session are used.
func (w *conn) own(capabilities json.RawMessage) []byte {
	e := w.era.Load()
	if e == nil {
		return nil
	}
	if capabilities != nil && !bytes.Equal(capabilities, w.o.Capabilities) {
		o := w.o
		o.Capabilities = capabilities
		e = newEra(o, e.level)
	}
	return e.meta
}

// modern reports whether the server is used in the modern era.
func (w *conn) modern() bool { return w.era.Load() != nil }

// complete returns an error if a result of the modern era is not a complete result.
func (w *conn) complete(method string, result []jsonrpc.Member) error {
	switch kind := resultType(result); {
	case !w.modern() || kind == "" || kind == "complete":
		return nil
	case kind == inputRequired:
		return words.NewError("downstream.early_input", "Method", method)
	default:
		return words.NewError("downstream.result_type", "Type", clean(kind, 100))
	}
}
