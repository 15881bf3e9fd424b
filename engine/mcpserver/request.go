package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// request is a request of the client.
type request struct {
	id     json.RawMessage
	method string
	params json.RawMessage
	reply  func(parts ...[]byte)
	fits   func(size int) bool   // whether the client accepts a message of a size in bytes; nil means any
	large  func(size int) string // returns the error message for an answer that is too large
	batch  bool                  // the request is part of a batch
	done   func()                // called once when the request has been handled, answered or not
	cancel func(why error)

	withdrawn atomic.Bool // by the client
}

// result answers the request with raw JSON, given in parts. If that is too large for the client, the answer is an
// error.
func (r *request) result(parts ...[]byte) {
	if size := lengthOf(parts); !r.takes(size) {
		r.fail(jsonrpc.CodeInternalError, r.large(size), nil)
		return
	}
	r.answer(`,"result":`, parts...)
}

// takes reports whether the client accepts an answer with a value of a size in bytes.
func (r *request) takes(size int) bool { return r.fits == nil || r.fits(size+len(r.id)+maxEnvelope) }

// lengthOf returns the length of a message in bytes.
func lengthOf(parts [][]byte) (size int) {
	for _, part := range parts {
		size += len(part)
	}
	return size
}

// maxEnvelope is the largest size of an answer without its id and value, in bytes.
const maxEnvelope = 64

// answer answers the request with one member, whose value is given in parts. name is written as it is.
func (r *request) answer(name string, value ...[]byte) {
	r.reply(slices.Concat([][]byte{[]byte(`{"jsonrpc":"2.0","id":`), r.id, []byte(name)}, value, [][]byte{{'}'}})...)
}

// fail answers the request with a JSON-RPC error. data may be nil.
func (r *request) fail(code int, message string, data any) {
	details := struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}{code, message, data}
	raw, err := json.Marshal(details)
	if err != nil || !r.takes(len(raw)) {
		details.Data, details.Message = nil, downstream.Clean(message, maxMessage)
		raw, _ = json.Marshal(details) // a number and a string cannot fail
	}
	r.answer(`,"error":`, raw)
}

// maxFailure is about the size of the error for an answer that is too large, in bytes.
const maxFailure = 400

// maxMessage limits the message of an error that is too large for the client, in bytes.
const maxMessage = 16 << 10

// failRaw answers the request with an error of a server.
func (r *request) failRaw(e *downstream.RPCError) {
	var data any
	if e.Data != nil {
		data = e.Data
	}
	r.fail(int(e.Code), e.Message, data)
}

// weight returns about how much memory a request needs until it is answered, in bytes.
func (r *request) weight() int { return len(r.params) + 1<<10 }

// isID reports whether a value can be an id or a progress token, which are strings or numbers.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// invalidParams returns the JSON-RPC error for invalid params.
func invalidParams(format string, args ...any) error {
	return &downstream.RPCError{Code: jsonrpc.CodeInvalidParams,
		Message: "Invalid params: " + fmt.Sprintf(format, args...)}
}
