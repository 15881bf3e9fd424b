package mcpserver

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

// read handles messages until in ends. It answers most of them in order; calls of tools, subscriptions and requests to
// servers run in goroutines of their own.
func (s *Server) read(ctx context.Context, in *jsonrpc.Reader) error {
	for first := true; ; first = false {
		line, err := in.Next()
		if first { // programs of .NET and PowerShell begin with it
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if long, ok := errors.AsType[*jsonrpc.TooLongError](err); ok {
			s.log.Warn("The client sent a message that is too long", "bytes", long.Size, "limit", s.options.MaxMessage)
			var id json.RawMessage
			if raw := jsonrpc.Lookup(long.Head, "id"); isID(raw) && jsonrpc.Lookup(long.Head, "method") != nil {
				id = raw // so that the client does not wait for an answer
			}
			s.conn.refuse(s.conn.write, id, jsonrpc.CodeInvalidRequest,
				fmt.Sprintf("Invalid Request: the message has %d bytes, more than %d", long.Size, s.options.MaxMessage))
			continue
		}
		if err != nil {
			return err
		}
		if !s.handleLine(ctx, line) {
			return ctx.Err()
		}
	}
}

// handleLine handles one line. It returns false if the session has ended.
func (s *Server) handleLine(ctx context.Context, line []byte) (ok bool) {
	s.requests.gate.Lock()
	defer s.requests.gate.Unlock()
	if s.requests.over || ctx.Err() != nil {
		return false
	}
	ok = true
	defer s.contain("a message")
	message, err := jsonrpc.Parse(line)
	if errors.Is(err, jsonrpc.ErrBatch) {
		s.handleBatch(ctx, line)
	} else {
		s.handle(ctx, message, err, line,
			&request{reply: s.conn.write, done: func() {}, fits: s.conn.fits, large: s.conn.tooLarge})
	}
	return ok
}

// handleBatch answers a JSON-RPC batch of protocol version 2025-03-26 with one array.
func (s *Server) handleBatch(ctx context.Context, line []byte) {
	elements, err := jsonrpc.Elements(line)
	if err != nil {
		s.conn.refuse(s.conn.write, nil, jsonrpc.CodeParseError, "Parse error: "+err.Error())
		return
	}
	if len(elements) == 0 {
		s.conn.refuse(s.conn.write, nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the batch is empty")
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
		return s.conn.fits(total + size + len(elements)*maxFailure)
	}
	for _, element := range elements {
		message, err := jsonrpc.Parse(element)
		waiting.Add(1)
		s.handle(ctx, message, err, element,
			&request{reply: reply, batch: true, done: waiting.Done, fits: fits, large: s.conn.tooLarge})
	}
	s.requests.calls.Go(func() {
		waiting.Wait()
		if len(answers) > 0 { // a batch of notifications has no answers
			s.conn.write([]byte{'['}, bytes.Join(answers, []byte{','}), []byte{']'})
		}
	})
}

// handle handles one message. problem is the error of parsing it. r.reply sends the answer. r.done is called when the
// message has been handled, which may be after handle returns.
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
		s.conn.refuse(reply, nil, jsonrpc.CodeParseError, "Parse error: the line is not valid JSON")
		return
	case problem != nil:
		s.log.Warn("The client sent something that is not JSON-RPC 2.0", "problem", problem)
		s.conn.refuse(reply, message.ID, jsonrpc.CodeInvalidRequest, "Invalid Request: "+problem.Error())
		return
	}
	switch message.Kind() {
	case jsonrpc.Response:
		s.asking.answered(message)
	case jsonrpc.Notification:
		s.handleNotification(message)
	case jsonrpc.Request:
		s.conn.refuse(reply, nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the id must be a string or a number")
	default:
		s.conn.refuse(reply, message.ID, jsonrpc.CodeInvalidRequest, "Invalid Request: neither a method nor a result")
	}
}

func (s *Server) handleRequest(ctx context.Context, r *request) {
	if method := mcp.MCPMethod(r.method); !s.peer.legacy.Load() && method != mcp.MethodInitialize &&
		method != mcp.MethodPing && r.lacksEra() {
		return
	}
	if r.method == string(mcp.MethodInitialize) && eraOf(r.params).modern {
		defer r.done()
		r.fail(jsonrpc.CodeMethodNotFound, "Method not found: initialize is not part of this protocol version", nil)
		return
	}
	switch mcp.MCPMethod(r.method) {
	case mcp.MethodToolsCall:
		if !s.requests.refuseTooMany(r) {
			s.startCall(ctx, r)
		}
	case mcp.MethodSubscriptionsListen:
		s.requests.spawn(ctx, r, &s.requests.linger, s.listen)
	case mcp.MethodToolsList:
		if s.opener.mustAwaitOpen() || s.roots.isAsking() {
			s.requests.spawn(ctx, r, &s.requests.calls, s.listTools)
			return
		}
		s.requests.handle(ctx, r, s.listTools)
	case mcp.MethodInitialize:
		s.requests.handle(ctx, r, s.initialize)
	case mcp.MethodServerDiscover:
		s.requests.handle(ctx, r, s.discover)
	case mcp.MethodPing:
		s.requests.handle(ctx, r, ping)
	default:
		if pass := passerOf(r.method); pass != nil {
			if s.requests.refuseTooMany(r) {
				return
			}
			if strings.HasSuffix(r.method, "subscribe") {
				pass = inTurn(s, r, pass)
			}
			s.requests.spawn(ctx, r, &s.requests.calls, func(ctx context.Context, r *request) { s.passOn(ctx, r, pass) })
			return
		}
		s.requests.handle(ctx, r, unknownMethod)
	}
}

// lacksEra refuses a request before initialize that does not say in _meta that it is of 2026-07-28 or later. It
// reports whether it has refused the request.
func (r *request) lacksEra() bool {
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
		r.fail(jsonrpc.CodeInvalidParams,
			"Invalid params: begin with initialize, or say "+mcp.MetaKeyProtocolVersion+" and "+mcp.MetaKeyClientCapabilities+
				" in _meta", nil)
	}
	r.done()
	return true
}

func (s *Server) handleNotification(message jsonrpc.Message) {
	if mcp.MCPMethod(message.Method) == mcp.MethodNotificationCancelled {
		if id := cancelledID(message.Params); id != nil {
			s.requests.cancel(id, downstream.Cancelled(message.Params))
		}
	}
	defer s.contain(message.Method)
	switch mcp.MCPMethod(message.Method) {
	case mcp.MethodNotificationInitialized:
		s.askRoots(false)
	case mcp.MethodNotificationRootsListChanged:
		s.askRoots(true)
	}
	s.asking.passNotification(message)
}

// contain recovers from a panic and logs it. It must be deferred.
func (s *Server) contain(what string) {
	if p := recover(); p != nil {
		s.log.Error("A handler panicked; this is a bug in Workbench", "handler", what, "panic", p, "stack",
			string(debug.Stack()))
	}
}

func cancelledID(params json.RawMessage) json.RawMessage {
	return jsonrpc.Lookup(params, "requestId")
}
