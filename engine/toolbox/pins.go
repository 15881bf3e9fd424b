package toolbox

import (
	"bytes"
	"maps"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Package pin keeps the approved definitions of a server's tools in a file that all engines share. It is read when
// the server has been connected. A tool whose definition has changed since is withheld: no list has it, and a call of
// it fails. While a server has withheld tools, its file is watched, so that an approval by any program counts at
// once.

// pins compares what servers list with what was approved. What it knows of one server is in its link, as [pinning].
// boxes.mu guards that and what is not a part of its own.
type pins struct {
	store    *pin.Store // nil: no change is noticed
	approve  approver
	boxes    *boxes
	announce *announcer
	life     *life
	cache    listCache

	following bool // the files are watched
	unkept    bool // it was said that nothing can be kept
}

// inherit copies the knowledge about a server from the last link to a new one. When an entry says that its server is
// trusted, that has no effect until the entry has been approved and the server connected. The caller holds boxes.mu.
func (ps *pins) inherit(l, old *link) {
	l.pins = old.pins
	l.pins.writing, l.pins.stale = false, false
	l.pins.trusted = l.pins.trusted && l.entry.TrustToolChanges // nobody has approved the new entry yet
	ps.know(l, old.tools.known, l.entry)
}

// read reads the pins of a link's server, whose entry has been approved. No other goroutine uses the link's session
// yet.
func (ps *pins) read(l *link) {
	if ps.store == nil {
		return
	}
	key := pin.KeyOf(l.entry)
	record, err := ps.store.Load(key)
	if err != nil {
		l.journal.say(words.New("toolbox.pins_unreadable", "Why", err))
		l.log.Warn("What the server's tools were cannot be read; they are withheld until it can", "error", err)
	}
	if record != nil && record.Lost {
		l.journal.say(words.New("toolbox.pins_damaged"))
		l.log.Warn("The file of what the server's tools were is damaged; they wait for the user's approval")
	}
	ps.boxes.mu.Lock()
	defer ps.boxes.mu.Unlock()
	l.pins.trusted = l.entry.TrustToolChanges
	l.pins.loaded, l.pins.key, l.pins.record, l.pins.unread = true, key, record, err != nil
}

// know notes the tools of a server, and which of them are withheld. The caller holds boxes.mu.
func (ps *pins) know(l *link, tools []downstream.Item, server *config.Server) {
	var filters []string
	if server != nil {
		filters = server.ToolFilters
	}
	same := slices.EqualFunc(l.tools.known, tools, func(a, b downstream.Item) bool {
		return a.Name == b.Name && bytes.Equal(a.Definition, b.Definition)
	})
	pins := ps.judge(l, tools, server)
	if pins || !same || !slices.Equal(l.tools.filters, filters) || (l.tools.filters == nil) != (filters == nil) {
		l.tools.revision++
	}
	l.tools.known, l.tools.filters = tools, filters
	l.tools.allowed = len(tools)
	if filters != nil || l.pins.withheld != nil {
		l.tools.allowed = len(l.offered(server))
	}
}

// judge finds out which tools are withheld, and reports whether they are others than before. The caller holds
// boxes.mu.
func (ps *pins) judge(l *link, tools []downstream.Item, server *config.Server) (changed bool) {
	p := &l.pins
	if !p.loaded {
		return false
	}
	verdict := p.verdict(l.definitions(tools), l.about.version)
	before := p.withheld
	p.withheld, p.waiting = verdict.Withheld, 0
	var news []string
	for name, asks := range p.withheld {
		if asks && (server == nil || server.Allows(name) || name == pin.Instructions) {
			p.waiting++
		}
		if _, ok := before[name]; !ok && (asks || p.record.Has(name)) {
			news = append(news, name)
		}
	}
	if len(news) > 0 && !p.unread {
		l.journal.say(words.New("toolbox.tools_withheld", "Count", len(news), "Names", named(news)))
		l.log.Warn("Tools have changed and wait for the user's approval", "tools", named(news))
	}
	if verdict.Full > 0 && !p.full {
		p.full = true
		l.journal.say(words.New("toolbox.tools_full"))
		l.log.Warn("The server has had too many different tools; new ones are withheld", "withheld", verdict.Full)
	}
	for name := range before {
		if _, ok := p.withheld[name]; !ok {
			l.journal.say(words.New("toolbox.tool_approved", "Name", downstream.Clean(name, maxName)))
		}
	}
	if verdict.Stale || p.record != nil && p.record.Lists != l.listsBeside() {
		ps.keep(l)
	}
	if len(p.withheld) > 0 && !ps.following && !ps.boxes.closed {
		ps.following = true
		ps.life.running.Go(ps.follow)
	}
	return !maps.Equal(before, p.withheld)
}
