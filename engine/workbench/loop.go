package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// request is one message from the client that wants an answer.
type request struct {
	id     json.RawMessage
	method string
	params json.RawMessage
	reply  func(parts ...[]byte)
	fits   func(size int) bool // whether the client takes a message of a size; nil if it is not asked
	large  func(size int) string
	batch  bool   // the answer waits for the other answers of the batch
	done   func() // called once when the request has been dealt with, answered or not
	cancel func(why error)
}

// result answers the request with raw JSON. One that the client would not take becomes an error.
func (r *request) result(raw []byte) {
	if !r.takes(raw) {
		r.fail(jsonrpc.CodeInternalError, r.large(len(raw)), nil)
		return
	}
	r.answer(`,"result":`, raw)
}

// takes reports whether the client takes an answer with a value in it.
func (r *request) takes(value []byte) bool {
	return r.fits == nil || r.fits(len(value)+len(r.id)+maxEnvelope)
}

// maxEnvelope is at least what an answer has besides its id and its value, in bytes.
const maxEnvelope = 64

// answer answers the request with one member. The name is written as it is, without escaping.
func (r *request) answer(name string, value []byte) {
	r.reply([]byte(`{"jsonrpc":"2.0","id":`), r.id, []byte(name), value, []byte{'}'})
}

// fail answers the request with a JSON-RPC error. data may be nil.
func (r *request) fail(code int, message string, data any) {
	details := struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}{code, message, data}
	raw, err := json.Marshal(details)
	if err != nil || !r.takes(raw) {
		details.Data, details.Message = nil, downstream.Clean(message, maxMessage)
		raw, _ = json.Marshal(details) // a number and a string cannot fail
	}
	r.answer(`,"error":`, raw)
}

// maxFailure is about how large the error is that says that an answer is too large, in bytes.
const maxFailure = 400

// maxMessage is how much of a message is left when an error is too large for the client, in bytes.
const maxMessage = 16 << 10

// failRaw answers the request with an error as a server sent it.
func (r *request) failRaw(e *downstream.RPCError) {
	var data any
	if e.Data != nil {
		data = e.Data
	}
	r.fail(int(e.Code), e.Message, data)
}

// read handles messages until in ends. It answers most of them at once and in order; calls of tools and subscriptions run in
// goroutines of their own.
func (s *Server) read(ctx context.Context, in *jsonrpc.Reader) error {
	for {
		line, err := in.Next()
		if long, ok := errors.AsType[*jsonrpc.TooLongError](err); ok {
			s.log.Warn("The client sent a message that is too long", "bytes", long.Size, "limit", s.options.MaxMessage)
			var id json.RawMessage
			if raw := jsonrpc.Lookup(long.Head, "id"); isID(raw) && jsonrpc.Lookup(long.Head, "method") != nil {
				id = raw // so that the client need not wait for an answer
			}
			s.refuse(s.write, id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("Invalid Request: the message has %d bytes, more than %d", long.Size, s.options.MaxMessage))
			continue
		}
		if err != nil {
			return err
		}
		if !s.take(ctx, line) {
			return ctx.Err()
		}
	}
}

// take handles a line of the client. It returns false if the session is over.
func (s *Server) take(ctx context.Context, line []byte) (ok bool) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.over || ctx.Err() != nil {
		return false
	}
	ok = true
	defer s.contain("a message")
	message, err := jsonrpc.Parse(line)
	if errors.Is(err, jsonrpc.ErrBatch) {
		s.handleBatch(ctx, line)
	} else {
		s.handle(ctx, message, err, line, &request{reply: s.write, done: func() {}, fits: s.fits, large: s.tooLarge})
	}
	return ok
}

// write puts one line on the wire. Its error ends the run, see [failingWriter]. A line that the client does not
// take is dropped: it would cost all toolboxes.
func (s *Server) write(parts ...[]byte) {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if !s.fits(size) {
		s.log.Error("A message is larger than the client takes and was dropped; this is a bug in Workbench", "bytes", size, "limit", s.most())
		return
	}
	_ = s.out.WriteLine(parts...)
}

// refuse answers an invalid message with an error. A nil id becomes null.
func (s *Server) refuse(reply func(...[]byte), id json.RawMessage, code int, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	(&request{id: id, reply: reply}).fail(code, message, nil)
}

// handleBatch answers a JSON-RPC batch, which protocol version 2025-03-26 has, with one array.
func (s *Server) handleBatch(ctx context.Context, line []byte) {
	elements, err := jsonrpc.Elements(line)
	if err != nil {
		s.refuse(s.write, nil, jsonrpc.CodeParseError, "Parse error: "+err.Error())
		return
	}
	if len(elements) == 0 {
		s.refuse(s.write, nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the batch is empty")
		return
	}
	var (
		mu      sync.Mutex
		answers [][]byte
		waiting background.Group
	)
	total := 0
	reply := func(parts ...[]byte) {
		answer := bytes.Join(parts, nil)
		mu.Lock()
		defer mu.Unlock()
		answers = append(answers, answer)
		total += len(answer) + 1
	}
	// All answers are one message.
	fits := func(size int) bool {
		mu.Lock()
		defer mu.Unlock()
		return s.fits(total + size + len(elements)*maxFailure)
	}
	for _, element := range elements {
		message, err := jsonrpc.Parse(element)
		waiting.Add(1)
		s.handle(ctx, message, err, element, &request{reply: reply, batch: true, done: waiting.Done, fits: fits, large: s.tooLarge})
	}
	s.calls.Go(func() {
		waiting.Wait()
		if len(answers) > 0 { // a batch of notifications has no answers
			s.write([]byte{'['}, bytes.Join(answers, []byte{','}), []byte{']'})
		}
	})
}

// handle deals with one message. problem is the error of parsing it. r holds the way of its answer; r.done is called when the message has
// been dealt with, which may be after handle returns.
func (s *Server) handle(ctx context.Context, message jsonrpc.Message, problem error, line []byte, r *request) {
	if problem == nil && message.Kind() == jsonrpc.Request && isID(message.ID) {
		r.id, r.method, r.params = message.ID, message.Method, message.Params
		s.handleRequest(ctx, r)
		return
	}
	reply := r.reply
	defer r.done()
	switch {
	case errors.Is(problem, jsonrpc.ErrSyntax):
		s.log.Warn("The client sent a line that is not JSON", "bytes", len(line))
		s.refuse(reply, nil, jsonrpc.CodeParseError, "Parse error: the line is not valid JSON")
		return
	case problem != nil:
		s.log.Warn("The client sent something that is not JSON-RPC 2.0", "problem", problem)
		s.refuse(reply, message.ID, jsonrpc.CodeInvalidRequest, "Invalid Request: "+problem.Error())
		return
	}
	switch message.Kind() {
	case jsonrpc.Response:
		s.answered(message)
	case jsonrpc.Notification:
		s.handleNotification(message)
	case jsonrpc.Request:
		s.refuse(reply, nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the id must be a string or a number")
	default:
		s.refuse(reply, message.ID, jsonrpc.CodeInvalidRequest, "Invalid Request: neither a method nor a result")
	}
}

func (s *Server) handleRequest(ctx context.Context, r *request) {
	if method := mcp.MCPMethod(r.method); !s.legacy.Load() && method != mcp.MethodInitialize && method != mcp.MethodPing && s.lacksEra(r) {
		return
	}
	if r.method == string(mcp.MethodInitialize) && eraOf(r.params).modern {
		defer r.done()
		r.fail(jsonrpc.CodeMethodNotFound, "Method not found: initialize is not part of this protocol version", nil)
		return
	}
	switch mcp.MCPMethod(r.method) {
	case mcp.MethodToolsCall:
		if !s.refuseTooMany(r) {
			s.startCall(ctx, r)
		}
	case mcp.MethodSubscriptionsListen:
		run := ctx
		s.spawn(ctx, r, &s.linger, func(ctx context.Context, r *request) { s.listen(run, ctx, r) })
	case mcp.MethodToolsList:
		if s.mustAwaitOpen() {
			s.spawn(ctx, r, &s.calls, s.listTools)
			return
		}
		s.guard(ctx, r, s.listTools)
	case mcp.MethodInitialize:
		s.guard(ctx, r, s.initialize)
	case mcp.MethodServerDiscover:
		s.guard(ctx, r, s.discover)
	case mcp.MethodPing:
		s.guard(ctx, r, s.ping)
	default:
		if pass := passerOf(r.method); pass != nil {
			if s.refuseTooMany(r) {
				return
			}
			if strings.HasSuffix(r.method, "subscribe") {
				pass = s.inTurn(r, pass)
			}
			s.spawn(ctx, r, &s.calls, func(ctx context.Context, r *request) { s.passOn(ctx, r, pass) })
			return
		}
		s.guard(ctx, r, s.unknownMethod)
	}
}

// lacksEra refuses a request that comes before initialize and does not say in _meta that it is of 2026-07-28 or later. It
// reports whether it refused.
func (s *Server) lacksEra(r *request) bool {
	meta := jsonrpc.Lookup(r.params, "_meta")
	version, ok := jsonrpc.String(jsonrpc.Lookup(meta, mcp.MetaKeyProtocolVersion))
	switch {
	case mcp.IsModernProtocol(version):
		return false
	case ok && mcp.IsValidProtocolVersion(version):
		r.failVersion("Unsupported protocol version: "+version+" begins with initialize", version)
	case ok && version != "":
		r.failVersion(unsupported(version), version)
	default:
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: begin with initialize, or say "+mcp.MetaKeyProtocolVersion+" and "+mcp.MetaKeyClientCapabilities+" in _meta", nil)
	}
	r.done()
	return true
}

// spawn handles a request in a goroutine, where it can be cancelled by its id.
func (s *Server) spawn(ctx context.Context, r *request, group *background.Group, handler func(context.Context, *request)) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.cancel = cancel
	s.track(r)
	group.Go(func() {
		defer cancel(nil)
		defer s.untrack(r)
		s.guard(ctx, r, handler)
	})
}

// track lets the client cancel a request. When two requests have the same id, which no client should send, the later one is cancelled.
func (s *Server) track(r *request) {
	s.mu.Lock()
	s.inflight[string(r.id)] = r
	s.unanswered += r.weight()
	s.mu.Unlock()
}

func (s *Server) untrack(r *request) {
	s.mu.Lock()
	s.unanswered -= r.weight()
	if s.inflight[string(r.id)] == r {
		delete(s.inflight, string(r.id))
	}
	s.mu.Unlock()
}

// maxUnanswered is how many bytes of requests may be unanswered before more are refused, see [request.weight]. That is 60,000 small calls, or one
// message of the largest size.
const maxUnanswered = 64 << 20

// weight is about how much memory a request takes until it is answered, in bytes.
func (r *request) weight() int { return len(r.params) + 1<<10 }

// refuseTooMany refuses a request when too many are unanswered, and reports whether it did. A client that reads its answers gets an
// error. For a client that does not read, writing the refusal blocks, and so does reading its further messages.
func (s *Server) refuseTooMany(r *request) bool {
	s.mu.Lock()
	refused := s.unanswered > 0 && s.unanswered+r.weight() > maxUnanswered
	s.mu.Unlock()
	if refused {
		defer r.done()
		r.fail(jsonrpc.CodeInternalError, "Too many requests are unanswered; read their answers before you send more", nil)
	}
	return refused
}

// guard contains a panic: one request fails, the engine goes on.
func (s *Server) guard(ctx context.Context, r *request, handler func(context.Context, *request)) {
	defer r.done()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("A request handler panicked; this is a bug in Workbench", "method", r.method, "panic", p, "stack", string(debug.Stack()))
			r.fail(jsonrpc.CodeInternalError, "Internal error while handling "+r.method, nil)
		}
	}()
	handler(ctx, r)
}

func (s *Server) handleNotification(message jsonrpc.Message) {
	if mcp.MCPMethod(message.Method) == mcp.MethodNotificationCancelled {
		if id := cancelledID(message.Params); id != nil {
			s.mu.Lock()
			r := s.inflight[string(id)]
			s.mu.Unlock()
			if r != nil {
				r.cancel(downstream.Cancelled(message.Params))
			}
		}
	}
	defer s.contain(message.Method)
	s.passNotification(message)
}

// contain recovers from a panic, so that it does not end the engine. It must be deferred.
func (s *Server) contain(what string) {
	if p := recover(); p != nil {
		s.log.Error("A handler panicked; this is a bug in Workbench", "handler", what, "panic", p, "stack", string(debug.Stack()))
	}
}

func cancelledID(params json.RawMessage) json.RawMessage {
	return jsonrpc.Lookup(params, "requestId")
}
