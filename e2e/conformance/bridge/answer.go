package bridge

import (
	"encoding/json"
	"net/http"
)

// answer is the HTTP response to a request: a stream of messages that ends with the response, or the response alone.
type answer struct {
	w       http.ResponseWriter
	modern  bool
	streams bool // the status has been sent
}

// newAnswer prepares an answer. It is a stream, except that since 2026-07-28 an error that comes first decides the
// HTTP status.
func newAnswer(w http.ResponseWriter, modern bool) *answer {
	return &answer{w: w, modern: modern}
}

// begin begins a stream.
func (a *answer) begin() {
	if a.streams {
		return
	}
	a.streams = true
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("Cache-Control", "no-cache")
	a.w.WriteHeader(http.StatusOK)
	if !a.modern {
		_, _ = a.w.Write([]byte("retry: 1000\n\n"))
	}
	_ = http.NewResponseController(a.w).Flush() // the client has gone, as in stream
}

// stream sends a message, of one line.
func (a *answer) stream(message []byte) {
	a.begin()
	_, _ = a.w.Write(append(append([]byte("event: message\ndata: "), message...), "\n\n"...))
	_ = http.NewResponseController(a.w).Flush()
}

// finish sends the response. failure is its error, if it is one.
func (a *answer) finish(response []byte, failure json.RawMessage) {
	if a.streams || !a.modern || failure == nil {
		a.stream(response)
		return
	}
	reply(a.w, status(failure), response)
}

// status is the HTTP status that goes with an error (MCP specification of 2026-07-28, "Streamable HTTP").
func status(failure json.RawMessage) int {
	var e struct{ Code int }
	if failure == nil || json.Unmarshal(failure, &e) != nil {
		return http.StatusOK
	}
	switch e.Code {
	case -32601: // method not found
		return http.StatusNotFound
	case -32602, headerMismatch, -32021, -32022: // invalid params, missing client capability, unsupported version
		return http.StatusBadRequest
	}
	return http.StatusOK
}
