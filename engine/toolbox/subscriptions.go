package toolbox

import (
	"strings"
	"sync"
)

// maxSubscriptions is how many subscriptions of the client are remembered.
const maxSubscriptions = 1_000

// target is a resource as its server knows it.
type target struct {
	server ServerID
	uri    string
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

// remove forgets a subscription. last reports that it was the last one for the resource, so that the server need not
// send updates.
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
