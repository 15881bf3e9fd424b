package downstream

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A server of the modern era can answer a request by asking for input. The client then repeats the request with the
// input (2026-07-28, "Multi Round-Trip Requests").

const (
	// maxRounds is how often one request is sent.
	maxRounds = 16
	// maxState is the largest requestState of a server, in bytes.
	maxState = 1 << 20
	// minRoundPause and maxRoundPause are the pauses between rounds in which a server asks for nothing.
	minRoundPause = 100 * time.Millisecond
	maxRoundPause = 5 * time.Second
)

// converse sends a request to a server of the modern era, and repeats it with the client's input until the result is
// complete.
func (s *Session) converse(ctx context.Context, c *Call) ([]jsonrpc.Member, error) {
	method := c.method()
	given := withoutInput(c.Params)
	wait := minRoundPause
	relisted := false
	for round := 1; ; {
		result, err := s.conn.once(ctx, c)
		var refused *RPCError
		if errors.As(err, &refused) && refused.Code == jsonrpc.CodeHeaderMismatch && method == "tools/call" && !relisted {
			relisted = true // the schema may have changed, and with it the arguments that go into headers
			s.lists.again(ctx, Tools)
			continue
		}
		if err != nil || resultType(result) != inputRequired {
			if err == nil {
				err = s.conn.complete(method, result)
			}
			if err != nil && round > 1 {
				err = Ran(err)
			}
			if err != nil {
				return nil, err
			}
			return result, nil
		}
		switch method {
		case "tools/call", "prompts/get", "resources/read":
		default:
			return nil, s.conn.complete(method, result)
		}
		if c.TakesInput {
			return result, nil
		}
		if round++; round > maxRounds {
			return nil, words.NewError("downstream.rounds", "Times", maxRounds, "Method", method)
		}
		inputs, state := jsonrpc.ValueOf(result, "inputRequests"), jsonrpc.ValueOf(result, "requestState")
		c.Params = slices.Clip(given)
		if inputs != nil {
			responses, err := s.questions.gather(ctx, inputs)
			if err != nil {
				return nil, err
			}
			c.Params = append(c.Params, jsonrpc.Member{Name: "inputResponses", Value: responses})
			wait = minRoundPause
		}
		if state != nil {
			if len(state) > maxState {
				return nil, words.NewError("downstream.state_too_large", "Size", len(state), "Limit", inWords(maxState))
			}
			c.Params = append(c.Params, jsonrpc.Member{Name: "requestState", Value: slices.Clone(state)})
		}
		if inputs == nil {
			if state == nil {
				return nil, words.NewError("downstream.no_input_named")
			}
			if !pause.For(ctx, wait) {
				return nil, whyEnded(ctx)
			}
			wait = min(2*wait, maxRoundPause)
		}
	}
}

// Call calls a tool or sends another request, and returns the members of the result as sent, which belong to the
// caller. The error is an [*RPCError] if the server answered with one; or it wraps [ErrStopped], [ErrClosed], [ErrTooLarge],
// or [ErrTimeout] for callTimeout of the configuration; or it is the error of ctx, and the call is then cancelled on
// the server. If a server of the modern era asks for input, [Options.OnRequest] gives it, with a context derived from
// ctx.
func (s *Session) Call(ctx context.Context, c Call) ([]jsonrpc.Member, error) {
	limit := s.conn.o.callTimeout()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, timedOut(limit))
		defer cancel()
	}
	if s.conn.modern() {
		return s.converse(ctx, &c)
	}
	if c.TakesInput {
		c.Params = withoutInput(c.Params)
	}
	return s.conn.once(ctx, &c)
}
