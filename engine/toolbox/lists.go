package toolbox

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Listed is an item of a server of an open toolbox, as clients see it.
type Listed struct {
	Name   string // the name or URI that clients use
	Server ServerID
	Item   downstream.Item

	down bool // its server is down
}

// Tool returns the ID of a tool. It has no meaning for items of other kinds.
func (l Listed) Tool() ToolID { return ToolID{l.Server.Toolbox, l.Server.Server, l.Item.Name} }

// Lists returns what the servers of open toolboxes list.
type Lists struct {
	log        *slog.Logger
	boxes      *boxes
	pins       *pins
	references *references // of the resources that results have linked to
	latest     lastLists   // of resources and templates
}

// List returns the items of one kind of all servers of open toolboxes. Toolboxes and servers are in the order of the
// file, items in the order of their server. A server that does not answer soon or is not connected is left out, and
// its journal says so. namer makes the names of prompts; it may be nil for other kinds.
func (ls *Lists) List(ctx context.Context, kind downstream.Kind, namer *Namer) []Listed {
	about := kind.List()
	if about.Unique == downstream.ByURI {
		list := ls.named(ctx, kind)
		tellApart(list)
		return slices.DeleteFunc(list, func(one Listed) bool { return one.down })
	}
	var list []Listed
	links := ls.boxes.connected(about.Capability)
	found, _ := ls.items(ctx, kind, links)
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

// items returns the lists of servers, in the order of links, and the servers that did not answer.
func (ls *Lists) items(ctx context.Context, kind downstream.Kind,
	links []*link) (found [][]downstream.Item, silent map[ServerID]bool) {
	found = make([][]downstream.Item, len(links))
	failures := make([]error, len(links))
	each(links, func(i int, l *link) {
		items, err := l.session.Items(ctx, kind)
		if err != nil {
			l.journal.say(words.New("toolbox.list_left_out", "List", kind.List().Plural, "Why", err))
		}
		found[i], failures[i] = ls.pins.withoutChangedWords(l, kind, items), err
		if len(items) > 0 && l.session.Info().Diagnostics != nil && !l.said.listed[kind].Swap(true) {
			ls.boxes.mu.Lock()
			ls.boxes.touch() // the status says how many are faulty
			ls.boxes.mu.Unlock()
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

// named returns the resources or templates of all servers of open toolboxes under the servers' own URIs, in the order
// of the file. For a server that is down or does not answer it returns the last list, so that another server with the
// same URI is not taken for it.
func (ls *Lists) named(ctx context.Context, kind downstream.Kind) (list []Listed) {
	capability := kind.List().Capability
	links := ls.boxes.connected()
	able := slices.DeleteFunc(slices.Clone(links), func(l *link) bool { return !l.session.Info().Has(capability) })
	found, silent := ls.items(ctx, kind, able)
	up := map[ServerID]bool{}
	for _, l := range links {
		id := l.id()
		up[id] = !silent[id]
		if i := slices.Index(able, l); i < 0 {
			ls.latest.keep(id, kind, nil)
		} else if up[id] {
			ls.latest.keep(id, kind, found[i])
		}
	}
	for _, server := range ls.boxes.opened() {
		for _, item := range ls.latest.of(server, kind) {
			list = append(list, Listed{Name: item.Name, Server: server, Item: item, down: !up[server]})
		}
	}
	return list
}

// tellApart gives items our own URIs if clients cannot use the servers' URIs, for example because two servers have the
// same (contract.md, section 9).
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

// lastLists has the last list of each kind from each server.
type lastLists struct {
	mu sync.Mutex
	by map[ServerID]*[downstream.Kinds][]downstream.Item
}

// keep stores a list of a server.
func (l *lastLists) keep(server ServerID, kind downstream.Kind, items []downstream.Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[ServerID]*[downstream.Kinds][]downstream.Item{}
	}
	if l.by[server] == nil {
		l.by[server] = &[downstream.Kinds][]downstream.Item{}
	}
	l.by[server][kind] = items
}

// of returns the last list of a kind from a server.
func (l *lastLists) of(server ServerID, kind downstream.Kind) []downstream.Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lists := l.by[server]; lists != nil {
		return lists[kind]
	}
	return nil
}
