package toolbox

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Limits on what is remembered of servers and of the client.
const (
	maxSubscriptions = 1_000
	maxOwners        = 1_000   // things of one server
	maxOwned         = 4 << 10 // bytes of a URI or id
)

// owners remembers which server something came from, for a limited number of the newest ones.
type owners struct {
	mu    sync.Mutex
	by    map[string]ServerID
	order map[ServerID][]string // oldest first
}

// add remembers an owner. It reports whether name now belongs to server. When another server has it already, it stays there.
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

// claims remembers which servers have linked to resources. It keeps a limited number of the newest of each server.
type claims struct {
	mu    sync.Mutex
	by    map[string][]ServerID
	order map[ServerID][]string // oldest first
}

// add remembers that a server has linked to a resource.
func (c *claims) add(uri string, server ServerID) {
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
func (c *claims) of(uri string) []ServerID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.by[uri])
}

// showed reports whether a server is among those of a page of MCP Apps.
func (c *claims) showed(server ServerID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.order[server], func(uri string) bool { return strings.HasPrefix(uri, pageScheme) })
}

// see remembers the resources that a result of a server links to.
func (c *claims) see(server ServerID, result json.RawMessage) {
	linksOf(result, func(uri string) { c.add(uri, server) })
}

// lastLists has the lists that servers sent last.
type lastLists struct {
	mu sync.Mutex
	by map[ServerID]*[downstream.Kinds][]downstream.Item
}

// keep remembers a list of a server.
func (l *lastLists) keep(server ServerID, kind downstream.Kind, items []downstream.Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[ServerID]*[downstream.Kinds][]downstream.Item{}
	}
	if l.by[server] == nil {
		l.by[server] = &[downstream.Kinds][]downstream.Item{}
	}
	l.by[server][kind] = items
}

// of returns the list that a server sent last.
func (l *lastLists) of(server ServerID, kind downstream.Kind) []downstream.Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lists := l.by[server]; lists != nil {
		return lists[kind]
	}
	return nil
}

// subscriptions are the resources that the client wants to be told of, by the URI that it uses.
type subscriptions struct {
	mu sync.Mutex
	by map[string]target
}

// add remembers a subscription; false means that there are too many.
func (s *subscriptions) add(name string, t target) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string]target{}
	}
	if _, ok := s.by[name]; !ok && len(s.by) >= maxSubscriptions {
		return false
	}
	s.by[name] = t
	return true
}

// remove forgets a subscription. last reports that it was the last one for the resource, so that the server need not send updates.
func (s *subscriptions) remove(name string) (t target, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.by[name]
	delete(s.by, name)
	for _, other := range s.by {
		ok = ok && other != t
	}
	return t, ok
}

// of returns the names under which the client has subscribed to a resource of a server, or to what it is a part of.
func (s *subscriptions) of(server ServerID, uri string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, t := range s.by {
		if t.server != server {
			continue
		}
		if part := strings.TrimPrefix(uri, t.uri); IsPart(uri, t.uri) && len(part) <= maxOwned {
			names = append(names, name+part)
		}
	}
	return names
}

// IsPart reports whether uri is whole or a part of it, as a file is part of a folder. A subscription covers all parts.
func IsPart(uri, whole string) bool {
	part, ok := strings.CutPrefix(uri, whole)
	return ok && (part == "" || strings.HasSuffix(whole, "/") || strings.ContainsRune("/?#", rune(part[0])))
}

// uris returns the server's own URIs of what is subscribed to.
func (s *subscriptions) uris(server ServerID) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var uris []string
	for _, t := range s.by {
		if t.server == server {
			uris = append(uris, t.uri)
		}
	}
	return uris
}
