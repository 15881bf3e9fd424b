package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Call is one call of a tool.
type Call struct {
	// Tool is the server's own name of the tool.
	Tool string
	// Arguments is a valid JSON value, sent as it is; nil leaves the member out.
	Arguments json.RawMessage
	// Meta are members for _meta, sent as they are. A progressToken among them is
	// left out, since ours takes its place.
	Meta []jsonrpc.Member
	// Progress gets the params of each progress notification for this call, as
	// sent, with our progressToken. It is called on the read loop, in order and
	// before Call returns the result, and must not block: all traffic of this
	// server waits. After a call that was cancelled it may be called once more.
	// Nil means that the server isn't asked for progress.
	Progress func(params json.RawMessage)
}

// pending is a request that waits for its answer.
type pending struct {
	answer   chan answer // of one; who takes the request out of the map sends
	progress func(json.RawMessage)
}

// answer is a result or an error.
type answer struct {
	result json.RawMessage
	err    error
}

// Call calls a tool and returns the result object as sent; it belongs to the
// caller. Errors: [*RPCError] when the server answered with one, those that wrap
// [ErrStopped], [ErrClosed], [ErrTimeout] (callTimeout of the configuration) or
// [ErrTooLarge], and that of ctx, after which the server has been told that the
// call is cancelled.
func (s *Session) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	limit := s.o.callTimeout()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, timedOut(limit))
		defer cancel()
	}
	id := s.lastID.Add(1)
	result, err := s.roundTrip(ctx, id, appendCall(nil, id, c), c.Progress)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		s.giveUp(id, ctx)
		if cause := context.Cause(ctx); errors.Is(cause, ErrTimeout) {
			err = cause
		}
	}
	return result, err
}

// appendCall appends the request line. Nothing is decoded or checked: what the
// client sent goes to the server.
func appendCall(dst []byte, id int64, c Call) []byte {
	size := 128 + len(c.Tool) + len(c.Arguments)
	for _, member := range c.Meta {
		size += 8 + len(member.Name) + len(member.Value)
	}
	if cap(dst) < size {
		dst = make([]byte, 0, size)
	}
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, id, 10)
	dst = append(dst, `,"method":"tools/call","params":{"name":`...)
	dst = jsonrpc.AppendString(dst, c.Tool)
	if c.Arguments != nil {
		dst = append(dst, `,"arguments":`...)
		dst = appendLine(dst, c.Arguments)
	}
	opened := false
	next := func() {
		if opened {
			dst = append(dst, ',')
		} else {
			dst = append(dst, `,"_meta":{`...)
		}
		opened = true
	}
	if c.Progress != nil {
		next()
		dst = append(dst, `"progressToken":`...)
		dst = strconv.AppendInt(dst, id, 10)
	}
	for _, member := range c.Meta {
		if member.Name == "progressToken" {
			continue
		}
		next()
		dst = jsonrpc.AppendString(dst, member.Name)
		dst = append(dst, ':')
		dst = appendLine(dst, member.Value)
	}
	if opened {
		dst = append(dst, '}')
	}
	return append(dst, "}}\n"...)
}

// appendLine appends a value so that it fits into a line.
func appendLine(dst []byte, value json.RawMessage) []byte {
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return jsonrpc.AppendCompact(dst, value)
	}
	return append(dst, value...)
}

// request sends a request and waits for its result. params is a JSON value or nil.
func (s *Session) request(ctx context.Context, method string, params []byte) (json.RawMessage, error) {
	id := s.lastID.Add(1)
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"%s"`, id, method)
	if params != nil {
		data = append(data, `,"params":`...)
		data = append(data, params...)
	}
	return s.roundTrip(ctx, id, append(data, "}\n"...), nil)
}

// roundTrip sends a request line and waits for the answer, the end of ctx, or
// that of the session.
func (s *Session) roundTrip(ctx context.Context, id int64, data []byte, progress func(json.RawMessage)) (json.RawMessage, error) {
	p := &pending{answer: make(chan answer, 1), progress: progress}
	s.mu.Lock()
	if s.err != nil {
		defer s.mu.Unlock()
		return nil, s.err
	}
	s.calls[id] = p
	s.mu.Unlock()
	if err := s.out.send(ctx, id, data); err != nil && s.take(id) != nil {
		if ctx.Err() == nil {
			err = because(ErrStopped, "the server cannot be written to: %v", err)
		}
		return nil, err
	}
	select {
	case a := <-p.answer:
		return a.result, a.err
	case <-ctx.Done():
		if s.take(id) == nil {
			// The answer, or the session's end, was first.
			a := <-p.answer
			return a.result, a.err
		}
		return nil, ctx.Err()
	}
}

// take takes a request out of those that wait, and so the right to answer it.
func (s *Session) take(id int64) *pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.calls[id]
	delete(s.calls, id)
	return p
}

// giveUp tells the server that nobody waits for an answer any more, unless it
// hasn't even seen the request.
func (s *Session) giveUp(id int64, ctx context.Context) {
	if s.out.drop(id) {
		return
	}
	data := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":`, id)
	data = jsonrpc.AppendString(data, context.Cause(ctx).Error())
	s.out.post(append(data, "}}\n"...))
}
