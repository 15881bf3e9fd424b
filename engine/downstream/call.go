package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ProgressToken is the member of _meta with which a request asks for progress notifications.
const ProgressToken = "progressToken"

// Call is a call of a tool, or another request that is passed on.
type Call struct {
	// Method is the method of the request; "" means tools/call.
	Method string
	// Tool is the server's own name of the tool; if "", the member is left out.
	Tool string
	// Arguments is a valid JSON value, sent unchanged; if nil, the member is left out.
	Arguments json.RawMessage
	// Params are further members of params, sent unchanged. _meta must not be one of them.
	Params []jsonrpc.Member
	// Meta are members for _meta, sent unchanged. Members that the session sets itself are left out: the
	// progress token, and those that 2026-07-28 requires in each request.
	Meta []jsonrpc.Member
	// TakesInput means that the caller itself handles results that ask for input ("input_required"), and that
	// Params may contain inputResponses and requestState. Only servers of the modern era give such results,
	// see [Info.Modern].
	TakesInput bool
	// Sent is called when later requests need not wait for this one: it was sent, or it waits for the person or for a
	// server that does not read. It may be called several times. nil is allowed.
	Sent func()
	// Progress is called with the params of each progress notification for this call, unchanged and with our
	// progress token. It runs on the read loop, in order and before Call returns the result. It must not
	// block, since all traffic of this server waits for it. It may be called once more after a call was
	// cancelled. If nil, the server is not asked for progress.
	Progress func(params json.RawMessage)

	// Relisted is called if the server has said, before its answer, that one of its lists has changed. The
	// changed lists were read again, and [Options.OnListChanged] was called, if that did not take long. It may
	// block, and the result is returned when it returns. If nil, the answer does not wait for lists.
	Relisted func()

	// Capabilities are the client's capabilities for this request. A server of 2026-07-28 gets them with each
	// request. If nil, those of [Options.Capabilities] are used.
	Capabilities json.RawMessage

	own []byte // members of _meta that the era requires
}

// method is the method of the request.
func (c Call) method() string {
	if c.Method == "" {
		return "tools/call"
	}
	return c.Method
}

// Passed calls c.Sent.
func (c Call) Passed() {
	if c.Sent != nil {
		c.Sent()
	}
}

// pending is a request that waits for its answer. Whoever removes it from the map must answer it, once.
type pending struct {
	answer   func(outcome)
	progress func(json.RawMessage)
	relisted func()
	gone     <-chan struct{} // closed when nobody waits any more
}

// outcome is how a request ended.
type outcome struct {
	result json.RawMessage // the object as sent; nil if err is set
	err    error
}

// Call calls a tool and returns the result object as sent, which belongs to the caller. The error is an
// [*RPCError] if the server answered with one, wraps [ErrStopped], [ErrClosed], [ErrTimeout] (callTimeout of
// the configuration) or [ErrTooLarge], or is the error of ctx; in the last case the server has been told that
// the call is cancelled. If a server of the modern era asks for input, it gets the input from
// [Options.OnRequest], called with a context derived from ctx.
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

// once makes a request without repeating it.
func (s *Session) once(ctx context.Context, c Call) (json.RawMessage, error) {
	c.own = s.own(c.Capabilities)
	id := s.lastID.Add(1)
	result, err := s.roundTrip(ctx, id, callLine(id, c), c)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		s.withdraw(id, context.Cause(ctx))
		err = whyEnded(ctx)
	}
	return result, err
}

// callLine returns the line of a request. Nothing is decoded or checked: the server gets what the client
// sent.
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

// appendMember appends a member to an object that is not closed yet. If value is nil, the caller appends it.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = jsonrpc.AppendString(dst, name)
	dst = append(dst, ':')
	return appendLine(dst, value)
}

// appendLine appends a value without line breaks, so that it fits into a line.
func appendLine(dst []byte, value json.RawMessage) []byte {
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return jsonrpc.AppendCompact(dst, value)
	}
	return append(dst, value...)
}

// request sends a request of the session itself and waits for its result.
func (s *Session) request(ctx context.Context, method string, params []jsonrpc.Member) (json.RawMessage, error) {
	id := s.lastID.Add(1)
	result, err := s.roundTrip(ctx, id, callLine(id, Call{Method: method, Params: params, own: s.own(nil)}), Call{})
	if err == nil {
		err = s.complete(method, result)
	}
	return result, err
}

// Notify sends a notification. params is an object, or nil for none. The notification is dropped if the queue
// is full or the server speaks 2026-07-28.
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

// roundTrip sends a request line and waits for the answer, the end of ctx, or the end of the session.
func (s *Session) roundTrip(ctx context.Context, id int64, data []byte, c Call) (json.RawMessage, error) {
	answers := make(chan outcome, 1)
	p := &pending{answer: func(o outcome) { answers <- o }, progress: c.Progress, relisted: c.Relisted, gone: ctx.Done()}
	if err := s.register(id, p); err != nil {
		return nil, err
	}
	if err := s.out.send(ctx, id, data, c.Passed); err != nil && s.take(id) != nil {
		if ctx.Err() == nil && err != errNotRead {
			err = words.NewError("downstream.not_writable", "Why", err).Because(ErrStopped)
		}
		return nil, err
	}
	c.Passed()
	select {
	case a := <-answers:
		return a.result, a.err
	case <-ctx.Done():
		if s.take(id) == nil {
			// The answer or the end of the session came first.
			a := <-answers
			return a.result, a.err
		}
		return nil, ctx.Err()
	}
}

// register records a request, so that it can be answered. It fails if the session has ended.
func (s *Session) register(id int64, p *pending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return &notRunError{s.err}
	}
	s.calls[id] = p
	return nil
}

// take removes a request from those that wait. The caller must answer it.
func (s *Session) take(id int64) *pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.calls[id]
	delete(s.calls, id)
	return p
}

// takeAll removes all waiting requests.
func (s *Session) takeAll() map[int64]*pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	if calls != nil { // nil means that the session has ended
		s.calls = map[int64]*pending{}
	}
	return calls
}

// whyEnded returns why a call is given up: the error of ctx, or a time-out.
func whyEnded(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrTimeout) {
		return cause
	}
	return ctx.Err()
}

// cancelled means that the other side has taken a request back, and says why.
type cancelled string

func (c cancelled) Error() string { return string(c) }

// Is reports that it is a kind of [context.Canceled].
func (c cancelled) Is(target error) bool { return target == context.Canceled }

// maxWhy is how long a reason for a cancellation may be, in bytes.
const maxWhy = 4 << 10

// Cancelled returns the error for a request that was taken back by notifications/cancelled with these params.
// Its text is the reason that they give. It is a [context.Canceled].
func Cancelled(params json.RawMessage) error {
	reason, _ := jsonrpc.String(jsonrpc.Lookup(params, "reason"))
	if reason == "" {
		return context.Canceled
	}
	return cancelled(clean(reason, maxWhy))
}

// withdraw tells the server that nobody waits for an answer any more, unless the request has not been sent.
func (s *Session) withdraw(id int64, why error) {
	if s.out.drop(id) {
		return
	}
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":`, id)
	data = jsonrpc.AppendString(data, why.Error())
	s.out.post(append(data, "}}\n"...))
}
