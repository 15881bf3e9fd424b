package toolbox

import (
	"context"
	"slices"
)

// Two runs of one server may need the same port or the same file. So a server is not started before its last run has
// ended, whether it was replaced, its toolbox was closed, or its entry was removed and put back.

// departures are the links that are out of their boxes, and whose servers are not gone yet.
type departures struct {
	boxes *boxes
	links map[ServerID][]*link // boxes.mu guards it
}

// depart remembers a link that is no longer in any box, until [Manager.departed]. The caller holds boxes.mu.
func (d *departures) depart(l *link) {
	at := ServerID{l.toolbox, l.entry.Name}
	d.links[at] = append(d.links[at], l)
}

// departed forgets links whose servers are gone.
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

// after returns before with the end of the links of the same server that have left their box added. The caller holds
// boxes.mu.
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

// awaitEarlier waits for the end of what ran before this attempt. It does so once.
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
