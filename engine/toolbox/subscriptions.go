package toolbox

import (
	"strings"
	"sync"
)

// maxSubscriptions is how many resources the client may subscribe to.
const maxSubscriptions = 1_000

// target is a resource with its server and the server's own URI.
type target struct {
	server ServerID
	uri    string
}

// subscriptions has the client's subscriptions to resources, by the URI that the client uses. The zero value is empty.
type subscriptions struct {
	mu sync.Mutex
	by map[string]target
}

// add adds a subscription. It reports false if there are too many.
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

// remove removes a subscription. last reports that no other one is for the same resource.
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

// of returns the client's URIs for a resource of a server: those that it has subscribed to and that uri is, or is a
// part of.
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

// IsPart reports whether uri is whole or a part of it, as a file is part of a folder. A subscription to a resource
// includes its parts.
func IsPart(uri, whole string) bool {
	part, ok := strings.CutPrefix(uri, whole)
	return ok && (part == "" || strings.HasSuffix(whole, "/") || strings.ContainsRune("/?#", rune(part[0])))
}

// uris returns the subscribed resources of a server, by the server's own URIs.
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
