package toolbox

import (
	"slices"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// references remembers which servers have linked to a resource in a result. It keeps the newest 1,000 of each server.
// The zero value is empty.
type references struct {
	mu    sync.Mutex
	by    map[string][]ServerID
	order map[ServerID][]string // oldest first
}

// add records that a server has linked to a resource.
func (r *references) add(uri string, server ServerID) {
	if uri == "" || len(uri) > maxOwned {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.by[uri], server) {
		return
	}
	if r.by == nil {
		r.by, r.order = map[string][]ServerID{}, map[ServerID][]string{}
	}
	order := r.order[server]
	if len(order) >= maxOwners {
		oldest := order[0]
		r.by[oldest] = slices.DeleteFunc(slices.Clone(r.by[oldest]), func(other ServerID) bool { return other == server })
		if len(r.by[oldest]) == 0 {
			delete(r.by, oldest)
		}
		order = order[1:]
	}
	r.by[uri] = append(slices.Clip(r.by[uri]), server)
	r.order[server] = append(order, uri)
}

// of returns the servers that have linked to a resource.
func (r *references) of(uri string) []ServerID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.by[uri])
}

// hasPage reports whether a server has linked to a page of MCP Apps.
func (r *references) hasPage(server ServerID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.order[server], func(uri string) bool { return strings.HasPrefix(uri, pageScheme) })
}

// note records the resources that a server's result links to or contains.
func (r *references) note(server ServerID, result []jsonrpc.Member) {
	referencesIn(result, func(uri string) { r.add(uri, server) })
}
