package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// requests has the client's requests that are not answered yet.
type requests struct {
	log *slog.Logger

	gate sync.Mutex // held while handleLine handles a message
	over bool       // no further message is handled; guarded by gate

	mu         sync.Mutex
	inflight   map[string]*request // by raw id
	unanswered int                 // total weight of the requests, in bytes

	calls  background.Group // requests that are still answered when stdin is closed
	linger background.Group // requests that end only with the connection
}

// cancel ends a request that the client has cancelled.
func (q *requests) cancel(id json.RawMessage, why error) {
	q.mu.Lock()
	r := q.inflight[string(id)]
	q.mu.Unlock()
	if r != nil {
		r.withdrawn.Store(true)
		r.cancel(why)
	}
}

// end refuses new requests and waits until all have ended.
func (q *requests) end() {
	q.gate.Lock()
	q.over = true
	q.gate.Unlock()
	q.calls.Wait()
	q.linger.Wait()
}

// spawn handles a request in a goroutine, so that the client can cancel it.
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

// track makes a request one that the client can cancel. If two requests have the same id, which no client should send,
// the later one is cancelled.
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

// maxUnanswered is the largest total weight of unanswered requests, in bytes. It allows 60,000 small calls, or one
// message of the largest size.
const maxUnanswered = 64 << 20

// refuseTooMany refuses a request if too many are unanswered, and reports whether it has. If the client does not read
// its answers, writing the refusal blocks, and no further message is read.
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

// handle calls a handler. If it panics, only this request fails.
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
