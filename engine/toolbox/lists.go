package toolbox

import (
	"context"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Listed is one thing of a server of an open toolbox, as clients see it.
type Listed struct {
	Name   string // what clients call it: a name of ours, or a URI
	Server ServerID
	Item   downstream.Item

	down bool // its server is down
}

// Tool returns the ID of a tool. It means nothing for things of other kinds.
func (l Listed) Tool() ToolID { return ToolID{l.Server.Toolbox, l.Server.Server, l.Item.Name} }

// List returns the things of one kind that the servers of all open toolboxes have. Toolboxes and servers come in the order of
// the file, things in the order of their server. A server that does not answer soon, or is not connected, is left out, and
// its journal says so. namer makes the names of prompts.
func (m *Manager) List(ctx context.Context, kind downstream.Kind, namer *Namer) []Listed {
	about := kind.List()
	if about.Unique == downstream.ByURI {
		list := m.named(ctx, kind)
		tellApart(list)
		return slices.DeleteFunc(list, func(one Listed) bool { return one.down })
	}
	var list []Listed
	links := m.connected(about.Capability)
	found, _ := m.items(ctx, kind, links)
	for i, l := range links {
		names := toolNames(found[i])
		if about.Unique == downstream.ByName {
			names = namer.Names(l.toolbox, l.entry.Name, names)
		}
		for k, item := range found[i] {
			list = append(list, Listed{Name: names[k], Server: l.id(), Item: item})
		}
	}
	return list
}

// items returns the lists of servers, in the order of links. silent has the servers that did not answer.
func (m *Manager) items(ctx context.Context, kind downstream.Kind, links []*link) (found [][]downstream.Item, silent map[ServerID]bool) {
	found = make([][]downstream.Item, len(links))
	failures := make([]error, len(links))
	each(links, func(i int, l *link) {
		items, err := l.session.Items(ctx, kind)
		if err != nil {
			l.journal.say(words.New("toolbox.list_left_out", "List", kind.List().Plural, "Why", err))
		}
		found[i], failures[i] = m.withoutChangedWords(l, kind, items), err
		if len(items) > 0 && l.session.Info().Diagnostics != nil && !l.said.listed[kind].Swap(true) {
			m.mu.Lock()
			m.touch() // the status says how many are faulty
			m.mu.Unlock()
		}
	})
	silent = map[ServerID]bool{}
	for i, l := range links {
		if failures[i] != nil {
			silent[l.id()] = true
		}
	}
	return found, silent
}

// named returns the resources or templates of all servers of open toolboxes under the servers' own URIs, in the order of
// the file. Those of a server that is down, or does not answer, are the ones that it had last, so that no other server can
// take its place.
func (m *Manager) named(ctx context.Context, kind downstream.Kind) (list []Listed) {
	capability := kind.List().Capability
	links := m.connected()
	able := slices.DeleteFunc(slices.Clone(links), func(l *link) bool { return !l.session.Info().Has(capability) })
	found, silent := m.items(ctx, kind, able)
	up := map[ServerID]bool{}
	for _, l := range links {
		id := l.id()
		up[id] = !silent[id]
		if i := slices.Index(able, l); i < 0 {
			m.latest.keep(id, kind, nil)
		} else if up[id] {
			m.latest.keep(id, kind, found[i])
		}
	}
	for _, server := range m.opened() {
		for _, item := range m.latest.of(server, kind) {
			list = append(list, Listed{Name: item.Name, Server: server, Item: item, down: !up[server]})
		}
	}
	return list
}

// opened returns the servers of all open toolboxes, in the order of the file.
func (m *Manager) opened() (servers []ServerID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, toolbox := range m.config.Toolboxes {
		if m.open[toolbox.Name] == nil {
			continue
		}
		for _, server := range toolbox.Enabled() {
			servers = append(servers, ServerID{toolbox.Name, server.Name})
		}
	}
	return servers
}

// tellApart gives the things of different servers that have the same URI an address of ours (contract.md, section 9).
func tellApart(list []Listed) {
	uses := make(map[string]int, len(list))
	for _, one := range list {
		uses[one.Name]++
	}
	for i, one := range list {
		if uses[one.Item.Name] > 1 || needsAddress(one.Item.Name) {
			list[i].Name = address(one.Server, one.Item.Name)
		}
	}
}

// connected returns the links of all connected servers of open toolboxes that have declared a capability, in the order of the
// file. Without a path it returns all.
func (m *Manager) connected(path ...string) []*link {
	m.mu.Lock()
	defer m.mu.Unlock()
	var links []*link
	for _, toolbox := range m.config.Toolboxes {
		b := m.open[toolbox.Name]
		if b == nil {
			continue
		}
		for _, server := range toolbox.Enabled() {
			if l := b.links[server.Name]; in[connectedState](l) && l.connected() && l.session.Info().Has(path...) {
				links = append(links, l)
			}
		}
	}
	return links
}

// isOpen reports whether a toolbox is open. Only a call of a tool opens a closed one.
func (m *Manager) isOpen(toolbox string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open[toolbox] != nil
}

// linkOf returns the link of a connected server of an open toolbox, nil when there is none.
func (m *Manager) linkOf(server ServerID) *link {
	for _, l := range m.connected() {
		if l.id() == server {
			return l
		}
	}
	return nil
}

// each calls f for links and their indexes, side by side, and returns when all calls have.
func each(links []*link, f func(i int, l *link)) {
	var wg background.Group
	for i, l := range links {
		wg.Go(func() { f(i, l) })
	}
	wg.Wait()
}

// kinds returns the kinds of lists that links bring or take away with them.
func kinds(links ...*link) (found [downstream.Kinds]bool) {
	for _, l := range links {
		if !l.settled() || l.session == nil {
			continue
		}
		info := l.session.Info()
		for kind := range downstream.Kinds {
			found[kind] = found[kind] || info.Has(kind.List().Capability)
		}
	}
	found[downstream.Tools] = true // a client is told of tools only when they are others than before
	return found
}
