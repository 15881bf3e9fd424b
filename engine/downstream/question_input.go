package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// gather asks the client for all inputs in parallel, and returns inputResponses.
func (q *questions) gather(ctx context.Context, inputs json.RawMessage) (json.RawMessage, error) {
	requests, err := jsonrpc.Members(inputs)
	switch {
	case err != nil:
		return nil, words.NewError("downstream.input_unreadable", "Why", err)
	case len(requests) == 0:
		return nil, words.NewError("downstream.no_input_named")
	case len(requests) > maxInputs:
		return nil, words.NewError("downstream.too_many_inputs", "Number", len(requests), "Limit", maxInputs)
	}
	for _, request := range requests {
		switch method, _ := jsonrpc.String(jsonrpc.Lookup(request.Value, "method")); method {
		case "elicitation/create", "sampling/createMessage", "roots/list":
		default:
			return nil, words.NewError("downstream.unknown_input", "Method", clean(method, 100))
		}
	}
	if q.conn.o.OnRequest == nil {
		return nil, words.NewError("downstream.no_input_here")
	}
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	background.Go(func() { // the inputs are cancelled when the session ends
		select {
		case <-q.conn.done:
			cancel(q.conn.failure())
		case <-ctx.Done():
		}
	})
	responses := make([]jsonrpc.Member, len(requests))
	var wg background.Group
	for i, request := range requests {
		wg.Go(func() {
			method, _ := jsonrpc.String(jsonrpc.Lookup(request.Value, "method"))
			responses[i].Name = request.Name
			var err error
			responses[i].Value, err = q.ask(ctx, method, slices.Clone(jsonrpc.Lookup(request.Value, "params")))
			if err != nil {
				cancel(inputError(method, err))
			}
		})
	}
	wg.Wait()
	switch {
	case outer.Err() != nil:
		return nil, whyEnded(outer)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return appendLine(nil, jsonrpc.AppendObject(nil, responses)), nil
}

// inputError returns the error for an input that the client did not give.
func inputError(method string, err error) error {
	var refused *RPCError
	if errors.As(err, &refused) {
		return &RPCError{Code: refused.Code, Message: fmt.Sprintf("the server asked for '%s': %s", method, refused.Message),
			Data: refused.Data}
	}
	return words.NewError("downstream.input_failed", "Method", method, "Why", err)
}

// withoutInput returns params without inputResponses and requestState.
func withoutInput(params []jsonrpc.Member) []jsonrpc.Member {
	return slices.DeleteFunc(slices.Clone(params), func(m jsonrpc.Member) bool {
		return m.Name == "inputResponses" || m.Name == "requestState"
	})
}

// maxInputs is how many inputs a result may ask for.
const maxInputs = 32
