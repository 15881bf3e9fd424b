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

// ours reports whether a member of _meta belongs to one connection, so that the session sets it itself.
func ours(m jsonrpc.Member) bool {
	switch m.Name {
	case ProgressToken, mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities,
		mcp.MetaKeyLogLevel, mcp.MetaKeySubscriptionID:
		return true
	}
	return false
}

// withLimit adds a time limit, unless it is 0.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
