package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// stream has the notifications that the client wants: those of one subscriptions/listen request, or, in the initialize
// era, all of them.
type stream struct {
	id    json.RawMessage // of the request; nil in the initialize era
	kinds [downstream.Kinds]bool
	uris  map[string]bool
}

// streams has the open streams and the subscribed resources.
type streams struct {
	log     *slog.Logger
	manager *toolbox.Manager
	conn    *conn

	mu       sync.Mutex
	open     map[string]*stream // by raw id, or legacyStream
	followed map[string]int     // number of streams that follow a resource, by URI
	ownTexts map[string]string  // the text of each followed resource of ours at the last notification
	turns    turns              // the order of subscribing and unsubscribing, by URI
}

// begin adds a stream. done removes it.
func (s *streams) begin(key string, one *stream) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[key] = one
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
	}
}

// beginLegacy adds the stream of a client of the initialize era, which wants all notifications.
func (s *streams) beginLegacy() {
	one := &stream{uris: map[string]bool{}}
	for kind := range one.kinds {
		one.kinds[kind] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[legacyStream] == nil {
		s.open[legacyStream] = one
	}
}

// ownFollowed returns the URIs of our own resources that are followed.
func (s *streams) ownFollowed() (uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.followed {
		if strings.HasPrefix(uri, ownToolboxes) {
			uris = append(uris, uri)
		}
	}
	return uris
}

// legacyStream is the key of the stream of a client of the initialize era. A raw id is never empty.
const legacyStream = ""

// notify sends a notification to the streams that want it.
func (s *streams) notify(method string, params []jsonrpc.Member, wanted func(*stream) bool) {
	s.mu.Lock()
	var to []*stream
	for _, one := range s.open {
		if wanted(one) {
			to = append(to, one)
		}
	}
	s.mu.Unlock()
	for _, one := range to {
		own := params
		if one.id != nil {
			meta := jsonrpc.With(jsonrpc.Split(jsonrpc.ValueOf(params, "_meta")), mcp.MetaKeySubscriptionID, one.id)
			own = jsonrpc.With(params, "_meta", jsonrpc.AppendObject(nil, meta))
		}
		line := append(jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), method), `,"params":`...)
		if len(own) == 0 {
			line = line[:len(line)-len(`,"params":`)]
		} else {
			line = jsonrpc.AppendObject(line, own)
		}
		s.conn.write(line, []byte{'}'})
	}
}

// follow counts a stream that follows a resource. For the first one it subscribes to the resource. The caller has the
// turn of the URI.
func (s *streams) follow(ctx context.Context, uri string) error {
	s.mu.Lock()
	first := s.followed[uri] == 0
	s.mu.Unlock()
	if _, own := ownContent(s.manager, uri); own {
		if first {
			s.rememberOwn(uri)
		}
	} else if strings.HasPrefix(uri, ownToolboxes) {
		return toolbox.ErrNoResource
	} else if first {
		if err := s.manager.Resources.Subscribe(ctx, uri); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.followed[uri]++
	s.mu.Unlock()
	return nil
}

// unfollow undoes follow. For the last stream it unsubscribes from the resource. The caller has the turn of the URI.
func (s *streams) unfollow(ctx context.Context, uri string) error {
	s.mu.Lock()
	s.followed[uri]--
	last := s.followed[uri] <= 0
	if last {
		delete(s.followed, uri)
	}
	s.mu.Unlock()
	if !last || strings.HasPrefix(uri, ownToolboxes) {
		return nil
	}
	return s.manager.Resources.Unsubscribe(ctx, uri)
}

// subscribe makes a stream follow a resource. It is not an error if it does already.
func (s *streams) subscribe(ctx context.Context, key, uri string) error {
	s.mu.Lock()
	one := s.open[key]
	twice := one != nil && one.uris[uri]
	s.mu.Unlock()
	if one == nil {
		return errors.New("initialize first")
	}
	if twice {
		return nil
	}
	if err := s.follow(ctx, uri); err != nil {
		return err
	}
	s.mu.Lock()
	one.uris[uri] = true
	s.mu.Unlock()
	return nil
}

// unsubscribe undoes subscribe. It is not an error if the stream does not follow the resource.
func (s *streams) unsubscribe(ctx context.Context, key, uri string) error {
	s.mu.Lock()
	one := s.open[key]
	had := one != nil && one.uris[uri]
	if had {
		delete(one.uris, uri)
	}
	s.mu.Unlock()
	if !had {
		return nil
	}
	return s.unfollow(ctx, uri)
}

// rememberOwn stores the text of one of our own resources, and reports whether it has changed.
func (s *streams) rememberOwn(uri string) (changed bool) {
	text, _ := ownContent(s.manager, uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = s.ownTexts[uri] != text
	s.ownTexts[uri] = text
	return changed
}

// isFollowed reports whether the client wants to be notified of changes of a list.
func (s *streams) isFollowed(kind downstream.Kind) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.open {
		if one.kinds[kind] {
			return true
		}
	}
	return false
}
