package engines

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// logPace is the least time between two batches of lines that are handed to the window.
const logPace = 100 * time.Millisecond

// logPatience is how long an engine may take to send what it has.
const logPatience = 5 * time.Second

// LogFeed brings the log of one server to the window: what earlier runs have left, what all engines that run it have when the server is
// chosen, and then what comes.
type LogFeed struct {
	hub  *ipc.Hub
	kept func(model.Choice) []status.LogLine // returns the lines that are kept in files; nil when there are no files

	// Set replaces the lines that are shown, Add adds some. They are called on the feed's goroutine with the server that the
	// lines are of.
	Set, Add func(model.Choice, []status.LogLine)

	mu      sync.Mutex
	at      model.Choice // zero: nobody looks
	engines []ipc.EngineID
	wake    chan struct{} // the server or its engines have changed
}

// NewLogFeed returns a feed that shows nothing until Follow.
func NewLogFeed(hub *ipc.Hub, kept func(model.Choice) []status.LogLine, set, add func(model.Choice, []status.LogLine)) *LogFeed {
	return &LogFeed{hub: hub, kept: kept, Set: set, Add: add, wake: make(chan struct{}, 1)}
}

// Follow says which server's log is looked at, and which engines have it.
func (f *LogFeed) Follow(at model.Choice, engines []ipc.EngineID) {
	f.mu.Lock()
	same := f.at == at && slices.Equal(f.engines, engines)
	f.at, f.engines = at, engines
	f.mu.Unlock()
	if same {
		return
	}
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *LogFeed) target() (model.Choice, []ipc.EngineID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.engines
}

// Run feeds until the context ends, and returns its error.
func (f *LogFeed) Run(ctx context.Context) error {
	lines, cancel := f.hub.SubscribeLog()
	defer cancel()
	var at model.Choice
	var latest map[ipc.EngineID]time.Time // the times of the last lines that are shown
	var batch []status.LogLine
	var due <-chan time.Time
	begin := func() {
		var engines []ipc.EngineID
		at, engines = f.target()
		batch, due = nil, nil
		latest = f.fetch(ctx, at, engines)
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.wake:
			begin()
		case line := <-lines:
			if at.Server == "" || line.Toolbox != at.Toolbox || line.Server != at.Server {
				continue
			}
			if line.Missed > 0 {
				begin() // the engine has them all
				continue
			}
			// Lines on their way while the others were fetched come twice.
			if !line.Time.After(latest[line.Engine]) {
				continue
			}
			if batch = append(batch, line.LogLine); due == nil {
				due = time.After(logPace)
			}
		case <-due:
			f.Add(at, batch)
			batch, due = nil, nil
		}
	}
}

// fetch shows what engines have of a server's log. It gives the time of the last line of each.
func (f *LogFeed) fetch(ctx context.Context, at model.Choice, engines []ipc.EngineID) map[ipc.EngineID]time.Time {
	latest := map[ipc.EngineID]time.Time{}
	if at.Server == "" {
		return latest
	}
	// This comes before the engines are asked, so that a line that is written in between is not taken for an old one.
	var kept []status.LogLine
	if f.kept != nil {
		kept = f.kept(at)
	}
	var all []status.LogLine
	for _, engine := range engines {
		patience, cancel := context.WithTimeout(ctx, logPatience)
		lines, err := f.hub.Log(patience, engine, at.Toolbox, at.Server)
		cancel()
		if err != nil {
			continue // it has ended, and its lines with it
		}
		if len(lines) > 0 {
			latest[engine] = lines[len(lines)-1].Time
		}
		all = append(all, lines...)
	}
	f.Set(at, WithDays(withKept(all, kept), time.Now()))
	return latest
}

// withKept returns the lines that engines have, and those that are kept of other runs, by time. A line that an engine still has is kept too.
func withKept(live, kept []status.LogLine) []status.LogLine {
	type key struct {
		nanoseconds int64
		source      string
	}
	known := map[key]bool{}
	for _, line := range live {
		known[key{line.Time.UnixNano(), line.Source}] = true
	}
	for _, line := range kept {
		if !known[key{line.Time.UnixNano(), line.Source}] {
			live = append(live, line)
		}
	}
	slices.SortStableFunc(live, func(a, b status.LogLine) int { return a.Time.Compare(b.Time) })
	return live
}

// WithDays adds a line before the first of each day, where there are lines of other days than today: rows have the time alone.
func WithDays(lines []status.LogLine, now time.Time) []status.LogLine {
	day := func(t time.Time) string { return t.Local().Format(time.DateOnly) }
	before := day(now)
	var out []status.LogLine
	for i, line := range lines {
		if today := day(line.Time); i == 0 && today != before || i > 0 && today != day(lines[i-1].Time) {
			out = append(out, status.LogLine{Time: line.Time, Source: "engine", Said: words.New("logs.day", "Date", words.Date(line.Time.Local()))})
		}
		out = append(out, line)
	}
	return out
}
