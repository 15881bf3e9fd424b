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
	boxes  *boxes
	pins   *pins
	super  *supervisor
	report *listReporter

	mu sync.Mutex // serialises open
}

// open gives each server of these toolboxes a link, unless it has one.
func (a *alwaysOpen) open(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	news := false
	for _, at := range a.absent() {
		list, known := a.pins.stored(ctx, at.toolbox, at.entry)
		if ctx.Err() != nil {
			return
		}
		news = a.add(at, list, known && list.whole) || news
	}
	if news {
		a.report.changed(toolsOnly())
	}
}

// absent returns the servers of these toolboxes that have no link.
func (a *alwaysOpen) absent() []toolboxEntry {
	a.boxes.mu.Lock()
	defer a.boxes.mu.Unlock()
	var list []toolboxEntry
	for _, toolbox := range a.boxes.config.Toolboxes {
		if !a.boxes.alwaysOpen(toolbox.Name) {
			continue
		}
		if a.boxes.open[toolbox.Name] == nil {
			a.boxes.touch()
		}
		b := a.boxes.box(toolbox.Name)
		for _, server := range toolbox.Enabled() {
			if b.links[server.Name] == nil {
				list = append(list, toolboxEntry{toolbox.Name, server})
			}
		}
	}
	return list
}

// add gives a server a resting link if its tools are known, and starts it otherwise. It reports whether it did either.
func (a *alwaysOpen) add(at toolboxEntry, list storedList, known bool) bool {
	a.boxes.mu.Lock()
	defer a.boxes.mu.Unlock()
	b := a.boxes.open[at.toolbox]
	entry, _ := entryOf(a.boxes.config, ServerID{at.toolbox, at.entry.Name})
	if entry != at.entry || !a.boxes.alwaysOpen(at.toolbox) || b == nil || b.links[entry.Name] != nil {
		return false // the configuration has changed, or another goroutine has added a link
	}
	if !known {
		a.super.ensure(at.toolbox, at.entry)
		return true
	}
	l := a.super.restingLink(at)
	l.about.version = list.record.LatestVersion()
	l.pins = pinning{loaded: true, key: list.key, record: list.record, trusted: at.entry.TrustToolChanges,
		instructions: list.record.Latest(pin.Instructions)}
	a.pins.know(l, list.tools, at.entry)
	b.links[at.entry.Name] = l
	a.boxes.touch()
	return true
}

// await waits until each server of these toolboxes has connected, failed, or rests. It waits at most patience.
func (a *alwaysOpen) await(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var links []*link
	a.boxes.mu.Lock()
	for _, toolbox := range a.boxes.config.Toolboxes {
		if b := a.boxes.open[toolbox.Name]; b != nil && toolbox.Open {
			links = append(links, b.all()...)
		}
	}
	a.boxes.mu.Unlock()
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
func (a *alwaysOpen) startFor(capability string) {
	a.boxes.mu.Lock()
	defer a.boxes.mu.Unlock()
	for _, toolbox := range a.boxes.config.Toolboxes {
		b := a.boxes.open[toolbox.Name]
		if b == nil || !a.boxes.alwaysOpen(toolbox.Name) || a.boxes.paused {
			continue
		}
		for _, server := range toolbox.Enabled() {
			l := b.links[server.Name]
			if !in[restingState](l) || l.pins.record == nil {
				continue
			}
			if lists := l.pins.record.Lists; lists == "" || slices.Contains(strings.Fields(lists), capability) {
				a.super.ensure(toolbox.Name, server)
			}
		}
	}
}
