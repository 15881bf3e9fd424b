package toolbox

import (
	"context"
	"slices"
)

// departures has the links that were removed from their boxes and whose servers still run. Two runs of one server may
// need the same port or the same file, so a server is not started before its last run has ended.
type departures struct {
	boxes *boxes
	links map[ServerID][]*link // guarded by boxes.mu
}

// depart adds a link that was removed from its box. The caller calls departed when its server has ended. The caller
// holds boxes.mu.
func (d *departures) depart(l *link) {
	at := ServerID{l.toolbox, l.entry.Name}
	d.links[at] = append(d.links[at], l)
}

// departed removes links whose servers have ended.
func (d *departures) departed(links ...*link) {
	d.boxes.mu.Lock()
	defer d.boxes.mu.Unlock()
	for _, l := range links {
		at := ServerID{l.toolbox, l.entry.Name}
		d.links[at] = slices.DeleteFunc(d.links[at], func(other *link) bool { return other == l })
		if len(d.links[at]) == 0 {
			delete(d.links, at)
		}
	}
}

// after returns a function that calls before and then ends the departed links of a server. before may be nil, and
// after returns nil if there is nothing to do. The caller holds boxes.mu.
func (d *departures) after(at ServerID, before func(context.Context)) func(context.Context) {
	for _, l := range d.links[at] {
		first, then := before, l.ending(restartDrain)
		before = func(ctx context.Context) {
			if first != nil {
				first(ctx)
			}
			then(ctx)
		}
	}
	return before
}

// awaitEarlier calls l.attempt.before, unless that was done, and returns when it has.
func (d *departures) awaitEarlier(ctx context.Context, l *link) {
	d.boxes.mu.Lock()
	before := l.attempt.before
	d.boxes.mu.Unlock()
	if before == nil {
		return
	}
	before(ctx)
	d.boxes.mu.Lock()
	l.attempt.before = nil
	d.boxes.mu.Unlock()
}
