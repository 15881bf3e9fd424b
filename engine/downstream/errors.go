package downstream

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Errors that callers may want to distinguish.
const (
	// ErrTimeout means that the server didn't answer in time.
	ErrTimeout = words.Code("downstream.late")
	// ErrStopped means that the server has exited, or that the connection to it was lost.
	ErrStopped = words.Code("downstream.has_stopped")
	// ErrClosed means that [Session.Close] was called.
	ErrClosed = words.Code("downstream.was_closed")
	// ErrSignIn means that a remote server requires a sign-in, or refuses the one it got.
	ErrSignIn = words.Code("downstream.sign_in_needed")
	// ErrUnreachable means that a remote server cannot be reached.
	ErrUnreachable = words.Code("downstream.not_reached")
	// ErrNotRun means that a request was refused before it ran, since the session has ended. It can be made
	// again in another session.
	ErrNotRun = words.Code("downstream.not_run")
	// ErrUnknown means that a request was sent and that nobody will ever know whether it ran.
	ErrUnknown = words.Code("downstream.outcome_unknown")
	// ErrTooLarge means that an answer exceeded [Options.MaxMessage].
	ErrTooLarge = words.Code("downstream.too_large")
)

// RPCError is a JSON-RPC error from the server.
type RPCError struct {
	Code    int64
	Message string
	// Data is as sent; nil if absent.
	Data json.RawMessage
}

// Error returns the server's message and the code.
func (e *RPCError) Error() string {
	return e.Text().String()
}

// Text returns the server's message and the code.
func (e *RPCError) Text() words.Text {
	message := words.Foreign(clean(e.Message, maxLogLine))
	if message.IsZero() {
		message = words.New("downstream.error_without_words")
	}
	if e.Code == 0 {
		return message // the server said none
	}
	return words.New("downstream.rpc_error", "Message", message, "Code", e.Code)
}

// ParseError parses the member error of a response.
func ParseError(raw json.RawMessage) *RPCError {
	members, err := jsonrpc.Members(raw)
	if err != nil {
		text, ok := jsonrpc.String(raw)
		if !ok {
			text = string(raw)
		}
		return &RPCError{Message: text}
	}
	e := &RPCError{}
	named := "" // a code that is no number
	for _, member := range members {
		switch member.Name {
		case "code":
			if code, err := strconv.ParseFloat(string(member.Value), 64); err == nil {
				e.Code = int64(code)
			} else {
				named, _ = jsonrpc.String(member.Value)
			}
		case "message":
			var ok bool
			if e.Message, ok = jsonrpc.String(member.Value); !ok {
				e.Message = string(member.Value)
			}
		case "data":
			e.Data = member.Value
		}
	}
	if named != "" {
		e.Message = named + ": " + e.Message
	}
	return e
}

// timedOut returns the error for an exceeded time limit.
func timedOut(limit time.Duration) error {
	return words.NewError("downstream.timed_out", "Limit", limit).Because(ErrTimeout)
}

// tooLarge returns the error for an answer that exceeds a limit. Both are in bytes.
func tooLarge(size int64, limit int) error {
	return words.NewError("downstream.answer_too_large", "Limit", inWords(limit), "Size", size).Because(ErrTooLarge)
}

// SaysWhatToCheck reports whether an error text of this package says what to do about a server that cannot be reached.
func SaysWhatToCheck(text words.Text) bool {
	why, _ := text.Args["Why"].(words.Text)
	switch why.Code {
	case "network.no_such_host", "network.nothing_answers", "network.no_way_there", "downstream.local_network":
		return true
	}
	return false
}

// inWords returns a size in bytes, KiB or MiB.
func inWords(bytes int) words.Text {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return words.New("downstream.mebibytes", "Size", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return words.New("downstream.kibibytes", "Size", bytes>>10)
	default:
		return words.New("downstream.bytes", "Count", bytes)
	}
}

// errNotMCP means that the answer to initialize is not valid.
const errNotMCP = words.Code("downstream.not_mcp")

// initializeRefused means that a web server does not accept initialize.
type initializeRefused struct{ error }

// lostError is why a connection to a server that is no process of ours was lost.
type lostError struct {
	reason   error
	answered bool // all requests that were sent were answered before, so those that wait have not run
}

func (e *lostError) Error() string    { return e.reason.Error() }
func (e *lostError) Text() words.Text { return words.Of(e.reason) }
func (e *lostError) Unwrap() []error  { return []error{e.reason, ErrStopped} }

// Lost returns an exit error of a [Peer] that says all about the end of the session. It wraps [ErrStopped].
func Lost(reason error) error { return &lostError{reason: reason} }
