package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ProgressToken is the member of _meta by which a request asks for progress.
const ProgressToken = "progressToken"

// Call is one call of a tool, or another request that passes through.
type Call struct {
	// Method is the method of the request; "" means tools/call.
	Method string
	// Tool is the server's own name of the tool; "" leaves the member out.
	Tool string
	// Arguments is a valid JSON value, sent as it is; nil leaves the member out.
	Arguments json.RawMessage
	// Params are further members of params, sent as they are. _meta is not one of them.
	Params []jsonrpc.Member
	// Meta are members for _meta, sent as they are. Those that the session sets
	// itself are left out: the progress token, and what 2026-07-28 says with each request.
	Meta []jsonrpc.Member
	// TakesInput means that the caller itself handles results that ask for input
	// ("input_required"), and that Params may hold inputResponses and
	// requestState. Only servers of the modern era answer so, see [Info.Modern].
	TakesInput bool
	// Progress gets the params of each progress notification for this call, as
	// sent, with our progress token. It is called on the read loop, in order and
	// before Call returns the result, and must not block: all traffic of this
	// server waits. After a call that was cancelled it may be called once more.
	// Nil means that the server isn't asked for progress.
	Progress func(params json.RawMessage)

	// Capabilities are what the client can do for this request, as a server of 2026-07-28 is told with
	// each; nil means those of [Options.Capabilities].
	Capabilities json.RawMessage

	// Hold, for [Session.Begin], says that other calls follow at once: the request
	// may stay in memory, so that they are written together. Then Hold is called
	// before Begin returns, unless others are held already, and the caller must see
	// to it that flush is called soon. Nil means that the request is written at once.
	Hold func(flush func())

	own []byte // members of _meta that the era asks for
}

// method is the method of the request.
func (c Call) method() string {
	if c.Method == "" {
		return "tools/call"
	}
	return c.Method
}

// pending is a request that waits for its answer. Whoever takes it out of the
// map answers it, once.
type pending struct {
	answer   func(Outcome)
	progress func(json.RawMessage)
	borrows  bool // the result is used only while answer runs
}

// Outcome is how a call ended, or another request.
type Outcome struct {
	// Result is the result object as sent, nil with Err.
	Result json.RawMessage
	// IsError tells that the result's isError is true: the tool itself failed.
	IsError bool
	// Err is as [Session.Call] returns it.
	Err error
	// Hold is not nil when another message of the server has been read already.
	// The caller may then wait and write both results together: it gives Hold,
	// before done returns, a function that ends the waiting and is called soon.
	Hold func(flush func())
}

// Call calls a tool and returns the result object as sent; it belongs to the
// caller. Errors: [*RPCError] when the server answered with one, those that wrap
// [ErrStopped], [ErrClosed], [ErrTimeout] (callTimeout of the configuration) or
// [ErrTooLarge], and that of ctx, after which the server has been told that the
// call is cancelled. A server of the modern era that asks for input gets it from
// [Options.OnRequest], whose context is one of ctx.
func (s *Session) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	limit := s.o.callTimeout()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, timedOut(limit))
		defer cancel()
	}
	if s.modern() {
		return s.converse(ctx, c)
	}
	if c.TakesInput {
		c.Params = withoutInput(c.Params)
	}
	return s.once(ctx, c)
}

// once makes a request, once.
func (s *Session) once(ctx context.Context, c Call) (json.RawMessage, error) {
	c.own = s.own(c.Capabilities)
	id := s.lastID.Add(1)
	result, err := s.roundTrip(ctx, id, callLine(id, c), c.Progress)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		s.withdraw(id, context.Cause(ctx))
		err = whyEnded(ctx)
	}
	return result, err
}

// Begin calls a tool as [Session.Call] does, but returns at once: done gets the
// outcome, once, and the result is only valid until done returns. It is called
// on the read loop, or from whoever cancels or ends the session; so it may take
// the time that handing the result on takes, but no more. This spares two
// switches of goroutines, which is half the time of a small call.
//
// cancel tells the server that nobody waits any more, and done gets
// [context.Canceled], unless the call has ended; it can be called at any time.
//
// begun is false when the call couldn't be handed over at once: too much is
// waiting for the server already, it can't be written to, the session has
// ended, or the server is one that may ask for input. Nothing has been sent then and done is never called. [Session.Call]
// waits for room, and says what is wrong if there is none to come.
func (s *Session) Begin(c Call, done func(Outcome)) (cancel func(), begun bool) {
	if s.modern() {
		return func() {}, false
	}
	id := s.lastID.Add(1)
	p := &pending{answer: done, progress: c.Progress, borrows: true}
	limit := s.o.callTimeout()
	var timer *time.Timer
	if limit > 0 {
		// It must exist before anything can be answered, since the answer stops it,
		// but not fire before there is something to give up: nothing would set it
		// again. So it gets its time below.
		timer = time.AfterFunc(math.MaxInt64, func() { s.giveUp(id, timedOut(limit)) })
		p.answer = func(o Outcome) {
			timer.Stop()
			done(o)
		}
	}
	if err := s.register(id, p); err != nil {
		if timer != nil {
			timer.Stop()
		}
		return func() {}, false
	}
	if timer != nil {
		timer.Reset(limit)
	}
	if !s.out.trySend(id, callLine(id, c), c.Hold) && s.take(id) != nil {
		if timer != nil {
			timer.Stop()
		}
		return func() {}, false
	}
	// If it wasn't sent and somebody else took it, it has ended: done knows.
	return func() { s.giveUp(id, context.Canceled) }, true
}

// giveUp ends a call that is still waiting for its answer.
func (s *Session) giveUp(id int64, why error) {
	if p := s.take(id); p != nil {
		s.withdraw(id, why)
		p.answer(Outcome{Err: why})
	}
}

// callLine returns the request line. Nothing is decoded or checked: what the
// client sent goes to the server.
func callLine(id int64, c Call) []byte {
	size := 128 + len(c.Tool) + len(c.Arguments) + len(c.own)
	for _, members := range [2][]jsonrpc.Member{c.Params, c.Meta} {
		for _, member := range members {
			size += 8 + len(member.Name) + len(member.Value)
		}
	}
	dst := append(make([]byte, 0, size), `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, id, 10)
	dst = append(dst, `,"method":`...)
	dst = jsonrpc.AppendString(dst, c.method())
	dst = append(dst, `,"params":{`...)
	if c.Tool != "" {
		dst = appendMember(dst, "name", nil)
		dst = jsonrpc.AppendString(dst, c.Tool)
	}
	if c.Arguments != nil {
		dst = appendMember(dst, "arguments", c.Arguments)
	}
	for _, member := range c.Params {
		dst = appendMember(dst, member.Name, member.Value)
	}
	if c.own != nil || c.Progress != nil || slices.ContainsFunc(c.Meta, func(m jsonrpc.Member) bool { return !ours(m) }) {
		dst = appendMember(dst, "_meta", []byte{'{'})
		dst = append(dst, c.own...)
		if c.Progress != nil {
			dst = appendMember(dst, ProgressToken, nil)
			dst = strconv.AppendInt(dst, id, 10)
		}
		for _, member := range c.Meta {
			if !ours(member) {
				dst = appendMember(dst, member.Name, member.Value)
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, "}}\n"...)
}

// appendMember appends a member to an object that is not closed yet. A nil value is for the caller to append.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = jsonrpc.AppendString(dst, name)
	dst = append(dst, ':')
	return appendLine(dst, value)
}

// appendLine appends a value so that it fits into a line.
func appendLine(dst []byte, value json.RawMessage) []byte {
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return jsonrpc.AppendCompact(dst, value)
	}
	return append(dst, value...)
}

// request sends a request of our own and waits for its result.
func (s *Session) request(ctx context.Context, method string, params []jsonrpc.Member) (json.RawMessage, error) {
	id := s.lastID.Add(1)
	result, err := s.roundTrip(ctx, id, callLine(id, Call{Method: method, Params: params, own: s.own(nil)}), nil)
	if err == nil {
		err = s.complete(method, result)
	}
	return result, err
}

// Notify sends a notification. params is an object, or nil for none. The
// notification is dropped when the queue is full, and when the server speaks
// 2026-07-28.
func (s *Session) Notify(method string, params json.RawMessage) {
	if s.modern() {
		return
	}
	data := jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), method)
	if params != nil {
		data = appendLine(append(data, `,"params":`...), params)
	}
	s.post(method, append(data, "}\n"...))
}

// roundTrip sends a request line and waits for the answer, the end of ctx, or
// that of the session.
func (s *Session) roundTrip(ctx context.Context, id int64, data []byte, progress func(json.RawMessage)) (json.RawMessage, error) {
	answers := make(chan Outcome, 1)
	p := &pending{answer: func(o Outcome) { answers <- o }, progress: progress}
	if err := s.register(id, p); err != nil {
		return nil, err
	}
	if err := s.out.send(ctx, id, data); err != nil && s.take(id) != nil {
		if ctx.Err() == nil && err != errNotRead {
			err = words.NewError("downstream.not_writable", "Why", err).Because(ErrStopped)
		}
		return nil, err
	}
	select {
	case a := <-answers:
		return a.Result, a.Err
	case <-ctx.Done():
		if s.take(id) == nil {
			// The answer, or the session's end, was first.
			a := <-answers
			return a.Result, a.Err
		}
		return nil, ctx.Err()
	}
}

// register makes a request one that can be answered, unless the session has ended.
func (s *Session) register(id int64, p *pending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.calls[id] = p
	return nil
}

// take takes a request out of those that wait, and so the right to answer it.
func (s *Session) take(id int64) *pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.calls[id]
	delete(s.calls, id)
	return p
}

// takeAll takes all requests out of those that wait.
func (s *Session) takeAll() map[int64]*pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	if calls != nil { // nil means that the session has ended
		s.calls = map[int64]*pending{}
	}
	return calls
}

// whyEnded says why a call is given up: the end of ctx, or a time-out.
func whyEnded(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrTimeout) {
		return cause
	}
	return ctx.Err()
}

// withdraw tells the server that nobody waits for an answer any more, unless it
// hasn't even seen the request.
func (s *Session) withdraw(id int64, why error) {
	if s.out.drop(id) {
		return
	}
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":`, id)
	data = jsonrpc.AppendString(data, why.Error())
	s.out.post(append(data, "}}\n"...))
}
