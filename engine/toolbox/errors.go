package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Error is a failure for the model or the person. Its sentence is part of the contract (contract.md, section 5).
type Error struct {
	Code     contract.Code
	Sentence string // in English, for models
	Details  contract.Details
	Hints    []words.Text // further sentences that may help, each a content item of its own
	Cause    error        // nil if the sentence says everything

	said words.Text // Sentence in the language of the person
}

func newError(code contract.Code, details contract.Details, cause error, said words.Text) *Error {
	e := &Error{Code: code, Details: details, Cause: cause}
	e.say(said)
	return e
}

func (e *Error) say(said words.Text) { e.Sentence, e.said = said.String(), said }

// Error returns the sentence of the contract.
func (e *Error) Error() string { return e.Sentence }

// Text returns the sentence in the language of the person.
func (e *Error) Text() words.Text {
	if e.said.IsZero() {
		return words.Foreign(e.Sentence)
	}
	return e.said
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Envelope returns the error in the form of contract.md, section 6.
func (e *Error) Envelope() contract.Envelope {
	return contract.NewEnvelope(e.Code, e.Sentence, e.Details)
}

// asRPC returns the JSON-RPC error in err, or nil if there is none.
func asRPC(err error) *downstream.RPCError {
	var rpc *downstream.RPCError
	errors.As(err, &rpc)
	return rpc
}

// isContext reports whether err is the error of a context that has ended.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// codeOf returns the code for the error of a call.
func codeOf(err error) contract.Code {
	if rpc := asRPC(err); rpc != nil {
		if rpc.Code == jsonrpc.CodeInvalidParams || rpc.Code == jsonrpc.CodeInvalidRequest {
			return contract.InvalidInput
		}
		return contract.InternalError
	}
	if errors.Is(err, downstream.ErrSignIn) {
		return contract.AuthRequired
	}
	return contract.Unavailable
}

// mayRepeat reports whether a failed request can be sent again in a new session, because it did not run.
func mayRepeat(ctx context.Context, err error) bool {
	return errors.Is(err, downstream.ErrNotRun) && ctx.Err() == nil
}

func toolboxNotFound(name string, available []string) *Error {
	e := newError(contract.InvalidInput, contract.Details{Toolbox: name}, nil,
		words.New("toolbox.toolbox_not_found", "Toolbox", name))
	e.hintAvailable("toolbox.available_toolboxes", available)
	return e
}

func toolboxNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Toolboxes))
	for i, toolbox := range cfg.Toolboxes {
		names[i] = toolbox.Name
	}
	return names
}

func serverNotFound(id ToolID, available []string) *Error {
	e := newError(contract.InvalidInput, id.details(), nil,
		words.New("toolbox.server_not_found", "Server", id.Server, "Toolbox", id.Toolbox))
	e.hintAvailable("toolbox.available_servers", available)
	return e
}

func serverNames(toolbox *config.Toolbox) []string {
	var names []string
	for _, server := range toolbox.Enabled() {
		names = append(names, server.Name)
	}
	return names
}

// unusable returns the error for a server that is disabled or not configured.
func unusable(toolbox *config.Toolbox, id ToolID, disabled bool) *Error {
	err := serverNotFound(id, serverNames(toolbox))
	if disabled {
		err.Hints = append(err.Hints, words.New("toolbox.server_disabled", "Server", id.Server))
	}
	return err
}

func toolNotFound(id ToolID, available []string) *Error {
	e := newError(contract.InvalidInput, id.details(), nil,
		words.New("toolbox.tool_not_found", "Tool", id.Tool, "Server", id.Server, "Toolbox", id.Toolbox))
	e.hintAvailable("toolbox.available_tools", available)
	return e
}

func connectFailed(toolbox, server string, cause error) *Error {
	code := contract.Unavailable
	if errors.Is(cause, downstream.ErrSignIn) {
		code = contract.AuthRequired
	}
	return newError(code, contract.Details{Toolbox: toolbox, Server: server}, cause,
		words.New("toolbox.connect_failed", "Server", server, "Toolbox", toolbox, "Why", cause))
}

func callFailed(id ToolID, code contract.Code, cause error) *Error {
	return newError(code, id.details(), cause,
		words.New("toolbox.call_failed", "Tool", id.Tool, "Server", id.Server, "Toolbox", id.Toolbox, "Why", cause))
}

// allFailed returns the error for a toolbox whose servers all failed: the error of the first server, with those of the
// others as hints.
func allFailed(failures []*Error) *Error {
	first := *failures[0]
	first.Hints = slices.Clip(first.Hints)
	for _, other := range failures[1:] {
		first.Hints = append(first.Hints, other.Text())
	}
	if len(failures) > 1 {
		first.Details = contract.Details{Toolbox: first.Details.Toolbox}
	}
	return &first
}

// maxErrorData limits the data of a server's error that is shown, in bytes.
const maxErrorData = 8 << 10

// hintData adds the data of a server's JSON-RPC error to the hints. It often says more than the message, such as which
// fields are wrong.
func (e *Error) hintData(data json.RawMessage) {
	if len(data) == 0 || string(data) == "null" {
		return
	}
	compact := string(jsonrpc.AppendCompact(nil, data))
	shown := words.Foreign(downstream.Clean(compact, maxErrorData))
	e.Hints = append(e.Hints, words.New("toolbox.error_data", "Data", shown))
}

// hintAvailable adds the available names to the hints, so that a model can correct a misspelled one. sentence has the
// arguments Names and More. Names that are long or not plain text are only counted, since they come from servers.
func (e *Error) hintAvailable(sentence words.Code, names []string) {
	const most = 50
	shown := make([]string, 0, most)
	for _, name := range names {
		if len(shown) < most && downstream.Clean(name, maxName) == name {
			shown = append(shown, name)
		}
	}
	if len(names) == 0 {
		none := map[words.Code]words.Code{
			"toolbox.available_toolboxes": "toolbox.no_toolboxes",
			"toolbox.available_servers":   "toolbox.no_servers",
			"toolbox.available_tools":     "toolbox.no_tools",
		}
		e.Hints = append(e.Hints, none[sentence].Text())
		return
	}
	if len(shown) == 0 {
		return
	}
	e.Hints = append(e.Hints, words.New(sentence, "Names", shown, "More", len(names)-len(shown)))
}
