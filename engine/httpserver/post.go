package httpserver

import (
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// maxBatch is how many messages there can be in a batch.
const maxBatch = 100

const (
	asJSON   = "application/json"
	asEvents = "text/event-stream"
)

// post answers messages of a client.
func (s *Server) post(w http.ResponseWriter, r *http.Request, owner *app) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != asJSON || r.Header.Get("Content-Encoding") != "" {
		s.refuse(w, r, http.StatusUnsupportedMediaType, "The body must be "+asJSON+", not compressed")
		return
	}
	if !accepts(r, asJSON) || !accepts(r, asEvents) {
		s.refuse(w, r, http.StatusNotAcceptable, "The client must accept "+asJSON+" and "+asEvents)
		return
	}
	held := &held{from: http.MaxBytesReader(w, r.Body, s.options.Limits.Body), owner: owner}
	defer held.release()
	body, ok := s.body(w, r, held)
	if !ok {
		return
	}
	m, err := jsonrpc.Parse(body)
	switch {
	case errors.Is(err, jsonrpc.ErrBatch):
		s.postBatch(w, r, owner, body)
	case errors.Is(err, jsonrpc.ErrSyntax):
		s.refusals.note(r, http.StatusBadRequest, "the body is not JSON")
		s.fail(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "Parse error: the body is not JSON")
	case err != nil || m.Kind() == jsonrpc.Invalid || m.Kind() == jsonrpc.Request && string(m.ID) == "null":
		s.refuse(w, r, http.StatusBadRequest, "Invalid Request: the body is no message of JSON-RPC 2.0")
	case isModern(r) || modernMessage(r, m):
		s.postModern(w, r, owner, m)
	case m.Kind() == jsonrpc.Request && m.Method == string(mcp.MethodInitialize):
		s.initialize(w, r, owner, m)
	default:
		s.postTo(w, r, owner, []jsonrpc.Message{m}, [][]byte{body})
	}
}

// body reads the body of a request. If it cannot, it refuses the request.
func (s *Server) body(w http.ResponseWriter, r *http.Request, held *held) ([]byte, bool) {
	body, err := io.ReadAll(held)
	var slow net.Error
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case large:
		s.refuse(w, r, http.StatusRequestEntityTooLarge, "The body is larger than this server takes")
	case errors.Is(err, errMany):
		s.refuse(w, r, http.StatusServiceUnavailable, tooMuch)
	case errors.As(err, &slow) && slow.Timeout():
		s.refuse(w, r, http.StatusRequestTimeout, "The body came too slowly")
	case err != nil:
		s.refuse(w, r, http.StatusBadRequest, "The body is not whole")
	default:
		linger(w)
		return body, true
	}
	return nil, false
}

// tooMuch says that a token has used its memory.
const tooMuch = "Too much is under way with this token: large requests, or answers that are not read"

// held is a body while its request is under way. It counts with what clients have not read.
type held struct {
	from  io.Reader
	owner *app
	bytes int64
}

func (h *held) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.bytes += int64(n)
	if h.owner.unread.Add(int64(n)) > h.owner.most {
		err = errMany
	}
	return n, err
}

// release ends the count.
func (h *held) release() { h.owner.unread.Add(-h.bytes) }

// linger lets a connection stay open although the client sends nothing.
func linger(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // fails if it is closed
}

// accepts reports whether a client accepts a kind of answer.
func accepts(r *http.Request, kind string) bool {
	values := r.Header.Values("Accept")
	if len(values) == 0 {
		return true
	}
	group, _, _ := strings.Cut(kind, "/")
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			name, _, _ := strings.Cut(one, ";")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case kind, group + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

// postBatch answers a batch, which only 2025-03-26 has.
func (s *Server) postBatch(w http.ResponseWriter, r *http.Request, owner *app, body []byte) {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && version != mcp.ProtocolVersion20250326 {
		s.refuse(w, r, http.StatusBadRequest, "Invalid Request: this version of the protocol has no batches")
		return
	}
	var messages []jsonrpc.Message
	var raw [][]byte
	for element := range jsonrpc.Batch(body) {
		m, err := jsonrpc.Parse(element)
		if err != nil || m.Kind() == jsonrpc.Invalid || len(messages) == maxBatch ||
			m.Kind() == jsonrpc.Request && (string(m.ID) == "null" || m.Method == string(mcp.MethodInitialize)) {
			s.refuse(w, r, http.StatusBadRequest, "Invalid Request: the batch has what cannot be in one, or too much")
			return
		}
		messages, raw = append(messages, m), append(raw, element)
	}
	if len(messages) == 0 {
		s.refuse(w, r, http.StatusBadRequest, "Invalid Request: the batch is empty")
		return
	}
	s.postTo(w, r, owner, messages, raw)
}

// initialize starts a session.
func (s *Server) initialize(w http.ResponseWriter, r *http.Request, owner *app, m jsonrpc.Message) {
	session, ok := s.start(w, r, owner, "")
	if !ok {
		return
	}
	defer s.apps.free(session)
	w.Header().Set(mcp.HeaderSessionID, session.key)
	out := session.newStream(1, false)
	if !s.answer(w, r, session, out, []jsonrpc.Message{m}) || out.code != 0 {
		s.apps.gone(session) // the client does not know it
		session.end(errClosed)
	}
}

// start starts a session, see [apps.start]. If it cannot, it refuses the request.
func (s *Server) start(w http.ResponseWriter, r *http.Request, owner *app, key string) (*session, bool) {
	started, err := s.apps.start(owner, key)
	switch {
	case errors.Is(err, errMany):
		s.refuse(w, r, http.StatusTooManyRequests, "There are too many sessions of this token, and all are in use")
		return nil, false
	case err != nil:
		s.refuse(w, r, http.StatusServiceUnavailable, "The server is ending")
		return nil, false
	}
	return started, true
}

// session returns the session that a request names. The caller must free it, see [apps.free]. If there is none, it
// refuses the request and returns nil.
func (s *Server) session(w http.ResponseWriter, r *http.Request, owner *app) *session {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		s.refuse(w, r, http.StatusBadRequest, "The version in the header "+mcp.HeaderProtocolVersion+" is not supported")
		return nil
	}
	id := r.Header.Get(mcp.HeaderSessionID)
	if id == "" {
		s.refuse(w, r, http.StatusBadRequest, "The header "+mcp.HeaderSessionID+" is missing; begin with initialize")
		return nil
	}
	found := s.apps.take(owner, id)
	if found == nil || found.modern {
		s.refuse(w, r, http.StatusNotFound, "There is no such session; begin again with initialize")
		return nil
	}
	return found
}

// postTo passes messages to their session.
func (s *Server) postTo(w http.ResponseWriter, r *http.Request, owner *app, messages []jsonrpc.Message, raw [][]byte) {
	session := s.session(w, r, owner)
	if session == nil {
		return
	}
	defer s.apps.free(session)
	s.deliver(w, r, session, messages, raw)
}

// deliver passes messages to a session, and answers those that want an answer.
func (s *Server) deliver(w http.ResponseWriter, r *http.Request, to *session, messages []jsonrpc.Message,
	raw [][]byte) {
	var requests []jsonrpc.Message
	for i, m := range messages {
		if m.Kind() == jsonrpc.Request {
			requests = append(requests, m)
		} else if to.pass(m, raw[i]) != nil {
			s.refuse(w, r, http.StatusNotFound, "The session has ended; begin again with initialize")
			return
		}
	}
	if len(requests) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.answer(w, r, to, to.newStream(len(requests), true), requests)
}

// answer passes requests to a session and writes their answers. It reports whether the client has got them.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, to *session, out *stream,
	requests []jsonrpc.Message) (whole bool) {
	response := s.response(w, r, out, out.writer())
	response.form.modern, response.form.plain = to.modern, requests[0].Method == string(mcp.MethodInitialize)
	defer to.leave(response)
	for _, m := range requests {
		if to.begin(m, out) != nil {
			s.refuse(w, r, http.StatusNotFound, "The session has ended; begin again with initialize")
			return false
		}
	}
	whole = response.write(r)
	if to.modern && !whole {
		to.withdraw(out)
	}
	if whole || response.begun || r.Context().Err() != nil {
		return whole
	}
	if out.overflow {
		s.refuse(w, r, http.StatusServiceUnavailable, tooMuch)
	} else {
		s.refuse(w, r, http.StatusNotFound, "The session has ended before the answer; begin again with initialize")
	}
	return false
}

// response returns what writes a stream to a client.
func (s *Server) response(w http.ResponseWriter, r *http.Request, out *stream, wake chan struct{}) *response {
	return &response{stream: out, limits: s.options.Limits, w: w, wake: wake,
		form: form{primes: r.Header.Get(mcp.HeaderProtocolVersion) == mcp.ProtocolVersion20251125}}
}

// get answers with the stream that the client resumes, or else with the messages that belong to no request.
func (s *Server) get(w http.ResponseWriter, r *http.Request, owner *app) {
	if !accepts(r, asEvents) {
		s.refuse(w, r, http.StatusNotAcceptable, "The client must accept "+asEvents)
		return
	}
	session := s.session(w, r, owner)
	if session == nil {
		return
	}
	defer s.apps.free(session)
	linger(w)
	out, wake := session.resume(r.Header.Get("Last-Event-ID"))
	if out == nil {
		out = session.newStream(0, true)
		wake = out.writer()
	}
	response := s.response(w, r, out, wake)
	defer session.leave(response)
	if out.ofGET {
		defer session.open(out)()
	}
	if response.comment() == nil {
		response.write(r)
	}
}

// delete ends a session.
func (s *Server) delete(w http.ResponseWriter, r *http.Request, owner *app) {
	session := s.session(w, r, owner)
	if session == nil {
		return
	}
	s.apps.gone(session)
	s.apps.free(session)
	session.end(errClosed)
	w.WriteHeader(http.StatusNoContent)
}
