package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

const (
	// allowedFor is how long [status.AllowHour] counts.
	allowedFor = time.Hour

	// maxAskedBytes is how long the arguments of a call may be that waits for the person. Nobody can agree to what
	// cannot be shown whole.
	maxAskedBytes = 1 << 20

	// waitingInterval is how often a client that wants progress is told that the person is being asked.
	waitingInterval = 5 * time.Second

	// maxContinued is how many calls are remembered that the client may make again with more input, and continuedFor
	// how long.
	maxContinued = 100
	continuedFor = 10 * time.Minute
)

// permission is the person's consent to calls of a tool, as its server and its definition were then.
type permission struct {
	entry      *config.Server
	definition json.RawMessage
	until      time.Time
}

// covers reports whether the consent is for this tool of this server, and counts still. The zero permission covers
// nothing.
func (p permission) covers(l *link, tool *downstream.Item) bool {
	return p.entry != nil && p.entry.SameProcess(l.entry) && bytes.Equal(p.definition, tool.Definition) &&
		time.Now().Before(p.until)
}

// permissions knows which calls the person has to allow, and asks.
type permissions struct {
	ask   func(ctx context.Context, q status.Question) (status.Answer, error) // nil: nobody can be asked
	limit time.Duration                                                       // for an answer, if the entry sets none
	life  *life
	boxes *boxes
	given consents
}

// consents has the calls that the person has allowed. They are kept in memory only, so they end with the engine and
// with the AI app that has started it. The zero value is empty.
type consents struct {
	mu        sync.Mutex
	tools     map[ToolID]permission
	continued map[continuation]permission
}

// continuation is a call that the server has answered with a question. The client makes it again with the answer.
type continuation struct {
	id               ToolID
	arguments, state string
}

func (c *consents) allow(id ToolID, given permission) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tools == nil {
		c.tools = map[ToolID]permission{}
	}
	c.tools[id] = given
}

// clear takes all permissions back.
func (c *consents) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.tools)
	clear(c.continued)
}

// cover reports whether calls of a tool are allowed for now.
func (c *consents) cover(id ToolID, l *link, tool *downstream.Item) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	given, ok := c.tools[id]
	if ok && !given.covers(l, tool) {
		delete(c.tools, id)
		ok = false
	}
	return ok
}

// keep remembers that the client may make a call again, which the person has allowed, if the server has answered it
// with a question.
func (c *consents) keep(id ToolID, call downstream.Call, given permission, result json.RawMessage) {
	if given.entry == nil || !call.TakesInput {
		return
	}
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(result, "resultType")); kind != "input_required" {
		return
	}
	given.until = time.Now().Add(continuedFor)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.continued == nil || len(c.continued) >= maxContinued { // those of before are asked about again
		c.continued = map[continuation]permission{}
	}
	c.continued[continuation{id, string(call.Arguments), string(jsonrpc.Lookup(result, "requestState"))}] = given
}

// continues returns the permission of a call that the client makes again, once; the zero permission when it is none.
func (c *consents) continues(id ToolID, call downstream.Call) permission {
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
	c.mu.Lock()
	defer c.mu.Unlock()
	key := continuation{id, string(call.Arguments), state}
	given := c.continued[key]
	delete(c.continued, key)
	return given
}

// asksFirst reports whether the person has to be asked before calls of this tool. server is what the file says. A
// change that waits for approval cannot switch that off. The caller holds boxes.mu.
func asksFirst(l *link, server *config.Server, tool *downstream.Item) bool {
	return (l.inForce.AskFirst || server.AskFirst) && !tool.ReadOnly
}

// mustAsk reports whether a call has to wait for the person.
func (p *permissions) mustAsk(id ToolID, l *link, tool *downstream.Item) bool {
	p.boxes.mu.Lock()
	server, ok := entryOf(p.boxes.config, id.On())
	if !ok {
		server = l.inForce // it has just been taken out, and is not gone yet
	}
	asks := asksFirst(l, server, tool)
	p.boxes.mu.Unlock()
	return asks && !p.given.cover(id, l, tool)
}
