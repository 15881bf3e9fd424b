package workbench

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// request is one message from the client that wants an answer.
type request struct {
	id     json.RawMessage
	method string
	params json.RawMessage
	reply  func(parts ...[]byte)
	fits   func(size int) bool // whether the client takes a message of a size; nil if it is not asked
	large  func(size int) string
	batch  bool   // the answer waits for the other answers of the batch
	done   func() // called once when the request has been dealt with, answered or not
	cancel func(why error)

	withdrawn atomic.Bool // by the client
}

// result answers the request with raw JSON. One that the client would not take becomes an error.
func (r *request) result(raw []byte) {
	if !r.takes(raw) {
		r.fail(jsonrpc.CodeInternalError, r.large(len(raw)), nil)
		return
	}
	r.answer(`,"result":`, raw)
}

// takes reports whether the client takes an answer with a value in it.
func (r *request) takes(value []byte) bool {
	return r.fits == nil || r.fits(len(value)+len(r.id)+maxEnvelope)
}

// maxEnvelope is at least what an answer has besides its id and its value, in bytes.
const maxEnvelope = 64

// answer answers the request with one member. The name is written as it is, without escaping.
func (r *request) answer(name string, value []byte) {
	r.reply([]byte(`{"jsonrpc":"2.0","id":`), r.id, []byte(name), value, []byte{'}'})
}

// fail answers the request with a JSON-RPC error. data may be nil.
func (r *request) fail(code int, message string, data any) {
	details := struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}{code, message, data}
	raw, err := json.Marshal(details)
	if err != nil || !r.takes(raw) {
		details.Data, details.Message = nil, downstream.Clean(message, maxMessage)
		raw, _ = json.Marshal(details) // a number and a string cannot fail
	}
	r.answer(`,"error":`, raw)
}

// maxFailure is about how large the error is that says that an answer is too large, in bytes.
const maxFailure = 400

// maxMessage is how much of a message is left when an error is too large for the client, in bytes.
const maxMessage = 16 << 10

// failRaw answers the request with an error as a server sent it.
func (r *request) failRaw(e *downstream.RPCError) {
	var data any
	if e.Data != nil {
		data = e.Data
	}
	r.fail(int(e.Code), e.Message, data)
}

// weight is about how much memory a request takes until it is answered, in bytes.
func (r *request) weight() int { return len(r.params) + 1<<10 }

// isID reports whether a value can be an id or a progress token: a string or a number.
func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// invalidParams is the JSON-RPC error for params that don't fit.
func invalidParams(format string, args ...any) error {
	return &downstream.RPCError{Code: jsonrpc.CodeInvalidParams,
		Message: "Invalid params: " + fmt.Sprintf(format, args...)}
}
