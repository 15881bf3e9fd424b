package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

var (
	errIdle    = errors.New("nobody used the session")
	errRoom    = errors.New("the token has too many sessions, and this one was used least recently")
	errRemoved = errors.New("the token was removed")
	errClosed  = errors.New("the client has ended the session")
	errEnded   = errors.New("the engine has ended")
)

const (
	// maxLine is the largest message of an engine, in bytes.
	maxLine = 64 << 20
	// shortID is how much of a session's id is shown in logs.
	shortID = 6
	// keptStreams is how many streams of GET a session can have. The newest gets the messages; the others are probably
	// of connections that were lost and not closed.
	keptStreams = 4
)

// session is an engine with those who use it: one client or, in 2026-07-28, all clients with the same token and name.
// An engine knows of one client and sees ids of ours, so several clients may use the same ids.
type session struct {
	app    *app
	key    string // in the app's sessions: the id, unless clients share the session
	modern bool
	log    *slog.Logger
	cancel context.CancelCauseFunc
	input  *io.PipeWriter
	lines  *jsonrpc.Writer // to the engine

	users  int         // requests and streams; guarded by the lock of [apps], as are the next two
	used   time.Time   // when there was a user last
	expiry *time.Timer // ends the session; nil before the first

	mu       sync.Mutex
	over     bool
	last     int64              // the id of the newest request that the engine knows
	requests map[int64]*request // requests without an answer, by the id that the engine knows
	streams  []*stream          // of GET, the newest last
	backlog  backlog
	resuming resuming
	tasks    map[int64]json.RawMessage // progress tokens of requests that go on as tasks after their answer
	mirrored map[string]*mcp.Tool      // tools with parameters that clients also send in headers
}

// request is a request of a client that has no answer yet.
type request struct {
	id       int64
	clientID json.RawMessage // in the messages of the client
	method   string
	token    json.RawMessage // the client's progress token; nil for none
	level    bool            // the request wants log messages
	out      *stream
}

// newSession returns a session with this id, which its engine has yet to be started for. If key is not "", the session
// is found by that instead of the id, and clients share it.
func newSession(a *apps, owner *app, id, key string) *session {
	s := &session{app: owner, key: id, requests: map[int64]*request{}, resuming: resuming{open: map[int64]*stream{}},
		tasks:    map[int64]json.RawMessage{},
		mirrored: map[string]*mcp.Tool{}}
	if key != "" {
		s.key, s.modern = key, true
	}
	s.log = a.options.Logger.With("app", owner.token.Name, "session", id[:shortID])
	return s
}

// run starts the engine and returns at once.
func (s *session) run(a *apps) {
	in, input := io.Pipe()
	output, out := io.Pipe()
	s.input, s.lines = input, jsonrpc.NewWriter(input)
	var ctx context.Context
	ctx, s.cancel = context.WithCancelCause(a.lifetime)
	a.running.Go(func() {
		defer func() {
			_ = in.CloseWithError(io.ErrClosedPipe)
			_ = out.Close()
			s.cancel(nil)
		}()
		err := background.Catch(func() error {
			return a.options.Run(ctx, Caller{App: s.app.token.Name, Log: s.log}, in, out)
		})
		if err != nil && ctx.Err() == nil {
			s.log.Error("An engine has ended with an error", "error", err)
		}
	})
	a.running.Go(func() {
		defer s.end(errEnded)
		defer a.gone(s)
		reader := jsonrpc.NewReader(output, maxLine)
		for {
			line, err := reader.Next()
			if err != nil {
				_ = output.CloseWithError(err)
				return
			}
			s.route(line)
		}
	})
}

// end ends the engine, and all that waits for it.
func (s *session) end(why error) {
	s.finish()
	s.cancel(why)
	_ = s.input.CloseWithError(io.EOF)
}

// finish ends all streams. There are no new ones after it.
func (s *session) finish() {
	s.mu.Lock()
	s.over = true
	open := s.streams
	for _, p := range s.requests {
		open = append(open, p.out)
	}
	for _, o := range s.resuming.open {
		open = append(open, o)
	}
	s.requests, s.streams, s.resuming.open = map[int64]*request{}, nil, map[int64]*stream{}
	s.mu.Unlock()
	for _, out := range open {
		out.close()
	}
}

// begin sends a request to the engine. Its answer, and what belongs to it, goes to out.
func (s *session) begin(m jsonrpc.Message, out *stream) error {
	meta := jsonrpc.Lookup(m.Params, "_meta")
	p := &request{clientID: m.ID, method: m.Method, token: jsonrpc.Lookup(meta, jsonrpc.ProgressToken),
		level: jsonrpc.Lookup(meta, mcp.MetaKeyLogLevel) != nil, out: out}
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return errEnding
	}
	s.last++
	p.id = s.last
	s.requests[p.id] = p
	if len(s.streams) == 0 && m.Method != string(mcp.MethodInitialize) {
		for _, line := range s.backlog.takeAll() {
			out.send(line)
		}
	}
	s.mu.Unlock()
	params := m.Params
	if p.token != nil {
		params = with(params, "_meta", with(meta, jsonrpc.ProgressToken, strconv.AppendInt(nil, p.id, 10)))
	}
	return s.tell(strconv.AppendInt(nil, p.id, 10), m.Method, params)
}

// tell sends a request to the engine, or a notification if id is nil.
func (s *session) tell(id []byte, method string, params json.RawMessage) error {
	line := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		line = append(append(line, `,"id":`...), id...)
	}
	line = jsonrpc.AppendString(append(line, `,"method":`...), method)
	if params != nil {
		line = jsonrpc.AppendCompact(append(line, `,"params":`...), params)
	}
	return s.lines.WriteLine(append(line, '}'))
}

// pass sends a notification or an answer of the client to the engine.
func (s *session) pass(m jsonrpc.Message, raw []byte) error {
	if m.Kind() == jsonrpc.Response {
		return s.lines.WriteLine(jsonrpc.AppendCompact(nil, raw))
	}
	params := m.Params
	if m.Method == string(mcp.MethodNotificationCancelled) {
		p := s.requested(jsonrpc.Lookup(params, "requestId"))
		if p == nil {
			return nil // it was answered already
		}
		s.abandon(p)
		params = with(params, "requestId", strconv.AppendInt(nil, p.id, 10))
	}
	return s.tell(nil, m.Method, params)
}

// abandon gives up a request that was cancelled, and so is not answered.
func (s *session) abandon(p *request) {
	s.mu.Lock()
	delete(s.requests, p.id)
	s.mu.Unlock()
	p.out.unanswered()
}

// requested returns the newest request with an id of the client, or nil.
func (s *session) requested(id json.RawMessage) (newest *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.requests {
		if string(p.clientID) == string(id) && (newest == nil || p.id > newest.id) {
			newest = p
		}
	}
	return newest
}

// withdraw cancels the requests whose answers were to go to out. In 2026-07-28, a client cancels a request by closing
// its stream.
func (s *session) withdraw(out *stream) {
	var gone []*request
	s.mu.Lock()
	for _, p := range s.requests {
		if p.out == out {
			gone = append(gone, p)
		}
	}
	s.mu.Unlock()
	for _, p := range gone {
		s.abandon(p)
		params := append(strconv.AppendInt([]byte(`{"requestId":`), p.id, 10), '}')
		_ = s.tell(nil, string(mcp.MethodNotificationCancelled), params) // fails if the engine has ended
	}
}

// open adds a stream of GET, with what has waited for one. done removes it.
func (s *session) open(out *stream) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		out.close()
		return func() {}
	}
	for _, line := range s.backlog.takeAll() {
		out.send(line)
	}
	s.streams = append(s.streams, out)
	if len(s.streams) > keptStreams {
		s.streams[0].close()
		s.streams = s.streams[1:]
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i, other := range s.streams {
			if other == out {
				s.streams = append(s.streams[:i:i], s.streams[i+1:]...)
				return
			}
		}
	}
}

// with returns an object with one member set.
func with(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(object), name, value))
}
