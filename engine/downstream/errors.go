package downstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Errors that callers may want to tell apart.
var (
	// ErrTimeout means that the server didn't answer in time.
	ErrTimeout = errors.New("timed out")
	// ErrStopped means that the server ended, or we gave up on it.
	ErrStopped = errors.New("the server stopped")
	// ErrClosed means that [Session.Close] was called.
	ErrClosed = errors.New("the connection was closed")
	// ErrSignIn means that a remote server wants to know who is calling, or does not let him in.
	ErrSignIn = errors.New("a sign-in is needed")
	// ErrUnreachable means that a remote server cannot be reached.
	ErrUnreachable = errors.New("the server cannot be reached")
	// ErrTooLarge means that an answer was larger than [Options.MaxMessage].
	ErrTooLarge = errors.New("the answer is too large")
)

// RPCError is a JSON-RPC error that the server answered with.
type RPCError struct {
	Code    int64
	Message string
	// Data is as sent, nil when absent.
	Data json.RawMessage
}

// Error returns the server's own words, and the code.
func (e *RPCError) Error() string {
	message := clean(e.Message, maxLogLine)
	if message == "" {
		message = "the server answered with an error without a message"
	}
	return fmt.Sprintf("%s (code %d)", message, e.Code)
}

// ParseError reads the error member of a response.
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
	for _, member := range members {
		switch member.Name {
		case "code":
			if code, err := strconv.ParseFloat(string(member.Value), 64); err == nil {
				e.Code = int64(code)
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
	return e
}

// reasonError has a text of its own and a reason for errors.Is.
type reasonError struct {
	text   string
	reason error
}

func (e *reasonError) Error() string { return e.text }
func (e *reasonError) Unwrap() error { return e.reason }

func because(reason error, format string, args ...any) error {
	return &reasonError{fmt.Sprintf(format, args...), reason}
}

// timedOut says that something took longer than the limit.
func timedOut(limit time.Duration) error {
	return because(ErrTimeout, "timed out after %v", limit)
}

// tooLarge says that an answer was over the limit, both in bytes.
func tooLarge(size int64, limit int) error {
	return because(ErrTooLarge, "the answer is larger than %s (%d bytes), the limit for one message", inWords(limit), size)
}

// inWords writes a size as people do.
func inWords(bytes int) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	default:
		return fmt.Sprintf("%d bytes", bytes)
	}
}
