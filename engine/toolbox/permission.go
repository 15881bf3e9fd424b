package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// allowedFor is how long [status.AllowHour] counts.
	allowedFor = time.Hour

	// maxAskedBytes is how long the arguments of a call may be that waits for the person. Nobody can agree to what cannot be
	// shown whole.
	maxAskedBytes = 1 << 20

	// waitingInterval is how often a client that wants progress is told that the person is being asked.
	waitingInterval = 5 * time.Second

	// maxContinued is how many calls are remembered that the client may make again with more input, and continuedFor how long.
	maxContinued = 100
	continuedFor = 10 * time.Minute
)

// permission is the person's consent to calls of a tool, as its server and its definition were then.
type permission struct {
	entry      *config.Server
	definition json.RawMessage
	until      time.Time
}

// covers reports whether the consent is for this tool of this server, and counts still. The zero permission covers nothing.
func (p permission) covers(l *link, tool *downstream.Item) bool {
	return p.entry != nil && p.entry.SameProcess(l.entry) && bytes.Equal(p.definition, tool.Definition) && time.Now().Before(p.until)
}

// permissions has the calls that the person has allowed. They are kept in memory only, so they end with the engine and with the AI
// app that has started it.
type permissions struct {
	mu        sync.Mutex
	tools     map[ToolID]permission
	continued map[continuation]permission
}

// continuation is a call that the server has answered with a question. The client makes it again with the answer.
type continuation struct {
	id               ToolID
	arguments, state string
}

func (p *permissions) allow(id ToolID, given permission) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tools == nil {
		p.tools = map[ToolID]permission{}
	}
	p.tools[id] = given
}

// clear takes all permissions back.
func (p *permissions) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.tools)
	clear(p.continued)
}

// cover reports whether calls of a tool are allowed for now.
func (p *permissions) cover(id ToolID, l *link, tool *downstream.Item) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	given, ok := p.tools[id]
	if ok && !given.covers(l, tool) {
		delete(p.tools, id)
		ok = false
	}
	return ok
}

// keep remembers that the client may make a call again, which the person has allowed, if the server has answered it with a question.
func (p *permissions) keep(id ToolID, call downstream.Call, given permission, result json.RawMessage) {
	if given.entry == nil || !call.TakesInput {
		return
	}
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(result, "resultType")); kind != "input_required" {
		return
	}
	given.until = time.Now().Add(continuedFor)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.continued == nil || len(p.continued) >= maxContinued { // those of before are asked about again
		p.continued = map[continuation]permission{}
	}
	p.continued[continuation{id, string(call.Arguments), string(jsonrpc.Lookup(result, "requestState"))}] = given
}

// continues returns the permission of a call that the client makes again, once; the zero permission when it is none.
func (p *permissions) continues(id ToolID, call downstream.Call) permission {
	answers, state := false, ""
	for _, m := range call.Params {
		switch m.Name {
		case "inputResponses":
			answers = true
		case "requestState":
			state = string(m.Value)
		}
	}
	if !answers && state == "" {
		return permission{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := continuation{id, string(call.Arguments), state}
	given := p.continued[key]
	delete(p.continued, key)
	return given
}

// asksFirst reports whether the person has to be asked before calls of this tool. server is what the file says. A change that waits for approval
// cannot switch that off. The caller holds m.mu.
func asksFirst(l *link, server *config.Server, tool *downstream.Item) bool {
	return (l.inForce.AskFirst || server.AskFirst) && !tool.ReadOnly
}

// mustAsk reports whether a call has to wait for the person.
func (m *Manager) mustAsk(id ToolID, l *link, tool *downstream.Item) bool {
	m.mu.Lock()
	server, ok := entryOf(m.config, id.On())
	if !ok {
		server = l.inForce // it has just been taken out, and is not gone yet
	}
	asks := asksFirst(l, server, tool)
	m.mu.Unlock()
	return asks && !m.permissions.cover(id, l, tool)
}

// Why a call that waits for the person does not go on.
const (
	errRefused     = words.Code("toolbox.call_refused")
	errNobodyAsked = words.Code("toolbox.nobody_asked")
	errTooDeep     = words.Code("toolbox.too_deep_to_ask")
)

// askPerson returns the person's permission for a call, or an [*Error] that says why there is none, or ctx's error.
func (m *Manager) askPerson(ctx context.Context, id ToolID, l *link, tool *downstream.Item, call downstream.Call) (permission, error) {
	refuse := func(why error) (permission, error) {
		return permission{}, callFailed(id, contract.Unavailable, words.NewError("toolbox.asks_first", "Why", why))
	}
	switch {
	case m.options.Ask == nil:
		return refuse(errNobodyAsked)
	case len(call.Arguments) > maxAskedBytes:
		return refuse(words.NewError("toolbox.too_large_to_ask", "Size", len(call.Arguments), "Limit", maxAskedBytes))
	case jsonrpc.Depth(call.Arguments) > maxDepth:
		return refuse(errTooDeep)
	case len(id.Tool) > maxName:
		return refuse(words.NewError("toolbox.name_too_long_to_ask", "Size", len(id.Tool), "Limit", maxName))
	}
	limit := m.options.Deadline
	if own := l.entry.CallTimeout; own != nil && *own > 0 {
		limit = *own
	}
	asking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer background.AfterEnd(m.lifetime, cancel)()
	q := status.Question{
		Toolbox: wholeLine(id.Toolbox), Server: wholeLine(id.Server), Tool: wholeLine(id.Tool),
		Title: oneLine(tool.Title, maxName), Destructive: tool.Destructive, Until: time.Now().Add(limit),
		Arguments: jsonrpc.MapStrings(call.Arguments, l.session.MaskKnown),
	}
	l.journal.say(words.New("toolbox.asking", "Tool", q.Tool))
	answer, err := m.awaitPerson(asking, q, call.Progress)
	if err == nil && answer != status.AllowOnce && answer != status.AllowHour {
		err = errRefused
	}
	if err != nil {
		switch {
		case ctx.Err() != nil:
			return permission{}, ctx.Err() // the client has taken the call back
		case m.lifetime.Err() != nil:
			err = errShutdown
		case asking.Err() != nil:
			err = words.NewError("toolbox.not_answered", "Limit", limit)
		}
		l.journal.say(words.New("toolbox.call_not_allowed", "Tool", q.Tool, "Why", err))
		if errors.Is(err, errShutdown) {
			return permission{}, callFailed(id, contract.Unavailable, err)
		}
		return refuse(err)
	}
	given := permission{l.entry, tool.Definition, time.Now().Add(allowedFor)}
	if answer == status.AllowHour {
		m.permissions.allow(id, given)
		l.journal.say(words.New("toolbox.call_allowed_hour", "Tool", q.Tool))
	} else {
		l.journal.say(words.New("toolbox.call_allowed", "Tool", q.Tool))
	}
	return given, nil
}

// wholeLine returns a name as one line in which nothing is left out, since what is called depends on it.
func wholeLine(name string) string { return visible.Map(name, visible.Escape) }

// awaitPerson asks the person, and tells a client that wants progress that it still waits.
func (m *Manager) awaitPerson(ctx context.Context, q status.Question, progress func(json.RawMessage)) (status.Answer, error) {
	type outcome struct {
		answer status.Answer
		err    error
	}
	answered := make(chan outcome, 1)
	m.running.Go(func() {
		var o outcome
		o.err = background.Catch(func() (err error) {
			o.answer, err = m.options.Ask(ctx, q)
			return err
		})
		answered <- o
	})
	var tick <-chan time.Time
	if progress != nil {
		ticker := time.NewTicker(waitingInterval)
		defer ticker.Stop()
		tick = ticker.C
		progress(waitingProgress(1))
	}
	for n := 2; ; n++ {
		select {
		case o := <-answered:
			return o.answer, o.err
		case <-tick:
			progress(waitingProgress(n))
		}
	}
}

// waitingProgress is the nth notification of a call that waits for the person. The number of a progress must grow with each
// notification, and the server's own begin at 0 or 1. So these lie below 0.
func waitingProgress(n int) json.RawMessage {
	params := []byte(`{"progressToken":0,"progress":`)
	params = strconv.AppendFloat(params, -1/float64(n), 'f', -1, 64)
	return append(params, `,"message":"Waiting for the user to allow this call in Workbench"}`...)
}
