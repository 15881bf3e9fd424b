package toolbox

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// pinPoll is how often files are checked if no change is notified.
const pinPoll = 2 * time.Second

// follow watches the files of servers with withheld tools, until there are none.
func (ps *pins) follow() {
	folders := filewatch.New(filewatch.Options{})
	defer folders.Close()
	poll := time.NewTicker(pinPoll)
	defer poll.Stop()
	for {
		links := ps.withholding()
		if len(links) == 0 {
			return
		}
		files := make([]string, len(links))
		for i, l := range links {
			files[i] = ps.store.Path(l.key)
		}
		added, _ := folders.Follow(files...)
		for _, l := range links {
			ps.reread(l)
		}
		if added {
			continue
		}
		select {
		case <-ps.life.ctx.Done():
			return
		case <-folders.Touched:
		case <-folders.Stirred:
		case <-poll.C:
		}
	}
}

// followed is a link with withheld tools, and its pins when it was found.
type followed struct {
	link   *link
	key    pin.Hash
	record *pin.Record
	unread bool
}

// withholding returns the links with withheld tools. If there are none, it records that follow ends.
func (ps *pins) withholding() []followed {
	ps.boxes.mu.Lock()
	defer ps.boxes.mu.Unlock()
	var links []followed
	for _, b := range ps.boxes.open {
		for _, l := range b.links {
			if len(l.pins.withheld) > 0 {
				links = append(links, followed{l, l.pins.key, l.pins.record, l.pins.unread})
			}
		}
	}
	ps.following = len(links) > 0 && !ps.boxes.closed
	if !ps.following {
		return nil
	}
	return links
}

// reread reads a server's file again if it has changed.
func (ps *pins) reread(kept followed) {
	if !kept.unread && ps.store.Current(kept.key, kept.record) {
		return
	}
	record, err := ps.store.Load(kept.key)
	if err != nil || record == nil && !kept.unread {
		return // it may be in the middle of being replaced
	}
	ps.boxes.mu.Lock()
	l := kept.link
	revision := l.tools.revision
	if l.pins.record == kept.record {
		l.pins.record, l.pins.unread = record, false
		ps.know(l, l.tools.known, ps.boxes.configured(l))
	}
	news := revision != l.tools.revision
	if news {
		ps.boxes.touch()
	}
	ps.boxes.mu.Unlock()
	if news {
		ps.report.changed(toolsOnly())
	}
}
