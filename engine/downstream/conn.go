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
func (c *conn) begin(run func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.group.Go(run)
	}
	return c.err
}

// end ends the session: all requests fail. It returns the reason, which is that of the first call of end or retire.
func (c *conn) end(reason error) error {
	c.mu.Lock()
	if c.err == nil {
		c.err = c.o.secrets.maskError(reason)
	}
	why := c.err
	calls := c.calls
	c.calls = nil
	c.mu.Unlock()
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
func (c *conn) once(ctx context.Context, call *Call) ([]jsonrpc.Member, error) {
	call.own = c.own(call.Capabilities)
	id := c.lastID.Add(1)
	result, err := c.roundTrip(ctx, id, callLine(id, call), call)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		c.withdraw(id, context.Cause(ctx))
		err = whyEnded(ctx)
	}
	return result, err
}

// request sends a request of the session itself and waits for its result.
func (c *conn) request(ctx context.Context, method string, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	id := c.lastID.Add(1)
	result, err := c.roundTrip(ctx, id, callLine(id, &Call{Method: method, Params: params, own: c.own(nil)}), &Call{})
	if err == nil {
		err = c.complete(method, result)
	}
	return result, err
}

// notify is [Session.Notify].
func (c *conn) notify(method string, params json.RawMessage) {
	if c.modern() {
		return
	}
	data := jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), method)
	if params != nil {
		data = appendLine(append(data, `,"params":`...), params)
	}
	c.post(method, append(data, "}\n"...))
}

// roundTrip sends a request line and waits for the answer, the end of ctx, or the end of the session.
func (c *conn) roundTrip(ctx context.Context, id int64, data []byte, call *Call) ([]jsonrpc.Member, error) {
	answers, err := c.sendRequest(ctx, id, data, call)
	if err != nil {
		return nil, err
	}
	call.LetNext()
	select {
	case a := <-answers:
		return a.result, a.err
	case <-ctx.Done():
		if c.take(id) == nil {
			// The answer, or the end of the session, came first.
			a := <-answers
			return a.result, a.err
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			c.noteCancelled(id)
		}
		return nil, ctx.Err()
	}
}

// sendRequest sends a request line. The answer comes on the channel, unless take removes the request before.
func (c *conn) sendRequest(ctx context.Context, id int64, data []byte, call *Call) (<-chan outcome, error) {
	answers := make(chan outcome, 1)
	p := &pending{answer: func(o outcome) { answers <- o }, progress: call.Progress, relisted: call.Relisted, cancelled: ctx.Done()}
	if err := c.register(id, p); err != nil {
		return nil, err
	}
	err := c.out.send(ctx, id, data, call.LetNext)
	if errors.Is(err, io.ErrClosedPipe) && c.o.remote() {
		return answers, nil // the connection has ended; the end of the session says why, and whether the request has run
	}
	if err != nil && c.take(id) != nil {
		if ctx.Err() == nil && err != errNotRead {
			err = words.NewError("downstream.not_writable", "Why", err).Because(ErrStopped)
		}
		return nil, err
	}
	return answers, nil
}

// register adds a request to those that wait for answers. It fails if the session has ended.
func (c *conn) register(id int64, p *pending) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return &notRunError{c.err}
	}
	c.calls[id] = p
	return nil
}

// waiting returns the request with an id, or nil.
func (c *conn) waiting(id int64) *pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[id]
}

// take removes and returns the request with an id, or nil. The caller must answer it.
func (c *conn) take(id int64) *pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.calls[id]
	delete(c.calls, id)
	return p
}

// maxCancelled limits how many cancelled requests are remembered.
const maxCancelled = 1000

func (c *conn) noteCancelled(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancelled == nil || len(c.cancelled) == maxCancelled {
		c.cancelled = map[int64]bool{}
	}
	c.cancelled[id] = true
}

// wasCancelled reports, once, whether the client has cancelled a request.
func (c *conn) wasCancelled(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.cancelled[id]
	delete(c.cancelled, id)
	return was
}

// takeAll removes and returns all requests. The caller must answer them.
func (c *conn) takeAll() map[int64]*pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	if calls != nil { // nil means that the session has ended
		c.calls = map[int64]*pending{}
	}
	return calls
}

// withdraw cancels a request on the server, unless it was not sent yet.
func (c *conn) withdraw(id int64, why error) {
	if c.out.drop(id) {
		return
	}
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":`, id)
	data = jsonrpc.AppendString(data, why.Error())
	c.out.post(append(data, "}}\n"...))
}

// failure returns why the session has ended, or nil.
func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// post sends a line. It drops the line if the server does not read.
func (c *conn) post(method string, line []byte) {
	if !c.out.post(line) {
		c.remarks.log.Debug("A line to the server was dropped; it does not read", "method", clean(method, 100))
	}
}

// unanswered fails a request that will get no answer.
func (c *conn) unanswered(id int64, err error) {
	if p := c.take(id); p != nil {
		p.answer(outcome{err: c.o.secrets.maskError(err)})
	}
}

// retire makes new requests fail. Requests that were sent may still be answered.
func (c *conn) retire(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = reason
	}
}

// own returns the members of _meta that the modern era requires in each request, or nil in the older era. If
// capabilities is nil, those of the session are used.
func (c *conn) own(capabilities json.RawMessage) []byte {
	e := c.era.Load()
	if e == nil {
		return nil
	}
	if capabilities != nil && !bytes.Equal(capabilities, c.o.Capabilities) {
		o := c.o
		o.Capabilities = capabilities
		e = newEra(o, e.level)
	}
	return e.meta
}

// modern reports whether the server is used in the modern era.
func (c *conn) modern() bool { return c.era.Load() != nil }

// complete returns an error if a result of the modern era is not a complete result.
func (c *conn) complete(method string, result []jsonrpc.Member) error {
	switch kind := resultType(result); {
	case !c.modern() || kind == "" || kind == "complete":
		return nil
	case kind == inputRequired:
		return words.NewError("downstream.early_input", "Method", method)
	default:
		return words.NewError("downstream.result_type", "Type", clean(kind, 100))
	}
}
