package toolbox

import (
	"encoding/json"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Limits on what is remembered of servers.
const (
	maxOwners = 1_000   // things of one server
	maxOwned  = 4 << 10 // bytes of a URI or id
)

// owners remembers which server something came from, for a limited number of the newest ones.
type owners struct {
	mu    sync.Mutex
	by    map[string]ServerID
	order map[ServerID][]string // oldest first
}

// add remembers an owner. It reports whether name now belongs to server. When another server has it already, it stays
// there.
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

// of returns the owner.
func (o *owners) of(name string) (ServerID, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	server, ok := o.by[name]
	return server, ok
}

// belongs reports whether something is known to have come from a server.
func (o *owners) belongs(name string, server ServerID) bool {
	owner, ok := o.of(name)
	return ok && owner == server
}

// noteElicitation remembers which server an elicitation with an id belongs to.
func (o *owners) noteElicitation(from ServerID, params json.RawMessage) {
	if id, ok := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId")); ok {
		o.add(id, from)
	}
}
