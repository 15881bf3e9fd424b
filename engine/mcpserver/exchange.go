package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A client of 2026-07-28 accepts no requests. It gets a server's questions in the result of its own request, with the
// resultType "input_required". The client then repeats the request with its answers and the requestState. Meanwhile
// the server's call continues. An exchange is one such call with all its rounds.

const (
	errClientGone  = words.Code("workbench.client_gone")
	errNobodyWaits = words.Code("workbench.nobody_waits")
)

var errUnknownState = errors.New(
	"Invalid params: requestState is not one that is waited for; make the request again without it")

// Limits on exchanges. Beyond maxExchanges, the oldest one is ended.
const (
	maxExchanges = 100 // suspended exchanges
	maxQuestions = 32  // open questions of one exchange
)

// exchange is a request of the client with all its rounds.
type exchange struct {
	key          string // identifies the request; a repeated one must have the same key
	capabilities json.RawMessage
	server       toolbox.ServerID // zero while it is not known
	done         chan struct{}    // closed when result and err are set
	result       []jsonrpc.Member
	err          error
	cancel       context.CancelCauseFunc

	mu      sync.Mutex
	lastKey int
	open    map[string]*pendingQuestion // questions without an answer
	news    chan struct{}               // gets a value when there is a new question
	expiry  *time.Timer                 // ends the exchange if the client does not repeat the request

	since time.Time                       // when it was suspended; guarded by exchanges.mu
	token atomic.Pointer[json.RawMessage] // the progress token of the current round, nil for none
}

// exchanges has the exchanges of a session.
type exchanges struct {
	manager  *toolbox.Manager
	peer     *peer
	conn     *conn
	calls    *background.Group // of [requests]
	lifetime context.Context   // of [Server.Run]

	mu        sync.Mutex
	running   []*exchange          // the newest last
	suspended map[string]*exchange // those that wait for the client, by requestState
}

// pendingQuestion is a question that waits for the client's answer.
type pendingQuestion struct {
	question
	answer chan json.RawMessage
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a call with this context, or nil.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// setServer sets the server of an exchange that began before its server was known. x may be nil.
func (xs *exchanges) setServer(x *exchange, server toolbox.ServerID) {
	if x == nil {
		return
	}
	xs.mu.Lock()
	x.server = server
	xs.mu.Unlock()
}

// converse answers a request of the client with the result of run, or with the questions that its server has asked
// before that. key identifies the request; a repeated one must have the same key.
func (xs *exchanges) converse(ctx context.Context, r *request, e era, key string, server toolbox.ServerID,
	run func(context.Context) ([]jsonrpc.Member, error)) ([]jsonrpc.Member, error) {
	if !e.modern || !xs.continues(r.params) && xs.manager.Modern(server) {
		return run(ctx) // the server itself asks with input_required, see takeInput
	}
	key = r.method + " " + key
	x, err := xs.resume(r.params, key)
	if err != nil {
		return nil, err
	}
	var token *json.RawMessage
	if raw := jsonrpc.ValueOf(e.meta, jsonrpc.ProgressToken); isID(raw) {
		token = &raw
	}
	if x == nil {
		x = xs.begin(ctx, key, e, server, token, run)
	}
	x.token.Store(token)
	for {
		if len(x.questions()) > 0 {
			return xs.suspend(x)
		}
		select {
		case <-x.done:
			return x.result, x.err
		case <-x.news:
		case <-ctx.Done(): // cancelled by the client
			x.cancel(context.Cause(ctx))
			return nil, ctx.Err()
		}
	}
}

// continues reports whether a request repeats the request of a suspended exchange.
func (xs *exchanges) continues(params json.RawMessage) bool {
	state, ok := jsonrpc.String(jsonrpc.Lookup(params, "requestState"))
	xs.mu.Lock()
	defer xs.mu.Unlock()
	return ok && xs.suspended[state] != nil
}

// takeInput lets a server of 2026-07-28 ask for input in its results, if the client uses that version, too. It passes
// the client's answers to such a question on.
func (xs *exchanges) takeInput(out *downstream.Call, r *request) {
	out.TakesInput = true
	if xs.continues(r.params) {
		return
	}
	for _, m := range jsonrpc.Split(r.params) {
		if m.Name == "inputResponses" || m.Name == "requestState" {
			out.Params = append(out.Params, m)
		}
	}
}

// begin starts the call of an exchange. The call continues after the first answer, at most until the session ends.
func (xs *exchanges) begin(ctx context.Context, key string, e era, server toolbox.ServerID, token *json.RawMessage,
	run func(context.Context) ([]jsonrpc.Member, error)) *exchange {
	x := &exchange{key: key, capabilities: e.capabilities, server: server, done: make(chan struct{}),
		open: map[string]*pendingQuestion{}, news: make(chan struct{}, 1)}
	x.token.Store(token)
	ctx, x.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	stop := background.AfterEnd(xs.lifetime, func() { x.cancel(nil) })
	xs.mu.Lock()
	xs.running = append(xs.running, x)
	xs.mu.Unlock()
	xs.calls.Go(func() {
		defer close(x.done)
		defer stop()
		defer x.cancel(nil)
		defer func() {
			xs.mu.Lock()
			xs.running = slices.DeleteFunc(xs.running, func(other *exchange) bool { return other == x })
			xs.mu.Unlock()
		}()
		x.err = errors.New("internal error") // in case it panics
		x.result, x.err = run(context.WithValue(ctx, exchangeKey{}, x))
	})
	return x
}

// takeProgress lets the progress of a call in an exchange use the token of the current round.
func (xs *exchanges) takeProgress(ctx context.Context, out *downstream.Call) {
	x := exchangeOf(ctx)
	if x == nil || out.Progress == nil {
		return
	}
	out.Progress = func(params json.RawMessage) {
		if token := x.token.Load(); token != nil {
			xs.conn.notifyProgress(jsonrpc.AppendObject(nil,
				jsonrpc.With(jsonrpc.Split(params), jsonrpc.ProgressToken, *token)))
		}
	}
}

// questions returns a copy of the open questions, by key.
func (x *exchange) questions() map[string]*pendingQuestion {
	x.mu.Lock()
	defer x.mu.Unlock()
	open := make(map[string]*pendingQuestion, len(x.open))
	for key, q := range x.open {
		open[key] = q
	}
	return open
}

// suspend returns a result with the open questions, and keeps the exchange until the client repeats the request.
func (xs *exchanges) suspend(x *exchange) ([]jsonrpc.Member, error) {
	state := uuid.NewString()
	xs.mu.Lock()
	if len(xs.suspended) >= maxExchanges { // the client has probably abandoned the oldest
		oldest := ""
		for state, other := range xs.suspended {
			if oldest == "" || other.since.Before(xs.suspended[oldest].since) {
				oldest = state
			}
		}
		xs.suspended[oldest].expiry.Stop()
		xs.suspended[oldest].cancel(nil)
		delete(xs.suspended, oldest)
	}
	x.since = time.Now()
	xs.suspended[state] = x
	x.token.Store(nil)
	x.expiry = background.After(askPerson, func() {
		xs.mu.Lock()
		delete(xs.suspended, state)
		xs.mu.Unlock()
		x.cancel(nil)
	})
	xs.mu.Unlock()
	var inputs []jsonrpc.Member
	for key, q := range x.questions() {
		asked := []jsonrpc.Member{{Name: "method", Value: jsonrpc.AppendString(nil, q.method)}}
		if q.params != nil {
			asked = append(asked, jsonrpc.Member{Name: "params", Value: q.params})
		}
		inputs = append(inputs, jsonrpc.Member{Name: key, Value: jsonrpc.AppendObject(nil, asked)})
	}
	return []jsonrpc.Member{
		{Name: "resultType", Value: json.RawMessage(`"input_required"`)},
		{Name: "inputRequests", Value: jsonrpc.AppendObject(nil, inputs)},
		{Name: "requestState", Value: jsonrpc.AppendString(nil, state)},
	}, nil
}

// resume returns the exchange that a request repeats, with the client's answers passed to it. For a new request it
// returns nil.
func (xs *exchanges) resume(params json.RawMessage, key string) (*exchange, error) {
	raw := jsonrpc.Lookup(params, "requestState")
	if raw == nil {
		return nil, nil
	}
	state, ok := jsonrpc.String(raw)
	xs.mu.Lock()
	x := xs.suspended[state]
	if !ok || x == nil || x.key != key {
		xs.mu.Unlock()
		return nil, errUnknownState
	}
	delete(xs.suspended, state)
	xs.mu.Unlock()
	x.expiry.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, m := range jsonrpc.Split(jsonrpc.Lookup(params, "inputResponses")) {
		if q := x.open[m.Name]; q != nil && len(m.Value) > 0 && m.Value[0] == '{' {
			delete(x.open, m.Name)
			q.answer <- slices.Clone(m.Value)
		}
	}
	return x, nil
}

// ask adds a question to an exchange and waits for the client's answer. x is nil if there is no exchange for the
// question.
func (xs *exchanges) ask(ctx context.Context, q question, x *exchange) (json.RawMessage, error) {
	capabilities := xs.peer.declared()
	if x != nil {
		capabilities = x.capabilities
	}
	if err := q.refusal(capabilities); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, errNobodyWaits
	}
	pending := &pendingQuestion{q, make(chan json.RawMessage, 1)}
	x.mu.Lock()
	if len(x.open) >= maxQuestions {
		x.mu.Unlock()
		return nil, words.NewError("workbench.too_many_questions", "Number", maxQuestions)
	}
	x.lastKey++
	key := "question-" + strconv.Itoa(x.lastKey)
	x.open[key] = pending
	x.mu.Unlock()
	pause.Wake(x.news)
	defer func() {
		x.mu.Lock()
		delete(x.open, key)
		x.mu.Unlock()
	}()
	select {
	case answer := <-pending.answer:
		return answer, nil
	case <-x.done:
		return nil, errNobodyWaits
	case <-xs.conn.inputEnded:
		return nil, errClientGone
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// of returns the exchange that a server's question belongs to, or nil. A server of the initialize era does not say
// which one that is, so the newest exchange with the server is used.
func (xs *exchanges) of(ctx context.Context, server toolbox.ServerID) *exchange {
	if x := exchangeOf(ctx); x != nil {
		return x
	}
	xs.mu.Lock()
	defer xs.mu.Unlock()
	for _, x := range slices.Backward(xs.running) {
		if x.server == server {
			return x
		}
	}
	return nil
}
