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
func (c *references) add(uri string, server ServerID) {
	if uri == "" || len(uri) > maxOwned {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.by[uri], server) {
		return
	}
	if c.by == nil {
		c.by, c.order = map[string][]ServerID{}, map[ServerID][]string{}
	}
	order := c.order[server]
	if len(order) >= maxOwners {
		oldest := order[0]
		c.by[oldest] = slices.DeleteFunc(slices.Clone(c.by[oldest]), func(other ServerID) bool { return other == server })
		if len(c.by[oldest]) == 0 {
			delete(c.by, oldest)
		}
		order = order[1:]
	}
	c.by[uri] = append(slices.Clip(c.by[uri]), server)
	c.order[server] = append(order, uri)
}

// of returns the servers that have linked to a resource.
func (c *references) of(uri string) []ServerID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.by[uri])
}

// hasPage reports whether a server has linked to a page of MCP Apps.
func (c *references) hasPage(server ServerID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.order[server], func(uri string) bool { return strings.HasPrefix(uri, pageScheme) })
}

// note records the resources that a server's result links to or contains.
func (c *references) note(server ServerID, result []jsonrpc.Member) {
	referencesIn(result, func(uri string) { c.add(uri, server) })
}
