package toolbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Error is a failure that the model or the person reads. Its text is part of the contract
// (contract.md, section 5).
type Error struct {
	Code    contract.Code
	Text    string
	Details contract.Details
	Hints   []string // further sentences that may help, each shown as a text of its own
	Cause   error    // what lies below, nil where the text says it all
}

// Error returns the sentence of the contract.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Envelope returns the error in the form of contract.md, section 6.
func (e *Error) Envelope() contract.Envelope {
	return contract.NewEnvelope(e.Code, e.Text, e.Details)
}

// asRPC returns the JSON-RPC error with which a server answered, nil when it is none.
func asRPC(err error) *downstream.RPCError {
	var rpc *downstream.RPCError
	errors.As(err, &rpc)
	return rpc
}

// isContext reports whether an error is that of a context that has ended.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func toolboxNotFound(name string, available []string) *Error {
	e := &Error{
		Code:    contract.InvalidInput,
		Text:    fmt.Sprintf("Toolbox '%s' not found in configuration", name),
		Details: contract.Details{Toolbox: name},
	}
	e.hintAvailable("toolboxes", available)
	return e
}

func serverNotFound(id ToolID, available []string) *Error {
	e := &Error{
		Code:    contract.InvalidInput,
		Text:    fmt.Sprintf("Server '%s' not found in toolbox '%s'", id.Server, id.Toolbox),
		Details: contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool},
	}
	e.hintAvailable("servers", available)
	return e
}

func toolNotFound(id ToolID, available []string) *Error {
	e := &Error{
		Code:    contract.InvalidInput,
		Text:    fmt.Sprintf("Tool '%s' not found in server '%s' (toolbox '%s')", id.Tool, id.Server, id.Toolbox),
		Details: contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool},
	}
	e.hintAvailable("tools", available)
	return e
}

func connectFailed(toolbox, server string, cause error) *Error {
	code := contract.Unavailable
	if errors.Is(cause, downstream.ErrSignIn) {
		code = contract.AuthRequired
	}
	return &Error{
		Code:    code,
		Text:    fmt.Sprintf("Failed to connect to server '%s' in toolbox '%s': %s", server, toolbox, cause),
		Details: contract.Details{Toolbox: toolbox, Server: server},
		Cause:   cause,
	}
}

func callFailed(id ToolID, code contract.Code, cause error) *Error {
	return &Error{
		Code:    code,
		Text:    fmt.Sprintf("Error executing tool '%s' in server '%s' (toolbox '%s'): %s", id.Tool, id.Server, id.Toolbox, cause),
		Details: contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool},
		Cause:   cause,
	}
}

// hintAvailable adds what could be meant instead. A model that mistyped finds its way back with it.
func (e *Error) hintAvailable(what string, names []string) {
	const most = 50
	if len(names) == 0 {
		e.Hints = append(e.Hints, fmt.Sprintf("There are no %s.", what))
		return
	}
	text := fmt.Sprintf("Available %s: ", what)
	for i, name := range names {
		if i == most {
			text += fmt.Sprintf(" and %d more", len(names)-most)
			break
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	e.Hints = append(e.Hints, text)
}
