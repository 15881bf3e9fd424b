package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxRequests is how many requests of one server may wait for answers.
const maxRequests = 32

// questions handles the server's requests to the client.
type questions struct {
	conn      *conn
	remarks   *remarks
	handshake *handshake

	asks bucket // rate limit of requests that need no work
	work bucket // rate limit of requests that need work by a model or a person

	mu    sync.Mutex
	asked map[string]context.CancelCauseFunc // functions that cancel them, by raw id; nil when the session has ended
}

// end cancels all requests. reason is their cause.
func (q *questions) end(reason error) {
	q.mu.Lock()
	asked := q.asked
	q.asked = nil
	q.mu.Unlock()
	for _, cancel := range asked {
		cancel(reason)
	}
}

// receive handles a request of the server. It runs on the read loop.
func (q *questions) receive(m jsonrpc.Message) {
	if len(m.ID) > maxForeignID {
		q.remarks.strayLine([]byte("request "+m.Method), errors.New("its id is too long"))
		return
	}
	switch {
	case q.conn.modern():
		q.remarks.strayLine([]byte("request "+m.Method),
			errors.New("servers of 2026-07-28 ask for nothing of their own accord"))
		return
	case m.Method == "ping":
		q.conn.post(m.Method, appendReply(m.ID, json.RawMessage("{}"), nil))
		return
	case q.handshake.running.Load():
		q.remarks.remark(words.New("downstream.asked_early", "Method", clean(m.Method, 100)))
		q.conn.post(m.Method, appendReply(m.ID, nil,
			&RPCError{Code: jsonrpc.CodeInvalidRequest,
				Message: "the session has not begun; wait for notifications/initialized"}))
		return
	case q.conn.o.OnRequest == nil:
		q.conn.post(m.Method, appendReply(m.ID, nil, unsupported(m.Method)))
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	if problem := q.admit(m.ID, cancel); !problem.IsZero() {
		cancel(nil)
		if q.conn.failure() == nil {
			q.remarks.remark(words.New("downstream.request_refused", "Method", clean(m.Method, 100), "Why", problem))
		}
		q.conn.post(m.Method, appendReply(m.ID, nil, &RPCError{Code: jsonrpc.CodeInternalError, Message: problem.String()}))
		return
	}
	q.conn.group.Go(func() {
		defer cancel(nil)
		result, err := q.ask(ctx, m.Method, m.Params)
		q.mu.Lock()
		delete(q.asked, string(m.ID))
		q.mu.Unlock()
		if ctx.Err() == nil { // otherwise nobody waits for the answer
			_ = q.conn.out.send(ctx, 0, appendReply(m.ID, result, err), nil) // fails only if the connection fails
		}
	})
}

// ask passes a request of the server to [Options.OnRequest] and returns the answer.
func (q *questions) ask(ctx context.Context, method string,
	params json.RawMessage) (result json.RawMessage, err error) {
	if err := q.mayAsk(method, params); err != nil {
		return nil, err
	}
	err = background.Catch(func() (err error) {
		result, err = q.conn.o.OnRequest(ctx, method, params)
		return err
	})
	return result, err
}

// unsupported returns the error for a method that the client does not support.
func unsupported(method string) *RPCError {
	return &RPCError{Code: jsonrpc.CodeMethodNotFound,
		Message: fmt.Sprintf("method '%s' is not supported by this client", clean(method, 100))}
}

// admit records a request, so that the server can cancel it. problem says why it is refused; it is zero otherwise.
func (q *questions) admit(id json.RawMessage, cancel context.CancelCauseFunc) (problem words.Text) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.asked == nil:
		return words.Of(q.conn.failure())
	case q.asked[string(id)] != nil:
		return words.New("downstream.id_in_use")
	case len(q.asked) >= maxRequests:
		return words.New("downstream.too_many_requests", "Number", maxRequests)
	}
	q.asked[string(id)] = cancel
	return words.Text{}
}

// withdrawn handles the cancellation of a request by the server.
func (q *questions) withdrawn(params json.RawMessage) {
	id := jsonrpc.Lookup(params, "requestId")
	q.mu.Lock()
	cancel := q.asked[string(id)]
	q.mu.Unlock()
	if cancel != nil {
		cancel(Cancelled(params))
	}
}

// mayAsk returns why a request must not be passed to the client now, or nil.
func (q *questions) mayAsk(method string, params []byte) error {
	pace, burst, rate := &q.asks, askBurst, askRate
	if method == "sampling/createMessage" || method == "elicitation/create" {
		pace, burst, rate = &q.work, workBurst, workRate
	}
	switch {
	case jsonrpc.Depth(params) > maxNested:
		q.remarks.remark(words.New("downstream.params_too_deep", "Method", clean(method, 100), "Limit", maxNested))
		return &RPCError{Code: jsonrpc.CodeInvalidParams,
			Message: fmt.Sprintf("params are nested deeper than %d levels", maxNested)}
	case !pace.take(time.Now(), burst, rate):
		q.remarks.remark(words.New("downstream.asks_too_often", "Method", clean(method, 100), "Burst", burst, "Rate", rate))
		return words.NewError("downstream.asked_too_often", "Method", clean(method, 100), "Burst", burst, "Rate", rate)
	}
	return nil
}
