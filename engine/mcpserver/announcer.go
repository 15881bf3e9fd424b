package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// announcer notifies the client of changed lists and resources.
type announcer struct {
	log       *slog.Logger
	manager   *toolbox.Manager
	catalogue *catalogue
	opener    *opener
	streams   *streams
	lifetime  context.Context // of [Server.Run]
	wake      chan struct{}   // see signal

	mu         sync.Mutex    // held while announcing
	announced  [32]byte      // SHA-256 of the list of tools that the client knows or was notified of
	modernList bool          // that list was made for protocol version 2026-07-28 or later
	others     atomic.Uint32 // other kinds of lists that may have changed, as bits

	delivery   *delivery
	listWait   time.Duration   // see [DefaultListWait]
	inputEnded <-chan struct{} // closed when the client sends nothing any more

	noting    sync.Mutex                 // guards updates
	updates   map[string]json.RawMessage // params of notifications that are still to be sent, by URI
	toldFlood sync.Map                   // servers for which it was logged that there are too many updates
}

// listChanged is [toolbox.Options.Changed].
func (a *announcer) listChanged(kind downstream.Kind) {
	if kind == downstream.Tools {
		a.catalogue.changes.Add(1)
	} else {
		a.others.Or(1 << kind)
	}
	a.signal()
}

// signal makes run check for changes.
func (a *announcer) signal() {
	pause.Wake(a.wake)
}

// run notifies the client of changes until ctx ends. Changes that come together give one notification.
func (a *announcer) run(ctx context.Context) {
	status, cancel := a.manager.Subscribe()
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case <-status:
			a.checkOwn()
			continue
		case <-a.wake:
		}
		if ctx.Err() != nil {
			return // the end of the session is not a change
		}
		if a.opener.opening.Load() == 0 { // otherwise announceAndWait follows
			a.announce()
		}
		a.tellUpdates()
		pause := time.NewTimer(updatePause)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// identify calls set, which records who the client is and reports whether it was known already. The client is not
// notified of changes before its first list, so nothing is announced meanwhile.
func (a *announcer) identify(set func() (known bool)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !set() {
		a.catalogue.changes.Add(1) // names depend on the client
		a.announced = sha256.Sum256(a.catalogue.toolList(a.modernList))
	}
}

// markAnnounced returns the list of tools and records that the client gets it. change is for [delivery.give], after
// the list was written.
func (a *announcer) markAnnounced(modern bool) (list []byte, change uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list = a.catalogue.toolList(modern)
	a.announced, a.modernList = sha256.Sum256(list), modern
	return list, a.delivery.current()
}

// announce sends list_changed for each kind of list that has changed since the client got it.
func (a *announcer) announce() {
	a.mu.Lock()
	defer a.mu.Unlock()
	notices := map[string]bool{} // resources and templates have the same notification
	others := a.others.Swap(0)
	for kind := range downstream.Kinds {
		notice := kind.List().Notice
		if others&(1<<kind) != 0 && !notices[notice] {
			notices[notice] = true
			a.streams.notify(notice, nil, func(one *stream) bool { return one.kinds[kind] })
		}
	}
	sum := sha256.Sum256(a.catalogue.toolList(a.modernList))
	if sum == a.announced || a.lifetime.Err() != nil { // the end of the session is not a change
		return
	}
	// There is no stream before the client has initialized or, since 2026-07-28, has asked for one.
	if !a.streams.isFollowed(downstream.Tools) {
		return
	}
	a.announced = sum
	a.delivery.tell()
	a.streams.notify(downstream.Tools.List().Notice, nil, func(one *stream) bool { return one.kinds[downstream.Tools] })
}

// announceAndWait notifies the client of changed tools and, in dynamic mode, waits until it has the new list.
func (a *announcer) announceAndWait(ctx context.Context) {
	a.catalogue.changes.Add(1) // the manager may return before it calls listChanged
	a.announce()
	if c := a.catalogue.peer.client.Load(); a.catalogue.mode() == config.ModeDynamic && c.Pause != client.NoWait {
		a.delivery.wait(ctx, a.inputEnded, a.listWait, pauseFor(c))
	}
}

// maxUpdate is the largest size of the params of an update, in bytes. Of larger ones only the URI is passed on.
const maxUpdate = 4 << 10

// updatePause is the shortest time between two rounds of updates. A resource gives at most one update in a round.
const updatePause = 50 * time.Millisecond

// maxUpdates limits the resources with updates that are still to be sent. Updates of further resources are dropped.
const maxUpdates = 1_000

// updated records that a resource was updated. It reports false if there are too many updates.
func (a *announcer) updated(uri string, params json.RawMessage) (noted bool) {
	a.noting.Lock()
	if noted = a.updates[uri] != nil || len(a.updates) < maxUpdates; noted {
		if len(params) > maxUpdate {
			params = append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}')
		}
		a.updates[uri] = slices.Clone(params)
	}
	a.noting.Unlock()
	a.signal()
	return noted
}

// tellUpdates notifies the client of the updated resources.
func (a *announcer) tellUpdates() {
	a.noting.Lock()
	updates := a.updates
	a.updates = map[string]json.RawMessage{}
	a.noting.Unlock()
	for uri, params := range updates {
		a.streams.notify(downstream.ResourceUpdated, jsonrpc.Split(params), func(one *stream) bool {
			for wanted := range one.uris {
				if toolbox.IsPart(uri, wanted) {
					return true
				}
			}
			return false
		})
	}
}

// checkOwn records an update for each of our own resources whose text has changed.
func (a *announcer) checkOwn() {
	for _, uri := range a.streams.ownFollowed() {
		if a.streams.rememberOwn(uri) {
			a.updated(uri, append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}'))
		}
	}
}
