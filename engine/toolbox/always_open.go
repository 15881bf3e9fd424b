package toolbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// A toolbox can be always open: clients see its tools from the first request. Its servers still start on first use where the pins tell what they
// listed in an earlier run. Such a server has a link that rests: it has tools and no session. A server of which nothing is known is started.

// KeepOpen opens all toolboxes that are always open, now and after each change of the configuration. It returns when the known tools of
// their servers are listed; servers whose tools are not known are still starting then.
func (m *Manager) KeepOpen(ctx context.Context) {
	m.mu.Lock()
	m.keeping = true
	m.mu.Unlock()
	m.keepOpen(ctx)
}

// AwaitOpen returns when each server of the toolboxes that are always open has connected, failed, or rests, and after patience at the latest.
func (m *Manager) AwaitOpen(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var links []*link
	m.mu.Lock()
	for _, toolbox := range m.config.Toolboxes {
		if b := m.open[toolbox.Name]; b != nil && toolbox.Open {
			links = append(links, b.all()...)
		}
	}
	m.mu.Unlock()
	for _, l := range links {
		select {
		case <-l.attempt.ready:
		case <-ctx.Done():
			return
		}
	}
}

// Rouse starts the resting servers that have lists of a capability besides tools, or may have. Only of tools it is
// known what they were in an earlier run.
func (m *Manager) Rouse(capability string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, toolbox := range m.config.Toolboxes {
		b := m.open[toolbox.Name]
		if b == nil || !m.alwaysOpen(toolbox.Name) || m.paused {
			continue
		}
		for _, server := range toolbox.Enabled() {
			l := b.links[server.Name]
			if !in[restingState](l) || l.pins.record == nil {
				continue
			}
			if lists := l.pins.record.Lists; lists == "" || slices.Contains(strings.Fields(lists), capability) {
				m.ensure(toolbox.Name, server)
			}
		}
	}
}

// noLists stands for the lists of a server that has none besides tools.
const noLists = "none"

// listsBeside returns which lists besides tools the server of a link has declared, as [pin.Record] keeps them.
func (l *link) listsBeside() string {
	if l.session == nil {
		if l.pins.record != nil {
			return l.pins.record.Lists
		}
		return ""
	}
	var lists []string
	info := l.session.Info()
	for kind := range downstream.Kinds {
		if about := kind.List(); kind != downstream.Tools && info.Has(about.Capability) && !slices.Contains(lists, about.Capability) {
			lists = append(lists, about.Capability)
		}
	}
	if lists == nil {
		return noLists
	}
	return strings.Join(lists, " ")
}

// alwaysOpen reports whether a toolbox is kept open. The caller holds m.mu.
func (m *Manager) alwaysOpen(name string) bool {
	toolbox, ok := m.config.Toolbox(name)
	return ok && toolbox.Open && m.keeping && !m.closed
}

// placed is an entry with its toolbox.
type placed struct {
	toolbox string
	entry   *config.Server
}

func (m *Manager) keepOpen(ctx context.Context) {
	m.resting.Lock()
	defer m.resting.Unlock()
	news := false
	for _, at := range m.absent() {
		list, known := m.keptOf(ctx, at.toolbox, at.entry)
		if ctx.Err() != nil {
			return
		}
		news = m.bring(at, list, known && list.whole) || news
	}
	if news {
		m.changed(toolsOnly())
	}
}

// absent returns the servers of toolboxes that are always open which have no link.
func (m *Manager) absent() []placed {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []placed
	for _, toolbox := range m.config.Toolboxes {
		if !m.alwaysOpen(toolbox.Name) {
			continue
		}
		if m.open[toolbox.Name] == nil {
			m.touch()
		}
		b := m.box(toolbox.Name)
		for _, server := range toolbox.Enabled() {
			if b.links[server.Name] == nil {
				list = append(list, placed{toolbox.Name, server})
			}
		}
	}
	return list
}

// bring gives a server a resting link when its tools are known, and starts it when they are not. It reports whether it did either.
func (m *Manager) bring(at placed, list keptList, known bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.open[at.toolbox]
	if entry, ok := entryOf(m.config, ServerID{at.toolbox, at.entry.Name}); !ok || entry != at.entry || !m.alwaysOpen(at.toolbox) || b == nil || b.links[entry.Name] != nil {
		return false // the configuration has changed meanwhile, or somebody else was faster
	}
	if !known {
		m.ensure(at.toolbox, at.entry)
		return true
	}
	l := m.restingLink(at)
	l.about.version = list.record.LatestVersion()
	l.pins = pinning{loaded: true, key: list.key, record: list.record, trusted: at.entry.TrustToolChanges, instructions: list.record.Latest(pin.Instructions)}
	m.know(l, list.tools, at.entry)
	b.links[at.entry.Name] = l
	m.touch()
	return true
}

// layToRest returns a box with the tools of another one, whose servers are about to end. The caller holds m.mu.
func (m *Manager) layToRest(b *box) *box {
	next := &box{links: map[string]*link{}}
	for name, old := range b.links {
		switch {
		case in[restingState](old):
			next.links[name] = old
		case old.tools.known != nil:
			l := m.restingLink(placed{old.toolbox, old.inForce})
			l.about.title, l.about.version = old.about.title, old.about.version
			m.inherit(l, old)
			next.links[name] = l
		}
	}
	return next
}

// restingLink returns a link without a session. The caller holds m.mu.
func (m *Manager) restingLink(at placed) *link {
	return newRestingLink(at.toolbox, at.entry, m.record(at.toolbox, at.entry.Name).journal, m.log)
}

// keptList is what an earlier run has left of a server's tools.
type keptList struct {
	key      pin.Hash
	record   *pin.Record
	tools    []downstream.Item
	withheld map[string]bool // see [pin.Verdict]
	whole    bool            // there is nothing that was too large to keep
}

// approved reports whether an entry may be started.
func (m *Manager) approved(ctx context.Context, toolbox string, entry *config.Server) bool {
	return m.options.Approve == nil || m.options.Approve(ctx, toolbox, entry) == nil
}

// keptOf returns the tools that an earlier run has stored for a server. For an entry that waits for approval, known is false.
func (m *Manager) keptOf(ctx context.Context, toolbox string, entry *config.Server) (list keptList, known bool) {
	if m.options.Pins == nil || !m.approved(ctx, toolbox, entry) {
		return keptList{}, false
	}
	list.key = pin.KeyOf(entry)
	if old, ok := m.shelves.get(list.key); ok && m.options.Pins.Current(list.key, old.record) {
		return old, old.tools != nil
	}
	record, err := m.options.Pins.Load(list.key)
	if err != nil || record == nil || record.Lost {
		return keptList{}, false // its server has to be started, which tells of it
	}
	texts, whole := record.List()
	list.record, list.whole = record, whole
	list.tools = downstream.ToolsOf(texts, checkDefinition)
	list.withheld = record.Judge(definitions(list.tools), record.LatestVersion(), false).Withheld
	m.shelves.put(list)
	return list, list.tools != nil
}
