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
	// allowedFor is how long [status.AllowHour] is valid.
	allowedFor = time.Hour

	// maxAskedBytes is the largest size of arguments that the person is asked about. All of them must be shown.
	maxAskedBytes = 1 << 20

	// waitingInterval is the time between two progress notifications while the person is asked.
	waitingInterval = 5 * time.Second

	// maxContinued limits the remembered calls that the client may repeat with more input. Each is remembered for
	// continuedFor.
	maxContinued = 100
	continuedFor = 10 * time.Minute
)

// permission is the person's consent to calls of a tool, for one definition of the tool and one entry of its server.
type permission struct {
	entry      *config.Server
	definition json.RawMessage
	until      time.Time
}

// covers reports whether the permission is valid for a tool now. The zero permission covers nothing.
func (p permission) covers(l *link, tool *downstream.Item) bool {
	return p.entry != nil && p.entry.SameProcess(l.entry) && bytes.Equal(p.definition, tool.Definition) &&
		time.Now().Before(p.until)
}

// permissions decides which calls the person must allow, and asks.
type permissions struct {
	ask   func(ctx context.Context, q status.Question) (status.Answer, error) // nil if nobody can be asked
	limit time.Duration                                                       // for an answer, if the entry has none
	life  *life
	boxes *boxes

	consents consents
}

// consents has the permissions that the person has given. They are kept in memory only, so they end with the engine.
// The zero value is empty.
type consents struct {
	mu        sync.Mutex
	tools     map[ToolID]permission
	continued map[continuation]permission // for calls that the client may repeat
}

// continuation identifies a call that the server has answered with a question. The client repeats it with the answer.
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

// clear removes all permissions.
func (c *consents) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.tools)
	clear(c.continued)
}

// cover reports whether the person has allowed all calls of a tool for now.
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

// keep records the permission of a call that the client may repeat, because the server has answered it with a
// question.
func (c *consents) keep(id ToolID, call *downstream.Call, given permission, result []jsonrpc.Member) {
	if given.entry == nil || !call.TakesInput {
		return
	}
	if kind, _ := jsonrpc.String(jsonrpc.ValueOf(result, "resultType")); kind != "input_required" {
		return
	}
	given.until = time.Now().Add(continuedFor)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.continued == nil || len(c.continued) >= maxContinued { // the person is asked again about the earlier ones
		c.continued = map[continuation]permission{}
	}
	c.continued[continuation{id, string(call.Arguments), string(jsonrpc.ValueOf(result, "requestState"))}] = given
}

// continues returns and removes the permission of a call that the client repeats. For other calls it returns the zero
// permission.
func (c *consents) continues(id ToolID, call *downstream.Call) permission {
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

// asksFirst reports whether calls of a tool need the person's permission. server is the entry in the configuration; a
// change that is not approved yet cannot remove the need. The caller holds boxes.mu.
func asksFirst(l *link, server *config.Server, tool *downstream.Item) bool {
	return (l.inForce.AskFirst || server.AskFirst) && !tool.ReadOnly
}

// mustAsk reports whether the person must be asked to allow a call.
func (p *permissions) mustAsk(id ToolID, l *link, tool *downstream.Item) bool {
	p.boxes.mu.Lock()
	server, ok := entryOf(p.boxes.config, id.On())
	if !ok {
		server = l.inForce // it was just removed from the configuration
	}
	asks := asksFirst(l, server, tool)
	p.boxes.mu.Unlock()
	return asks && !p.consents.cover(id, l, tool)
}
