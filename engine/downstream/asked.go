package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxRequests is how many requests of one server may be waiting for answers.
const maxRequests = 32

// receiveRequest answers a request of the server. It runs on the read loop.
func (s *Session) receiveRequest(m jsonrpc.Message) {
	if len(m.ID) > maxForeignID {
		s.strayLine([]byte("request "+m.Method), errors.New("its id is too long"))
		return
	}
	switch {
	case s.modern():
		s.strayLine([]byte("request "+m.Method), errors.New("servers of 2026-07-28 ask for nothing of their own accord"))
		return
	case m.Method == "ping":
		s.post(m.Method, appendReply(m.ID, json.RawMessage("{}"), nil))
		return
	case s.greeting.Load():
		s.remark(words.New("downstream.asked_early", "Method", clean(m.Method, 100)))
		s.post(m.Method, appendReply(m.ID, nil, &RPCError{Code: jsonrpc.CodeInvalidRequest, Message: "the session has not begun; wait for notifications/initialized"}))
		return
	case s.o.OnRequest == nil:
		s.post(m.Method, appendReply(m.ID, nil, unsupported(m.Method)))
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	if problem := s.admit(m.ID, cancel); !problem.IsZero() {
		cancel(nil)
		if s.Err() == nil {
			s.remark(words.New("downstream.request_refused", "Method", clean(m.Method, 100), "Why", problem))
		}
		s.post(m.Method, appendReply(m.ID, nil, &RPCError{Code: jsonrpc.CodeInternalError, Message: problem.String()}))
		return
	}
	s.wg.Go(func() {
		defer cancel(nil)
		result, err := s.ask(ctx, m.Method, m.Params)
		s.mu.Lock()
		delete(s.asked, string(m.ID))
		s.mu.Unlock()
		if ctx.Err() == nil { // otherwise nobody waits for the answer
			_ = s.out.send(ctx, 0, appendReply(m.ID, result, err), nil) // fails only if the connection fails
		}
	})
}

// ask passes a request of the server to the client and returns the client's answer.
func (s *Session) ask(ctx context.Context, method string, params json.RawMessage) (result json.RawMessage, err error) {
	if err := s.mayAsk(method, params); err != nil {
		return nil, err
	}
	err = background.Catch(func() (err error) {
		result, err = s.o.OnRequest(ctx, method, params)
		return err
	})
	return result, err
}

// unsupported is the answer to a request that this client does not support.
func unsupported(method string) *RPCError {
	return &RPCError{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method '%s' is not supported by this client", clean(method, 100))}
}

// admit records a request of the server, so that the server can cancel it. problem says why the request is
// refused.
func (s *Session) admit(id json.RawMessage, cancel context.CancelCauseFunc) (problem words.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return words.Of(s.err)
	case s.asked[string(id)] != nil:
		return words.New("downstream.id_in_use")
	case len(s.asked) >= maxRequests:
		return words.New("downstream.too_many_requests", "Number", maxRequests)
	}
	s.asked[string(id)] = cancel
	return words.Text{}
}

// withdrawn handles the server's cancellation of one of its requests.
func (s *Session) withdrawn(params json.RawMessage) {
	id := jsonrpc.Lookup(params, "requestId")
	if s.modern() {
		// In this era, a cancellation only means the end of a stream.
		if own, ok := parseID(id); ok {
			s.subs.mu.Lock()
			known := s.subs.streams[own] != nil
			s.subs.mu.Unlock()
			if known {
				s.unanswered(own, words.NewError("downstream.stream_ended"))
			}
		}
		return
	}
	s.mu.Lock()
	cancel := s.asked[string(id)]
	s.mu.Unlock()
	if cancel != nil {
		cancel(Cancelled(params))
	}
}

// appendReply returns the line that answers a request of the server.
func appendReply(id, result json.RawMessage, err error) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if err == nil {
		line = appendLine(append(line, `,"result":`...), result)
		return append(line, "}\n"...)
	}
	var failure *RPCError
	if !errors.As(err, &failure) {
		failure = &RPCError{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	line = strconv.AppendInt(append(line, `,"error":{"code":`...), failure.Code, 10)
	line = jsonrpc.AppendString(append(line, `,"message":`...), failure.Message)
	if failure.Data != nil {
		line = appendLine(append(line, `,"data":`...), failure.Data)
	}
	return append(line, "}}\n"...)
}

// post sends a line. If the server does not read, the line is dropped.
func (s *Session) post(method string, line []byte) {
	if !s.out.post(line) {
		s.log.Debug("A line to the server was dropped; it does not read", "method", clean(method, 100))
	}
}
