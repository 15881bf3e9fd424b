package workbench

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

// A client of 2026-07-28 takes no requests. A server's questions to it go into the answer to the client's own request, with
// the resultType "input_required". The client then makes the request again, with its answers and the requestState.
// Meanwhile the server's call goes on: an exchange is one such call, over all its rounds.

const (
	errClientGone  = words.Code("workbench.client_gone")
	errNobodyWaits = words.Code("workbench.nobody_waits")
)

var errUnknownState = errors.New("Invalid params: requestState is not one that is waited for; make the request again without it")

// Limits on exchanges.
const (
	maxExchanges = 100 // that wait for their client
	maxQuestions = 32  // of one exchange, not answered
)

// exchange is one request of the client, over all its rounds.
type exchange struct {
	key          string // identifies the request; a retry must have the same key
	capabilities json.RawMessage
	server       toolbox.ServerID // the server of the request, zero while it is not known
	done         chan struct{}    // closed when result and err hold
	result       json.RawMessage
	err          error
	cancel       context.CancelCauseFunc

	mu      sync.Mutex
	lastKey int
	open    map[string]*pendingQuestion // not answered
	news    chan struct{}               // there is a new question
	expiry  *time.Timer                 // ends it while it waits for the client

	since time.Time                       // when it began to wait, guarded by Server.mu
	token atomic.Pointer[json.RawMessage] // for the progress of the current round; nil while the client does not want any
}

// pendingQuestion is a question that stands in an answer to the client.
type pendingQuestion struct {
	question
	answer chan json.RawMessage
}

type exchangeKey struct{}

// exchangeOf returns the exchange whose call has this context, nil when there is none.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// aim notes the server of an exchange whose server is found only while it is under way.
func (s *Server) aim(x *exchange, server toolbox.ServerID) {
	if x == nil {
		return
	}
	s.mu.Lock()
	x.server = server
	s.mu.Unlock()
}

// converse answers a request of the client with the result of run, or with the questions that servers have to the client
// before that. key identifies the request; a retry must have the same key.
func (s *Server) converse(ctx context.Context, r *request, e era, key string, server toolbox.ServerID, run func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	if !e.modern || !s.suspends(r.params) && s.manager.Modern(server) {
		return run(ctx) // the server's own questions pass as they are, see [Server.takeInput]
	}
	key = r.method + " " + key
	x, err := s.resume(r.params, key)
	if err != nil {
		return nil, err
	}
	var token *json.RawMessage
	if raw := member(e.meta, downstream.ProgressToken); isID(raw) {
		token = &raw
	}
	if x == nil {
		x = s.beginExchange(ctx, key, e, server, token, run)
	}
	x.token.Store(token)
	for {
		if len(x.questions()) > 0 {
			return s.suspend(x)
		}
		select {
		case <-x.done:
			return x.result, x.err
		case <-x.news:
		case <-ctx.Done(): // withdrawn by the client
			x.cancel(context.Cause(ctx))
			return nil, ctx.Err()
		}
	}
}

// suspends reports whether a request continues an exchange.
func (s *Server) suspends(params json.RawMessage) bool {
	state, ok := jsonrpc.String(jsonrpc.Lookup(params, "requestState"))
	s.mu.Lock()
	defer s.mu.Unlock()
	return ok && s.suspended[state] != nil
}

// takeInput lets a server that speaks 2026-07-28, as the client does, ask for input in its own words. It passes on the
// client's answers to an earlier question of that server.
func (s *Server) takeInput(out *downstream.Call, r *request) {
	out.TakesInput = true
	if s.suspends(r.params) {
		return
	}
	for _, m := range jsonrpc.Split(r.params) {
		if m.Name == "inputResponses" || m.Name == "requestState" {
			out.Params = append(out.Params, m)
		}
	}
}

// beginExchange starts the call of an exchange. The call continues after the first answer, until the session ends.
func (s *Server) beginExchange(ctx context.Context, key string, e era, server toolbox.ServerID, token *json.RawMessage, run func(context.Context) (json.RawMessage, error)) *exchange {
	x := &exchange{key: key, capabilities: e.capabilities, server: server, done: make(chan struct{}), open: map[string]*pendingQuestion{}, news: make(chan struct{}, 1)}
	x.token.Store(token)
	ctx, x.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	stop := background.AfterEnd(s.lifetime, func() { x.cancel(nil) })
	s.mu.Lock()
	s.exchanges = append(s.exchanges, x)
	s.mu.Unlock()
	s.calls.Go(func() {
		defer close(x.done)
		defer stop()
		defer x.cancel(nil)
		defer func() {
			s.mu.Lock()
			s.exchanges = slices.DeleteFunc(s.exchanges, func(other *exchange) bool { return other == x })
			s.mu.Unlock()
		}()
		x.err = errors.New("internal error") // in case it panics
		x.result, x.err = run(context.WithValue(ctx, exchangeKey{}, x))
	})
	return x
}

// inExchange sets the progress token of a call to the one of the current round.
func (s *Server) inExchange(ctx context.Context, out downstream.Call) downstream.Call {
	x := exchangeOf(ctx)
	if x == nil || out.Progress == nil {
		return out
	}
	out.Progress = func(params json.RawMessage) {
		if token := x.token.Load(); token != nil {
			s.notifyProgress(jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(params), downstream.ProgressToken, *token)))
		}
	}
	return out
}

// questions returns the open questions, by key.
func (x *exchange) questions() map[string]*pendingQuestion {
	x.mu.Lock()
	defer x.mu.Unlock()
	open := make(map[string]*pendingQuestion, len(x.open))
	for key, q := range x.open {
		open[key] = q
	}
	return open
}

// suspend answers the client with the open questions, and keeps the exchange until the client makes the request again.
func (s *Server) suspend(x *exchange) (json.RawMessage, error) {
	state := uuid.NewString()
	s.mu.Lock()
	if len(s.suspended) >= maxExchanges { // the client has probably given up the oldest
		oldest := ""
		for state, other := range s.suspended {
			if oldest == "" || other.since.Before(s.suspended[oldest].since) {
				oldest = state
			}
		}
		s.suspended[oldest].expiry.Stop()
		s.suspended[oldest].cancel(nil)
		delete(s.suspended, oldest)
	}
	x.since = time.Now()
	s.suspended[state] = x
	x.token.Store(nil)
	x.expiry = background.After(askPerson, func() {
		s.mu.Lock()
		delete(s.suspended, state)
		s.mu.Unlock()
		x.cancel(nil)
	})
	s.mu.Unlock()
	result := []byte(`{"resultType":"input_required","inputRequests":{`)
	first := true
	for key, q := range x.questions() {
		if !first {
			result = append(result, ',')
		}
		first = false
		result = append(jsonrpc.AppendString(result, key), `:{"method":`...)
		result = jsonrpc.AppendString(result, q.method)
		if q.params != nil {
			result = append(append(result, `,"params":`...), q.params...)
		}
		result = append(result, '}')
	}
	result = append(result, `},"requestState":`...)
	return append(jsonrpc.AppendString(result, state), '}'), nil
}

// resume returns the exchange that a request continues, nil for a new request, and hands the client's answers to it.
func (s *Server) resume(params json.RawMessage, key string) (*exchange, error) {
	raw := jsonrpc.Lookup(params, "requestState")
	if raw == nil {
		return nil, nil
	}
	state, ok := jsonrpc.String(raw)
	s.mu.Lock()
	x := s.suspended[state]
	if !ok || x == nil || x.key != key {
		s.mu.Unlock()
		return nil, errUnknownState
	}
	delete(s.suspended, state)
	s.mu.Unlock()
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

// askModern puts a question into the answer to a request of the client, the one that x is for.
func (s *Server) askModern(ctx context.Context, q question, x *exchange) (json.RawMessage, error) {
	capabilities := clientSide{s}.Capabilities()
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
	case <-s.unheard:
		return nil, errClientGone
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// exchangeFor returns the exchange that a question of a server belongs to, nil when there is none. A server of the initialize
// era does not say which exchange that is; the newest is taken.
func (s *Server) exchangeFor(ctx context.Context, server toolbox.ServerID) *exchange {
	if x := exchangeOf(ctx); x != nil {
		return x
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range slices.Backward(s.exchanges) {
		if x.server == server {
			return x
		}
	}
	return nil
}
