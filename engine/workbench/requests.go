package workbench

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// requests are the client's requests that are not answered yet.
type requests struct {
	log *slog.Logger

	gate sync.Mutex // held while a message is taken up
	over bool       // no message is taken up any more

	mu         sync.Mutex
	inflight   map[string]*request // by raw id
	unanswered int                 // bytes of requests that wait for their answers, see [request.weight]

	calls  background.Group // requests whose answers a closed stdin waits for
	linger background.Group // requests that only end with the connection
}

// cancel ends a request that the client has withdrawn.
func (q *requests) cancel(id json.RawMessage, why error) {
	q.mu.Lock()
	r := q.inflight[string(id)]
	q.mu.Unlock()
	if r != nil {
		r.withdrawn.Store(true)
		r.cancel(why)
	}
}

// end waits until no request is under way and none can begin.
func (q *requests) end() {
	q.gate.Lock()
	q.over = true
	q.gate.Unlock()
	q.calls.Wait()
	q.linger.Wait()
}

// spawn handles a request in a goroutine, where it can be cancelled by its id.
func (q *requests) spawn(ctx context.Context, r *request, group *background.Group,
	handler func(context.Context, *request)) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.cancel = cancel
	q.track(r)
	group.Go(func() {
		defer cancel(nil)
		defer q.untrack(r)
		q.handle(ctx, r, handler)
	})
}

// track lets the client cancel a request. When two requests have the same id, which no client should send, the later
// one is cancelled.
func (q *requests) track(r *request) {
	q.mu.Lock()
	q.inflight[string(r.id)] = r
	q.unanswered += r.weight()
	q.mu.Unlock()
}

func (q *requests) untrack(r *request) {
	q.mu.Lock()
	q.unanswered -= r.weight()
	if q.inflight[string(r.id)] == r {
		delete(q.inflight, string(r.id))
	}
	q.mu.Unlock()
}

// maxUnanswered is how many bytes of requests may be unanswered before more are refused, see [request.weight]. That is
// 60,000 small calls, or one message of the largest size.
const maxUnanswered = 64 << 20

// refuseTooMany refuses a request when too many are unanswered, and reports whether it did. A client that reads its
// answers gets an error. For a client that does not read, writing the refusal blocks, and so does reading its further
// messages.
func (q *requests) refuseTooMany(r *request) bool {
	q.mu.Lock()
	refused := q.unanswered > 0 && q.unanswered+r.weight() > maxUnanswered
	q.mu.Unlock()
	if refused {
		defer r.done()
		r.fail(jsonrpc.CodeInternalError, "Too many requests are unanswered; read their answers before you send more", nil)
	}
	return refused
}

// handle contains a panic: one request fails, the engine goes on.
func (q *requests) handle(ctx context.Context, r *request, handler func(context.Context, *request)) {
	defer r.done()
	defer func() {
		if p := recover(); p != nil {
			q.log.Error("A request handler panicked; this is a bug in Workbench", "method", r.method, "panic", p, "stack",
				string(debug.Stack()))
			r.fail(jsonrpc.CodeInternalError, "Internal error while handling "+r.method, nil)
		}
	}()
	handler(ctx, r)
}
