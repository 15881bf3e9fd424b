package toolbox

import (
	"encoding/json"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Limits on owners and references.
const (
	maxOwners = 1_000   // names of one server
	maxOwned  = 4 << 10 // the longest name, in bytes
)

// owners records which server a task or an elicitation came from, by its id. It keeps the newest 1,000 of each server.
// The zero value is empty.
type owners struct {
	mu    sync.Mutex
	by    map[string]ServerID
	order map[ServerID][]string // oldest first
}

// add records that name belongs to server, unless it belongs to another one. It reports whether it now belongs to
// server.
func (o *owners) add(name string, server ServerID) bool {
	if name == "" || len(name) > maxOwned {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	old, ok := o.by[name]
	if ok {
		return old == server
	}
	if o.by == nil {
		o.by, o.order = map[string]ServerID{}, map[ServerID][]string{}
	}
	order := o.order[server]
	if len(order) >= maxOwners {
		if o.by[order[0]] == server {
			delete(o.by, order[0])
		}
		order = order[1:]
	}
	o.by[name] = server
	o.order[server] = append(order, name)
	return true
}

// of returns the server that name belongs to.
func (o *owners) of(name string) (ServerID, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	server, ok := o.by[name]
	return server, ok
}

// belongs reports whether name belongs to server.
func (o *owners) belongs(name string, server ServerID) bool {
	owner, ok := o.of(name)
	return ok && owner == server
}

// noteElicitation records the server of an elicitation, if that has an id.
func (o *owners) noteElicitation(from ServerID, params json.RawMessage) {
	if id, ok := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId")); ok {
		o.add(id, from)
	}
}
