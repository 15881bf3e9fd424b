package workbench

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

// announcer tells the client what has changed.
type announcer struct {
	log       *slog.Logger
	manager   *toolbox.Manager
	catalogue *catalogue
	opener    *opener
	streams   *streams
	lifetime  context.Context // of [Server.Run]
	wake      chan struct{}

	mu         sync.Mutex    // held while the client is told of lists
	announced  [32]byte      // SHA-256 of the tool list that the client was last told of
	modernList bool          // that list was for a client of protocol version 2026-07-28 or later
	others     atomic.Uint32 // kinds of lists besides tools that may have changed, a bit each

	delivery   *delivery
	listWait   time.Duration   // see [DefaultListWait]
	inputEnded <-chan struct{} // closed when the client sends nothing any more

	noting    sync.Mutex
	updates   map[string]json.RawMessage // resources that were updated, with the notification's params
	toldFlood sync.Map                   // servers of which it was logged that their updates are too many
}

// listChanged is called by the manager, from its goroutines.
func (a *announcer) listChanged(kind downstream.Kind) {
	if kind == downstream.Tools {
		a.catalogue.changes.Add(1)
	} else {
		a.others.Or(1 << kind)
	}
	a.signal()
}

// signal wakes the announcer.
func (a *announcer) signal() {
	pause.Wake(a.wake)
}

// run tells the client of changes until ctx ends, of those that come together once.
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
			return // the tools go with the session, which is no change
		}
		if a.opener.opening.Load() == 0 { // otherwise the opening announces when it is done
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

// identify runs greet, after which the client may be another one. No announcement is sent meanwhile: the client is not
// told of changes before its first list.
func (a *announcer) identify(greet func() (known bool)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !greet() {
		a.catalogue.changes.Add(1) // names depend on the client
		a.announced = sha256.Sum256(a.catalogue.toolList(a.modernList))
	}
}

// markAnnounced returns the tool list and takes it as known to the client. change is for [delivery.give], once it was
// written.
func (a *announcer) markAnnounced(modern bool) (list []byte, change uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list = a.catalogue.toolList(modern)
	a.announced, a.modernList = sha256.Sum256(list), modern
	return list, a.delivery.current()
}

// announce sends a list_changed for each kind of list that has changed since the client got it.
func (a *announcer) announce() {
	a.mu.Lock()
	defer a.mu.Unlock()
	notices := map[string]bool{} // two kinds have the same
	others := a.others.Swap(0)
	for kind := range downstream.Kinds {
		notice := kind.List().Notice
		if others&(1<<kind) != 0 && !notices[notice] {
			notices[notice] = true
			a.streams.notify(notice, nil, func(one *stream) bool { return one.kinds[kind] })
		}
	}
	sum := sha256.Sum256(a.catalogue.toolList(a.modernList))
	if sum == a.announced || a.lifetime.Err() != nil { // the end of the session takes the tools away, which is no change
		return
	}
	// The engine never speaks first, and since 2026-07-28 only to clients that asked for it.
	if !a.streams.isFollowed(downstream.Tools) {
		return
	}
	a.announced = sum
	a.delivery.tell()
	a.streams.notify(downstream.Tools.List().Notice, nil, func(one *stream) bool { return one.kinds[downstream.Tools] })
}

// announceAndWait tells the client of changed tools and, in dynamic mode, waits until it has them.
func (a *announcer) announceAndWait(ctx context.Context) {
	a.catalogue.changes.Add(1) // the manager may return before it calls listChanged
	a.announce()
	if c := a.catalogue.peer.client.Load(); a.catalogue.mode() == config.ModeDynamic && c.Pause != client.NoWait {
		a.delivery.wait(ctx, a.inputEnded, a.listWait, pauseFor(c))
	}
}

// maxUpdate is the limit on the params of an update, in bytes. Of longer ones only the URI passes.
const maxUpdate = 4 << 10

// updatePause is the shortest time between two rounds of updates. All updates of a resource in one round become one.
const updatePause = 50 * time.Millisecond

// maxUpdates is how many resources may have updates that the client does not know of yet. Updates of more are dropped.
const maxUpdates = 1_000

// updated notes that a resource was updated; the announcer tells of it.
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

// tellUpdates tells of updated resources.
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

// checkOwn notes an update for each of our resources whose text has changed.
func (a *announcer) checkOwn() {
	for _, uri := range a.streams.ownFollowed() {
		if a.streams.rememberOwn(uri) {
			a.updated(uri, append(jsonrpc.AppendString([]byte(`{"uri":`), uri), '}'))
		}
	}
}
