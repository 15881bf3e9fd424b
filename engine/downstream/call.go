package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Call is a call of a tool, or another request.
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
	// TakesInput means that the caller handles results that ask for input ("input_required"), and that Params may
	// contain inputResponses and requestState. Only servers of the modern era send such results, see [Info.Modern].
	TakesInput bool
	// Sent, if not nil, is called when later requests need not wait for this one: when it was sent, or when it has to
	// wait for the person or for a server that does not read. It may be called several times.
	Sent func()
	// Progress is called with the params of each progress notification for this call, with our progress token. It runs
	// on the read loop, in order and before Call returns the result. It must not block. It may be called once more after
	// the call was cancelled. If it is nil, the server is not asked for progress.
	Progress func(params json.RawMessage)

	// Relisted is called before Call returns if the server has said, before its answer, that one of its lists has
	// changed. The changed lists were then read again and [Options.OnListChanged] was called, unless that took too
	// long. Relisted may block. If it is nil, Call does not wait for lists.
	Relisted func()

	// Capabilities are the client's capabilities, which servers of the modern era get with each request. If nil, those
	// of [Options] are used.
	Capabilities json.RawMessage

	own []byte // members of _meta that the modern era requires
}

// method returns the method of the request.
func (c *Call) method() string {
	if c.Method == "" {
		return "tools/call"
	}
	return c.Method
}

// LetNext calls c.Sent, so that later requests need not wait for this one.
func (c *Call) LetNext() {
	if c.Sent != nil {
		c.Sent()
	}
}

// callLine returns the line of a request. Its parts are neither parsed nor checked.
func callLine(id int64, c *Call) []byte {
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
			dst = appendMember(dst, jsonrpc.ProgressToken, nil)
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

// whyEnded returns why the context of a call has ended: a time limit of ours, or the error of ctx.
func whyEnded(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrTimeout) {
		return cause
	}
	return ctx.Err()
}

// cancelled is the error for a request that the other side has cancelled with a reason.
type cancelled string

func (c cancelled) Error() string { return string(c) }

// Is reports whether target is [context.Canceled].
func (c cancelled) Is(target error) bool { return target == context.Canceled }

// maxWhy limits the reason for a cancellation, in bytes.
const maxWhy = 4 << 10

// Cancelled returns the error for a request that was cancelled by notifications/cancelled with these params. It has
// the reason as its text and is a [context.Canceled].
func Cancelled(params json.RawMessage) error {
	reason, _ := jsonrpc.String(jsonrpc.Lookup(params, "reason"))
	if reason == "" {
		return context.Canceled
	}
	return cancelled(clean(reason, maxWhy))
}

// ours reports whether the session sets a member of _meta itself.
func ours(m jsonrpc.Member) bool {
	switch m.Name {
	case jsonrpc.ProgressToken, mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities,
		mcp.MetaKeyLogLevel, mcp.MetaKeySubscriptionID:
		return true
	}
	return false
}

// withLimit returns a context with a time limit; 0 means none.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
