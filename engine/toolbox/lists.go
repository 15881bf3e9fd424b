package toolbox

import (
	"context"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Listed is one thing of a server of an open toolbox, as clients see it.
type Listed struct {
	Name   string // what clients call it: a name of ours, or a URI
	Server ServerID
	Item   downstream.Item
}

// Tool returns the ID of a tool. It means nothing for things of other kinds.
func (l Listed) Tool() ToolID { return ToolID{l.Server.Toolbox, l.Server.Server, l.Item.Name} }

// List returns the things of one kind that the servers of all open toolboxes have. Toolboxes and servers come in the order of
// the file, things in the order of their server. A server that does not answer soon, or is not connected, is left out, and
// its journal says so. namer makes the names of prompts.
func (m *Manager) List(ctx context.Context, kind downstream.Kind, namer *Namer) []Listed {
	about := kind.List()
	links := m.connected(about.Capability)
	found := make([][]downstream.Item, len(links))
	each(links, func(i int, l *link) {
		items, err := l.session.Items(ctx, kind)
		if err != nil {
			l.journal.say(words.New("toolbox.list_left_out", "List", about.Plural, "Why", err))
		}
		found[i] = m.withoutChangedWords(l, kind, items)
		if len(items) > 0 && l.session.Info().Diagnostics != nil && !l.listed[kind].Swap(true) {
			m.mu.Lock()
			m.touch() // the status says how many are faulty
			m.mu.Unlock()
		}
	})

	var list []Listed
	for i, l := range links {
		names := toolNames(found[i])
		if about.Unique == downstream.ByName {
			names = namer.Names(l.toolbox, l.entry.Name, names)
		}
		for k, item := range found[i] {
			list = append(list, Listed{names[k], l.id(), item})
		}
	}
	if about.Unique == downstream.ByURI {
		tellApart(list)
	}
	return list
}

// tellApart gives the things of different servers that have the same URI an address of ours (contract.md, section 9).
func tellApart(list []Listed) {
	uses := make(map[string]int, len(list))
	for _, one := range list {
		uses[one.Name]++
	}
	for i, one := range list {
		if uses[one.Item.Name] > 1 || strings.HasPrefix(one.Item.Name, Scheme) { // URIs with this scheme are ours
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
			if l := b.links[server.Name]; l != nil && !l.held && l.connected() && l.session.Info().Has(path...) {
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
