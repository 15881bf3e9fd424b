package toolbox

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// alwaysOpen opens the toolboxes that are configured to be always open, so that clients see their tools from the first
// request. A server whose tools were stored in an earlier run is not started before its first use: until then it has a
// resting link, which has tools and no session. Servers without stored tools are started.
type alwaysOpen struct {
	boxes    *boxes
	pins     *pins
	super    *supervisor
	announce *announcer

	mu sync.Mutex // serialises open
}

// open gives each server of these toolboxes a link, unless it has one.
func (k *alwaysOpen) open(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	news := false
	for _, at := range k.absent() {
		list, known := k.pins.stored(ctx, at.toolbox, at.entry)
		if ctx.Err() != nil {
			return
		}
		news = k.add(at, list, known && list.whole) || news
	}
	if news {
		k.announce.changed(toolsOnly())
	}
}

// absent returns the servers of these toolboxes that have no link.
func (k *alwaysOpen) absent() []toolboxEntry {
	k.boxes.mu.Lock()
	defer k.boxes.mu.Unlock()
	var list []toolboxEntry
	for _, toolbox := range k.boxes.config.Toolboxes {
		if !k.boxes.alwaysOpen(toolbox.Name) {
			continue
		}
		if k.boxes.open[toolbox.Name] == nil {
			k.boxes.touch()
		}
		b := k.boxes.box(toolbox.Name)
		for _, server := range toolbox.Enabled() {
			if b.links[server.Name] == nil {
				list = append(list, toolboxEntry{toolbox.Name, server})
			}
		}
	}
	return list
}

// add gives a server a resting link if its tools are known, and starts it otherwise. It reports whether it did either.
func (k *alwaysOpen) add(at toolboxEntry, list storedList, known bool) bool {
	k.boxes.mu.Lock()
	defer k.boxes.mu.Unlock()
	b := k.boxes.open[at.toolbox]
	entry, _ := entryOf(k.boxes.config, ServerID{at.toolbox, at.entry.Name})
	if entry != at.entry || !k.boxes.alwaysOpen(at.toolbox) || b == nil || b.links[entry.Name] != nil {
		return false // the configuration has changed, or another goroutine has added a link
	}
	if !known {
		k.super.ensure(at.toolbox, at.entry)
		return true
	}
	l := k.super.restingLink(at)
	l.about.version = list.record.LatestVersion()
	l.pins = pinning{loaded: true, key: list.key, record: list.record, trusted: at.entry.TrustToolChanges,
		instructions: list.record.Latest(pin.Instructions)}
	k.pins.know(l, list.tools, at.entry)
	b.links[at.entry.Name] = l
	k.boxes.touch()
	return true
}

// await waits until each server of these toolboxes has connected, failed, or rests. It waits at most patience.
func (k *alwaysOpen) await(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var links []*link
	k.boxes.mu.Lock()
	for _, toolbox := range k.boxes.config.Toolboxes {
		if b := k.boxes.open[toolbox.Name]; b != nil && toolbox.Open {
			links = append(links, b.all()...)
		}
	}
	k.boxes.mu.Unlock()
	for _, l := range links {
		select {
		case <-l.attempt.ready:
		case <-ctx.Done():
			return
		}
	}
}

// startFor starts the resting servers that have lists of a capability such as "prompts", or may have. Only lists of
// tools are stored, so clients get others from running servers.
func (k *alwaysOpen) startFor(capability string) {
	k.boxes.mu.Lock()
	defer k.boxes.mu.Unlock()
	for _, toolbox := range k.boxes.config.Toolboxes {
		b := k.boxes.open[toolbox.Name]
		if b == nil || !k.boxes.alwaysOpen(toolbox.Name) || k.boxes.paused {
			continue
		}
		for _, server := range toolbox.Enabled() {
			l := b.links[server.Name]
			if !in[restingState](l) || l.pins.record == nil {
				continue
			}
			if lists := l.pins.record.Lists; lists == "" || slices.Contains(strings.Fields(lists), capability) {
				k.super.ensure(toolbox.Name, server)
			}
		}
	}
}
