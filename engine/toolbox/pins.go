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

// pins withholds tools that have changed since they were approved: they are not listed, and calls of them fail.
//
// Package pin stores the approved definitions of each server in a file that all engines share. The file is read when
// the server has connected. While a server has withheld tools, its file is watched, so that an approval by any program
// has an effect at once. What is known about one server is in its link, as [pinning].
type pins struct {
	store   *pin.Store // nil means that changes are not noticed
	approve approver
	boxes   *boxes
	report  *listReporter
	life    *life
	cache   listCache

	// These are guarded by boxes.mu.
	following bool // the files are watched
	unkept    bool // it was logged that nothing can be stored
}

// inherit copies the pins of a server from its last link to a new one. If the new entry trusts the server, that has no
// effect before the entry is approved and the server connected. The caller holds boxes.mu.
func (ps *pins) inherit(l, old *link) {
	l.pins = old.pins
	l.pins.writing, l.pins.stale = false, false
	l.pins.trusted = l.pins.trusted && l.entry.TrustToolChanges // the new entry is not approved yet
	ps.know(l, old.tools.known, l.entry)
}

// read reads the pins of a link whose entry is approved. It is called before any other goroutine uses the session.
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

// know stores the tools of a server in its link, and decides which are withheld. The caller holds boxes.mu.
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

// judge decides which tools are withheld, and reports whether that has changed. The caller holds boxes.mu.
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
	if verdict.Stale || p.record != nil && (p.record.Lists != l.listsBeside() ||
		p.met != nil && p.record.Meeting(*p.met) != p.record) {
		ps.keep(l)
	}
	if len(p.withheld) > 0 && !ps.following && !ps.boxes.closed {
		ps.following = true
		ps.life.running.Go(ps.follow)
	}
	return !maps.Equal(before, p.withheld)
}
