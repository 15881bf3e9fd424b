package pool

import (
	"context"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// watched has the resources to which engines have subscribed. To the server, all subscriptions of a resource are one.
type watched struct {
	telling sync.Mutex // held while the server is told, so that it gets everything in order

	mu sync.Mutex
	by map[string]map[*attachment]bool // by URI
}

// subscribe subscribes an engine to a resource.
func (w *watched) subscribe(ctx context.Context, session *downstream.Session, a *attachment, uri string) error {
	w.telling.Lock()
	defer w.telling.Unlock()
	w.mu.Lock()
	count := 0
	for _, engines := range w.by {
		if engines[a] {
			count++
		}
	}
	first := len(w.by[uri]) == 0
	w.mu.Unlock()
	if count >= maxWatched {
		return &downstream.RPCError{Code: jsonrpc.CodeInvalidRequest, Message: "too many resources are subscribed to"}
	}
	if first {
		if err := session.Subscribe(ctx, uri); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by[uri] == nil {
		w.by[uri] = map[*attachment]bool{}
	}
	w.by[uri][a] = true
	return nil
}

// unsubscribe undoes subscribe.
func (w *watched) unsubscribe(ctx context.Context, session *downstream.Session, a *attachment, uri string) error {
	w.telling.Lock()
	defer w.telling.Unlock()
	if !w.drop(a, uri) {
		return nil
	}
	return session.Unsubscribe(ctx, uri)
}

// drop removes a subscription, and reports whether it was the last one of the resource.
func (w *watched) drop(a *attachment, uri string) (last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.by[uri][a] {
		return false
	}
	delete(w.by[uri], a)
	if len(w.by[uri]) > 0 {
		return false
	}
	delete(w.by, uri)
	return true
}

// leave removes the subscriptions of an engine that has left. The server is told in the background.
func (w *watched) leave(s *server, a *attachment) {
	w.mu.Lock()
	var uris []string
	for uri, engines := range w.by {
		if engines[a] {
			uris = append(uris, uri)
		}
	}
	w.mu.Unlock()
	if len(uris) == 0 {
		return
	}
	background.Go(func() {
		session, err := s.acquire(s.ctx)
		if err != nil {
			return // the server is over
		}
		defer s.release()
		for _, uri := range uris {
			_ = w.unsubscribe(s.ctx, session, a, uri) // updates that come nevertheless go to nobody
		}
	})
}

// any reports whether any engine has a subscription.
func (w *watched) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.by) > 0
}

// of returns the engines that have subscribed to a resource, or to one of which it is a part.
func (w *watched) of(uri string) []*attachment {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := map[*attachment]bool{}
	var engines []*attachment
	for subscribed, by := range w.by {
		rest, begins := strings.CutPrefix(uri, subscribed)
		if !begins || rest != "" && !strings.HasSuffix(subscribed, "/") && !strings.ContainsAny(rest[:1], "/?#") {
			continue
		}
		for a := range by {
			if !found[a] {
				found[a] = true
				engines = append(engines, a)
			}
		}
	}
	return engines
}
