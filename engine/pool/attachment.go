package pool

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// attachment is one engine that uses a shared server: what it has asked, and what it was asked.
type attachment struct {
	server *server
	user   user
	out    *outbox
	ctx    context.Context // ends when the engine has left
	cancel context.CancelFunc
	work   background.Group // its requests in progress

	turns   chan *asked   // requests that wait for their turn
	slots   chan struct{} // has a value for each request that the server works on
	calling atomic.Int64  // how many requests are in progress that may make the server ask something

	mu        sync.Mutex
	requests  map[string]*asked              // without an answer, by id
	held      int                            // bytes of these
	questions map[int64]chan jsonrpc.Message // of the server, that the engine has not answered, by our id
	lastID    int64                          // of the questions
	moves     bool                           // its app works in other folders now
}

func newAttachment(s *server, of user, conn net.Conn) *attachment {
	a := &attachment{server: s, user: of, out: newOutbox(conn), turns: make(chan *asked, maxUnanswered),
		slots: make(chan struct{}, maxAtOnce), requests: map[string]*asked{}, questions: map[int64]chan jsonrpc.Message{}}
	a.ctx, a.cancel = context.WithCancel(s.ctx)
	return a
}

// run serves the engine until it leaves, or until the server is over and the engine knows.
func (a *attachment) run(reader *jsonrpc.Reader) {
	var writing, sending background.Group
	writing.Go(a.out.run)
	sending.Go(a.takeTurns)
	a.read(reader)
	a.cancel()
	a.out.unheard()
	sending.Wait()
	a.work.Wait()
	a.server.detach(a)
	a.out.close()
	writing.Wait()
}

// read reads what the engine sends. It returns at the first line that no engine sends.
func (a *attachment) read(reader *jsonrpc.Reader) {
	for {
		line, err := reader.Next()
		if err != nil || string(line) == lineBye {
			return
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			return
		}
		switch m.Kind() {
		case jsonrpc.Request:
			a.request(m, len(line))
		case jsonrpc.Notification:
			a.notified(m)
		case jsonrpc.Response:
			a.answered(m)
		}
	}
}

// move ends the attachment if its app works in other folders now and all of its requests are answered: the engine then
// connects again, perhaps to another process.
func (a *attachment) move() {
	a.mu.Lock()
	now := a.moves && len(a.requests) == 0
	a.mu.Unlock()
	if now {
		a.out.finish(ending(words.New("pool.other_folders")))
	}
}

// notified handles a notification of the engine.
func (a *attachment) notified(m jsonrpc.Message) {
	switch m.Method {
	case "notifications/cancelled":
		a.mu.Lock()
		r := a.requests[string(jsonrpc.Lookup(m.Params, "requestId"))]
		a.mu.Unlock()
		if r != nil {
			r.cancel(downstream.Cancelled(m.Params))
		}
	case "notifications/roots/list_changed":
		if a.server.roots != nil {
			a.mu.Lock()
			a.moves = true
			a.mu.Unlock()
			a.move()
		}
	case "notifications/progress": // of an answer to the server
		a.mu.Lock()
		asked := len(a.questions) > 0
		a.mu.Unlock()
		if !asked {
			return
		}
		a.server.mu.Lock()
		session := a.server.session
		a.server.mu.Unlock()
		if session != nil {
			session.Notify(m.Method, m.Params)
		}
	}
}

// ask asks the app of the engine something for the server.
func (a *attachment) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	answer := make(chan jsonrpc.Message, 1)
	a.mu.Lock()
	a.lastID++
	id := a.lastID
	a.questions[id] = answer
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		delete(a.questions, id)
		a.mu.Unlock()
	}()
	errLeft := &downstream.RPCError{Code: jsonrpc.CodeInternalError, Message: "the app that was asked has left"}
	if !a.out.tell(request(id, method, params)) {
		return nil, errLeft
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, downstream.ParseError(m.Error)
		}
		return m.Result, nil
	case <-a.ctx.Done():
		return nil, errLeft
	case <-ctx.Done():
		number, _ := json.Marshal(id) // a number always is JSON
		a.out.tell(notification("notifications/cancelled", jsonrpc.AppendObject(nil, []jsonrpc.Member{
			{Name: "requestId", Value: number},
			{Name: "reason", Value: jsonrpc.AppendString(nil, context.Cause(ctx).Error())}})))
		return nil, ctx.Err()
	}
}

// answered passes an answer of the engine to the question that waits for it. Nobody else's question can be answered.
func (a *attachment) answered(m jsonrpc.Message) {
	var id int64
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if answer := a.questions[id]; answer != nil {
		delete(a.questions, id)
		answer <- m
	}
}

// ask passes a request of the server to the engine that it belongs to: the one whose call it is, where the server says
// so, or else the only one that has asked the server something.
func (s *server) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if method == "roots/list" && s.roots != nil {
		return s.roots, nil // all engines of this server have the same
	}
	a, known := ctx.Value(ofAttachment{}).(*attachment)
	if related := jsonrpc.Lookup(jsonrpc.Lookup(params, "_meta"), relatedTask); !known && related != nil {
		a = s.tasks.owner(related)
	}
	if a == nil {
		a = s.caller(s.everybody())
	}
	if a == nil {
		return nil, &downstream.RPCError{Code: jsonrpc.CodeInvalidRequest,
			Message: "several apps share this server, and it is not known for which of them this question is; ask while a " +
				"call of one app alone is in progress"}
	}
	return a.ask(ctx, method, params)
}

// ofAttachment is the key of the attachment in the context of a call.
type ofAttachment struct{}

// readWanted reads the first line of an engine.
func readWanted(reader *jsonrpc.Reader) (*wanted, error) {
	line, err := reader.Next()
	if err != nil {
		return nil, err
	}
	w := &wanted{}
	if err := json.Unmarshal(line, w); err != nil {
		return nil, err
	}
	if !w.Asks && (w.Server == nil || w.Server.URL != "") || len(line) > maxWanted {
		return nil, io.ErrUnexpectedEOF // no engine sends this
	}
	return w, nil
}
