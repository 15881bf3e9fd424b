package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// What of MCP the person at the window answers, and its JSON-RPC codes.
const (
	elicit         = "elicitation/create"
	elicitComplete = "notifications/elicitation/complete"

	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeVisitPage      = -32042 // the call needs the person to visit pages first
)

// maxPages is how many pages one error may send the person to.
const maxPages = 10

// Questions is the client side of the own engine: it brings what a server asks while one of its tools is tried to the person. It implements
// [toolbox.Client], and can be used on any goroutine.
type Questions struct {
	Show func(*Question)                    // brings a question to the window
	note func(toolbox.ServerID, words.Text) // writes into a server's log

	mu       sync.Mutex
	tries    []*Try
	open     []*Question              // that somebody may still answer
	declined map[toolbox.ServerID]int // how many requests were, unseen
}

var _ toolbox.Client = (*Questions)(nil)

// Try is a tool that is being tried.
type Try struct {
	tool   toolbox.ToolID
	ctx    context.Context // of the call
	cancel context.CancelFunc
}

// Question is a request on its way to the person.
type Question struct {
	Request tryit.Request
	try     *Try
	answers chan answer     // has room for the one
	ctx     context.Context // ends when nobody waits for the person any more
	end     context.CancelFunc
}

type answer struct {
	action  tryit.Action
	content json.RawMessage
}

// newQuestions returns a client side that shows nothing yet.
func newQuestions() *Questions {
	return &Questions{Show: func(*Question) {}, declined: map[toolbox.ServerID]int{}}
}

// Begin has a tool be tried until End is called.
func (s *Questions) Begin(ctx context.Context, id toolbox.ToolID) *Try {
	t := &Try{tool: id}
	t.ctx, t.cancel = context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = append(s.tries, t)
	return t
}

// End tells that a tool is no longer tried.
func (s *Questions) End(t *Try) {
	s.mu.Lock()
	s.tries = slices.DeleteFunc(s.tries, func(other *Try) bool { return other == t })
	s.mu.Unlock()
	t.cancel()
}

// Idle reports whether no tool is being tried and nobody is asked.
func (s *Questions) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) == 0 && len(s.tries) == 0
}

// Capabilities are the same for every server: neither a model nor folders are behind the window.
func (s *Questions) Capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)
}

// Modern returns false, so that the requests of servers of 2026-07-28 come by Ask, as those of other servers do.
func (s *Questions) Modern() bool { return false }

// Ask has the person answer, and refuses what people cannot.
func (s *Questions) Ask(ctx context.Context, from toolbox.ServerID, method string, params json.RawMessage) (json.RawMessage, error) {
	if method != elicit {
		return nil, &downstream.RPCError{Code: codeMethodNotFound, Message: fmt.Sprintf("method '%s' is not supported by this client", downstream.Clean(method, 100))}
	}
	t := s.trying(from)
	if t == nil {
		s.decline(from)
		return answer{action: tryit.Decline}.result(), nil
	}
	request, err := tryit.ReadRequest(params)
	if err != nil {
		return nil, &downstream.RPCError{Code: codeInvalidParams, Message: err.Error()}
	}
	q := s.put(t, request)
	defer context.AfterFunc(ctx, q.end)() // the server may withdraw its request, or end
	given := q.await()
	if request.Form != nil || given.action != tryit.Accept {
		s.close(q)
	}
	s.note(from, words.New("questions.answered", "Action", given.action))
	return given.result(), nil
}

// decline tells a server's log of a request that nobody sees. A server may ask for ever, so not every one is told.
func (s *Questions) decline(from toolbox.ServerID) {
	const each = 50
	s.mu.Lock()
	s.declined[from]++
	n := s.declined[from]
	s.mu.Unlock()
	if n <= each || n%each == 0 {
		s.note(from, words.New("questions.declined", "Number", n))
	}
}

// trying returns the call of a server's tool that was started last in "Try it"; nil when there is none.
func (s *Questions) trying(from toolbox.ServerID) *Try {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Backward(s.tries) {
		if t.tool.On() == from && t.ctx.Err() == nil {
			return t
		}
	}
	return nil
}

// put brings a request to the window.
func (s *Questions) put(t *Try, request tryit.Request) *Question {
	q := &Question{try: t, Request: request, answers: make(chan answer, 1)}
	q.ctx, q.end = context.WithCancel(t.ctx)
	s.mu.Lock()
	s.open = append(s.open, q)
	s.mu.Unlock()
	context.AfterFunc(q.ctx, func() { s.close(q) })
	s.Show(q)
	return q
}

// close forgets a question.
func (s *Questions) close(q *Question) {
	s.mu.Lock()
	s.open = slices.DeleteFunc(s.open, func(other *Question) bool { return other == q })
	s.mu.Unlock()
	q.end()
}

// Tool is the tool that is being tried.
func (q *Question) Tool() toolbox.ToolID { return q.try.tool }

// Context ends when nobody waits for the person any more.
func (q *Question) Context() context.Context { return q.ctx }

// Answer gives the answer, once.
func (q *Question) Answer(action tryit.Action, content json.RawMessage) {
	select {
	case q.answers <- answer{action, content}:
	default:
	}
}

// Finish takes up that the person is done with a page that was opened, or gives up; then the tool is not wanted either.
func (q *Question) Finish(done bool) {
	if !done {
		q.try.cancel()
	}
	q.end()
}

// await waits for the answer. When nobody waits for it any more, it is "cancel".
func (q *Question) await() answer {
	select {
	case given := <-q.answers:
		return given
	case <-q.ctx.Done():
	}
	select {
	case given := <-q.answers:
		return given
	default:
		return answer{action: tryit.Cancel}
	}
}

// result is an answer as the server gets it.
func (a answer) result() json.RawMessage {
	members := []jsonrpc.Member{{Name: "action", Value: jsonrpc.AppendString(nil, string(a.action))}}
	if a.content != nil {
		members = append(members, jsonrpc.Member{Name: "content", Value: a.content})
	}
	return jsonrpc.AppendObject(nil, members)
}

// Hear takes up that the person is done with a page, which the server may know first.
func (s *Questions) Hear(from toolbox.ServerID, method string, params json.RawMessage) {
	id, _ := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId"))
	if method != elicitComplete || id == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.open {
		if q.Request.ID == id && q.try.tool.On() == from {
			q.end()
		}
	}
}

// requiredPages are the pages that a call needs the person to visit first; nil when it failed otherwise, or did not.
func requiredPages(err error) []tryit.Request {
	var rpc *downstream.RPCError
	if !errors.As(err, &rpc) || rpc.Code != codeVisitPage {
		return nil
	}
	asked, _ := jsonrpc.Elements(jsonrpc.Lookup(rpc.Data, "elicitations"))
	var pages []tryit.Request
	for _, params := range asked[:min(len(asked), maxPages)] {
		if page, err := tryit.ReadRequest(params); err == nil && page.Page != nil {
			pages = append(pages, page)
		}
	}
	return pages
}

// visit sends the person to pages, and tells whether all of them were visited.
func (s *Questions) visit(t *Try, pages []tryit.Request) bool {
	for _, page := range pages {
		q := s.put(t, page)
		if q.await().action != tryit.Accept {
			s.close(q)
			return false
		}
		<-q.ctx.Done()
		if t.ctx.Err() != nil {
			return false
		}
	}
	return true
}
