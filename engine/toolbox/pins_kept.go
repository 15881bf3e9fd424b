package toolbox

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// keepPause is the shortest time between two writes of one server's pins, since its list may change all the time.
const keepPause = time.Second

// keep stores the definitions of a server's tools in the background. The caller holds boxes.mu.
func (ps *pins) keep(l *link) {
	l.pins.stale = true
	if l.pins.writing || ps.boxes.closed {
		return
	}
	l.pins.writing = true
	ps.life.running.Go(func() {
		for ps.keepOnce(l) {
			pause := time.NewTimer(keepPause)
			select {
			case <-pause.C:
			case <-ps.life.ctx.Done():
				pause.Stop()
			}
		}
	})
}

// keepOnce stores the current definitions of a server's tools, and reports whether they have changed meanwhile.
func (ps *pins) keepOnce(l *link) (again bool) {
	ps.boxes.mu.Lock()
	p := &l.pins
	p.stale = false
	key, had, tools, version, trusted := p.key, p.record, l.definitions(l.tools.known), l.about.version, p.trusted
	items, met, roots := p.words, p.met, p.roots
	p.words, p.met = nil, nil
	lists := l.listsBeside()
	names := pin.NewNames(ps.boxes.otherTools(l))
	ps.boxes.mu.Unlock()

	marked := 0
	take := func(now *pin.Record) *pin.Record {
		verdict := now.Judge(tools, version, trusted)
		if verdict.Stale || now != nil && now.Lists != lists {
			marked = ps.sayNews(l, now, verdict, tools, names)
			now = now.With(l.id().String(), tools, version, trusted)
			now.Lists = lists
		}
		if met != nil {
			now = now.Meeting(*met)
		}
		if roots {
			now = now.AskingForRoots()
		}
		if len(items) > 0 {
			now = now.WithWords(items, trusted)
		}
		return now
	}
	ctx := context.WithoutCancel(ps.life.ctx) // an engine that is about to end still writes
	record, err := ps.store.Update(ctx, key, take)

	ps.boxes.mu.Lock()
	defer ps.boxes.mu.Unlock()
	if err != nil {
		if !ps.unkept {
			ps.unkept = true
			ps.life.log.Warn("What servers' tools were cannot be kept; changes are noticed until this engine ends", "error",
				err)
			l.journal.say(words.Of(err))
		}
		record = had.With(l.id().String(), tools, version, trusted).WithWords(items, trusted)
		record.Lists = lists
	}
	p.record = record
	p.marked = max(p.marked, marked)
	revision := l.tools.revision
	ps.know(l, l.tools.known, ps.boxes.configured(l))
	if revision != l.tools.revision || marked > 0 {
		ps.boxes.touch()
	}
	if revision != l.tools.revision {
		ps.life.running.Go(func() { ps.report.changed(toolsOnly()) })
	}
	p.writing = p.stale && !ps.boxes.closed
	return p.writing
}

// sayNews logs new tools, accepted changes, and words in new definitions that may be meant to steer a model. It
// returns how many tools have such words.
func (ps *pins) sayNews(l *link, before *pin.Record, verdict pin.Verdict, tools []pin.Definition,
	names *pin.Names) (marked int) {
	added := slices.DeleteFunc(slices.Clone(verdict.New), func(name string) bool { return name == pin.Instructions })
	if before != nil && len(added) > 0 {
		l.journal.say(words.New("toolbox.tools_new", "Count", len(added), "Names", named(added)))
		l.log.Info("The server has new tools", "tools", named(added))
	}
	if len(verdict.Changed) > 0 {
		l.journal.say(words.New("toolbox.tools_taken_up", "Count", len(verdict.Changed), "Names", named(verdict.Changed)))
		l.log.Info("Tools have changed, and the server is trusted", "tools", named(verdict.Changed))
	}
	said, looked := 0, 0
	for _, tool := range tools {
		_, withheld := verdict.Withheld[tool.Name]
		if before != nil && !withheld && !slices.Contains(verdict.New, tool.Name) &&
			!slices.Contains(verdict.Changed, tool.Name) {
			continue
		}
		marks := []pin.Mark{pin.Unsearched()}
		if looked += len(tool.Raw); looked <= pin.Budget {
			marks = pin.Marks(tool, names)
		}
		marked += min(1, len(marks))
		for _, mark := range marks {
			if said++; said > maxNamed {
				break
			}
			l.journal.say(words.New("toolbox.tool_marked", "Name", downstream.Clean(tool.Name, maxName), "Why", mark.Text()))
			l.log.Warn("The words of a tool may be meant to steer the AI",
				"tool", downstream.Clean(tool.Name, maxName), "problem", mark.Text())
		}
	}
	return marked
}

// asksForRoots records that a server has asked for the folders that the app works in.
func (ps *pins) asksForRoots(l *link) {
	ps.boxes.mu.Lock()
	defer ps.boxes.mu.Unlock()
	if !l.pins.roots {
		l.pins.roots = true
		if l.pins.loaded {
			ps.keep(l)
		}
	}
}
