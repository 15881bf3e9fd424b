package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// stream says which notifications the client wants: those of one subscriptions/listen request, or, for a client of the
// initialize era, all of them.
type stream struct {
	id    json.RawMessage // of the request; nil for a client of the initialize era
	kinds [downstream.Kinds]bool
	uris  map[string]bool
}

// maxUpdate is the limit on the params of an update, in bytes. Of longer ones only the URI passes.
const maxUpdate = 4 << 10

// legacyStream is the key of the one stream of a client of the initialize era; a raw id is never empty.
const legacyStream = ""

// updatePause is the shortest time between two rounds of updates. All updates of a resource in one round become one.
const updatePause = 50 * time.Millisecond

// maxUpdates is how many resources may have updates that the client does not know of yet. Updates of more are dropped.
const maxUpdates = 1_000

// notify sends a notification to the streams that want it.
func (s *Server) notify(method string, params []jsonrpc.Member, wanted func(*stream) bool) {
	s.mu.Lock()
	var to []*stream
	for _, one := range s.streams {
		if wanted(one) {
			to = append(to, one)
		}
	}
	s.mu.Unlock()
	for _, one := range to {
		own := params
		if one.id != nil {
			meta := jsonrpc.With(jsonrpc.Split(member(params, "_meta")), mcp.MetaKeySubscriptionID, one.id)
			own = jsonrpc.With(params, "_meta", jsonrpc.AppendObject(nil, meta))
		}
		line := append(jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), method), `,"params":`...)
		if len(own) == 0 {
			line = line[:len(line)-len(`,"params":`)]
		} else {
			line = jsonrpc.AppendObject(line, own)
		}
		s.write(line, []byte{'}'})
	}
}

// follow counts one more follower of a resource, and subscribes to it for the first. The caller holds the URI's turn.
func (s *Server) follow(ctx context.Context, uri string) error {
	s.mu.Lock()
	first := s.followed[uri] == 0
	s.mu.Unlock()
	if _, own := s.ownContent(uri); own {
		if first {
			s.rememberOwn(uri)
		}
	} else if strings.HasPrefix(uri, ownToolboxes) {
		return toolbox.ErrNoResource
	} else if first {
		if err := s.manager.SubscribeResource(ctx, uri); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.followed[uri]++
	s.mu.Unlock()
	return nil
}

// unfollow counts one follower less, and unsubscribes for the last. The caller holds the URI's turn.
func (s *Server) unfollow(ctx context.Context, uri string) error {
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
	return s.manager.UnsubscribeResource(ctx, uri)
}

// subscribe has a stream told of a resource. It is no error to do it twice.
func (s *Server) subscribe(ctx context.Context, key, uri string) error {
	s.mu.Lock()
	one := s.streams[key]
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

// unsubscribe takes a subscription back. It is no error when there was none.
func (s *Server) unsubscribe(ctx context.Context, key, uri string) error {
	s.mu.Lock()
	one := s.streams[key]
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

// updated notes that a resource was updated; the announcer tells of it.
func (s *Server) updated(uri string, params json.RawMessage) (noted bool) {
	s.mu.Lock()
	if noted = s.updates[uri] != nil || len(s.updates) < maxUpdates; noted {
		if len(params) > maxUpdate {
			params = append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}')
		}
		s.updates[uri] = slices.Clone(params)
	}
	s.mu.Unlock()
	s.knock()
	return noted
}

// tellUpdates tells of updated resources.
func (s *Server) tellUpdates() {
	s.mu.Lock()
	updates := s.updates
	s.updates = map[string]json.RawMessage{}
	s.mu.Unlock()
	for uri, params := range updates {
		s.notify(downstream.ResourceUpdated, jsonrpc.Split(params), func(one *stream) bool {
			for wanted := range one.uris {
				if toolbox.IsPart(uri, wanted) {
					return true
				}
			}
			return false
		})
	}
}

// rememberOwn notes what one of our resources says, so that only changes are told of.
func (s *Server) rememberOwn(uri string) (changed bool) {
	text, _ := s.ownContent(uri)
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = s.ownTexts[uri] != text
	s.ownTexts[uri] = text
	return changed
}

// checkOwn notes an update for each of our resources whose text has changed.
func (s *Server) checkOwn() {
	s.mu.Lock()
	var uris []string
	for uri := range s.followed {
		if strings.HasPrefix(uri, ownToolboxes) {
			uris = append(uris, uri)
		}
	}
	s.mu.Unlock()
	for _, uri := range uris {
		if s.rememberOwn(uri) {
			s.updated(uri, append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}'))
		}
	}
}

// Hear passes a notification of a server on to the client.
func (c clientSide) Hear(from toolbox.ServerID, method string, params json.RawMessage) {
	switch method {
	case downstream.ResourceUpdated:
		uri, _ := jsonrpc.String(jsonrpc.Lookup(params, "uri"))
		if _, told := c.toldFlood.Load(from); !c.updated(uri, params) && !told {
			c.toldFlood.Store(from, true)
			c.log.Warn("Updates of resources come faster than the client can be told; some are left out", "toolbox", from.Toolbox, "server", from.Server)
		}
	case downstream.LogMessage:
		c.hearMessage(from, params)
	case downstream.TaskStatus, downstream.ElicitationComplete:
		c.notify(method, jsonrpc.Split(params), isLegacy)
	}
}

func isLegacy(one *stream) bool { return one.id == nil }

// hearMessage passes a log message on, with the server's name as its logger.
func (s *Server) hearMessage(from toolbox.ServerID, params json.RawMessage) {
	members := jsonrpc.Split(params)
	level, _ := jsonrpc.String(member(members, "level"))
	wanted := s.level.Load()
	if !s.legacy.Load() && s.leveled.Load() == 0 || wanted != nil && rank(level) < rank(*wanted) {
		return
	}
	logger := from.String()
	if own, _ := jsonrpc.String(member(members, "logger")); own != "" {
		logger += "/" + own
	}
	params = jsonrpc.AppendObject(nil, jsonrpc.With(members, "logger", jsonrpc.AppendString(nil, logger)))
	s.write([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":`), params, []byte{'}'})
}

// rank returns the order of a level. An unknown level counts as the most important one.
func rank(level string) int {
	for i, known := range levels {
		if known == level {
			return i
		}
	}
	return len(levels)
}
