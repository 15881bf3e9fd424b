package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The MCP methods and the JSON-RPC codes that questions use.
const (
	elicit         = "elicitation/create"
	elicitComplete = "notifications/elicitation/complete"

	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeVisitPage      = -32042 // the user must visit pages before the call
)

// maxPages is the most pages that one error may ask the user to visit.
const maxPages = 10

// Questions is the client of the app's own engine. It passes to the user what a server asks while a tool is being
// tried. It implements [toolbox.Client]. Its methods can be called on any goroutine.
type Questions struct {
	Asker Asker // nil until there is a window
	notes notes

	mu       sync.Mutex
	tries    []*Try
	open     []*Question              // not answered yet
	declined map[toolbox.ServerID]int // the number of requests that were declined without being shown
}

var _ toolbox.Client = (*Questions)(nil)

// Asker shows questions in the window. Ask can be called on any goroutine.
type Asker interface{ Ask(question *Question) }

// notes writes to the logs of servers. A [toolbox.Manager] does.
type notes interface {
	Note(server toolbox.ServerID, note words.Text)
}

// Try is the trial of a tool.
type Try struct {
	tool   toolbox.ToolID
	ctx    context.Context // the context of the call
	cancel context.CancelFunc
}

// Question is a request to the user.
type Question struct {
	Request tryit.Request
	try     *Try
	answers chan answer     // has room for one answer
	ctx     context.Context // cancelled when the answer is no longer needed
	end     context.CancelFunc
}

type answer struct {
	action  tryit.Action
	content json.RawMessage
}

// newQuestions returns a Questions without questions.
func newQuestions() *Questions {
	return &Questions{declined: map[toolbox.ServerID]int{}}
}

// Begin starts the trial of a tool. The trial lasts until End is called.
func (s *Questions) Begin(ctx context.Context, id toolbox.ToolID) *Try {
	t := &Try{tool: id}
	t.ctx, t.cancel = context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = append(s.tries, t)
	return t
}

// End ends the trial of a tool.
func (s *Questions) End(t *Try) {
	s.mu.Lock()
	s.tries = slices.DeleteFunc(s.tries, func(other *Try) bool { return other == t })
	s.mu.Unlock()
	t.cancel()
}

// Idle reports whether no tool is being tried and no question is open.
func (s *Questions) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) == 0 && len(s.tries) == 0
}

// Capabilities returns the same for every server: the window offers neither a model nor folders.
func (s *Questions) Capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)
}

// Modern returns false. So requests of servers that speak MCP 2026-07-28 are translated, and arrive at Ask like those
// of other servers.
func (s *Questions) Modern() bool { return false }

// Ask asks the user, and refuses requests that a user cannot answer.
func (s *Questions) Ask(ctx context.Context, from toolbox.ServerID, method string,
	params json.RawMessage) (json.RawMessage, error) {
	if method != elicit {
		return nil, &downstream.RPCError{Code: codeMethodNotFound,
			Message: fmt.Sprintf("method '%s' is not supported by this client", downstream.Clean(method, 100))}
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
	defer background.AfterEnd(ctx, q.end)() // the server may withdraw its request or end
	given := q.await()
	if request.Form != nil || given.action != tryit.Accept {
		s.close(q)
	}
	s.notes.Note(from, words.New("questions.answered", "Action", given.action))
	return given.result(), nil
}

// decline writes to a server's log that a request was declined unseen. After the first 50 requests it writes this only
// for every 50th, because a server may repeat its requests forever.
func (s *Questions) decline(from toolbox.ServerID) {
	const each = 50
	s.mu.Lock()
	s.declined[from]++
	n := s.declined[from]
	s.mu.Unlock()
	if n <= each || n%each == 0 {
		s.notes.Note(from, words.New("questions.declined", "Number", n))
	}
}

// trying returns the newest trial of a server's tool that has not been cancelled, or nil if there is none.
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

// put shows a request in the window.
func (s *Questions) put(t *Try, request tryit.Request) *Question {
	q := &Question{try: t, Request: request, answers: make(chan answer, 1)}
	q.ctx, q.end = context.WithCancel(t.ctx)
	s.mu.Lock()
	s.open = append(s.open, q)
	s.mu.Unlock()
	background.AfterEnd(q.ctx, func() { s.close(q) })
	if s.Asker != nil {
		s.Asker.Ask(q)
	}
	return q
}

// close removes a question.
func (s *Questions) close(q *Question) {
	s.mu.Lock()
	s.open = slices.DeleteFunc(s.open, func(other *Question) bool { return other == q })
	s.mu.Unlock()
	q.end()
}

// Tool returns the tool that is being tried.
func (q *Question) Tool() toolbox.ToolID { return q.try.tool }

// Context is cancelled when the answer is no longer needed.
func (q *Question) Context() context.Context { return q.ctx }

// Answer answers the question. Only the first call counts.
func (q *Question) Answer(action tryit.Action, content json.RawMessage) {
	select {
	case q.answers <- answer{action, content}:
	default:
	}
}

// Finish reports that the user is done with an opened page, or has given up. If the user has given up, the call of the
// tool is cancelled, too.
func (q *Question) Finish(done bool) {
	if !done {
		q.try.cancel()
	}
	q.end()
}

// await waits for the answer. If the answer is no longer needed, await returns "cancel".
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

// result returns an answer in the form that the server gets.
func (a answer) result() json.RawMessage {
	members := []jsonrpc.Member{{Name: "action", Value: jsonrpc.AppendString(nil, string(a.action))}}
	if a.content != nil {
		members = append(members, jsonrpc.Member{Name: "content", Value: a.content})
	}
	return jsonrpc.AppendObject(nil, members)
}

// Hear handles a server's message that the user is done with a page. The server may know this before the user says so
// in the window.
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

// requiredPages returns the pages that the user must visit before a call, or nil if the call has not failed for this
// reason.
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

// visit asks the user to visit pages, and reports whether all of them were visited.
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
