package engines

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// logPace is the least time between two batches of lines for the window.
const logPace = 100 * time.Millisecond

// logPatience is how long an engine may take to send its lines.
const logPatience = 5 * time.Second

// LogFeed brings the log of one server to the window: the lines kept from earlier runs, the lines that the engines
// have now, and then each new line.
type LogFeed struct {
	hub  *ipc.Hub
	kept KeptLogs

	Screen LogScreen

	mu      sync.Mutex
	at      model.Choice // zero if no log is shown
	engines []ipc.EngineID
	wake    chan struct{} // signals that the server or its engines have changed
}

// LogScreen shows the lines of a server. Its methods are called on the feed's goroutine.
type LogScreen interface {
	SetLines(at model.Choice, lines []status.LogLine) // replaces the visible lines
	AddLines(at model.Choice, lines []status.LogLine)
}

// NewLogFeed returns a feed that shows nothing before Follow is called.
func NewLogFeed(hub *ipc.Hub, kept KeptLogs, screen LogScreen) *LogFeed {
	return &LogFeed{hub: hub, kept: kept, Screen: screen, wake: make(chan struct{}, 1)}
}

// KeptLogs are the logs that are kept in files, of the servers of one configuration. The zero value has none.
type KeptLogs struct {
	Folder logs.Folder
	Config string // the path of the configuration
}

// of returns the lines of a server.
func (k KeptLogs) of(at model.Choice) (lines []status.LogLine) {
	if k.Folder == "" {
		return nil
	}
	for _, line := range k.Folder.Read(logs.Selection{Config: k.Config, Toolbox: at.Toolbox, Server: at.Server}) {
		lines = append(lines, line.LogLine)
	}
	return lines
}

// Follow sets the server whose log is shown, and the engines that have it.
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

// Run feeds until the context is cancelled, and returns its error.
func (f *LogFeed) Run(ctx context.Context) error {
	lines, cancel := f.hub.SubscribeLog()
	defer cancel()
	var at model.Choice
	var engines []ipc.EngineID
	var latest map[ipc.EngineID]time.Time // the time of the last line that is shown or in batch, for each engine
	var batch []status.LogLine            // lines to add when due fires
	var lost bool                         // lines of some server were lost on the way; due is set
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.wake:
			batch, lost, due = nil, false, nil
			latest = map[ipc.EngineID]time.Time{}
			if at, engines = f.target(); at.Server != "" {
				f.show(ctx, at, engines, latest)
			}
		case line := <-lines:
			if at.Server == "" {
				continue
			}
			// The next line of any server reports lost lines. If some were lost, the lines that follow are fetched with
			// them.
			if lost = lost || line.Missed > 0; !lost {
				// A line that arrives while the lines are fetched comes twice.
				if line.Toolbox != at.Toolbox || line.Server != at.Server || !line.Time.After(latest[line.Engine]) {
					continue
				}
				batch, latest[line.Engine] = append(batch, line.LogLine), line.Time
			}
			if due == nil {
				due = time.After(logPace)
			}
		case <-due:
			if lost {
				batch = append(batch, f.newer(ctx, at, engines, latest)...)
			}
			if len(batch) > 0 {
				f.Screen.AddLines(at, batch)
			}
			batch, lost, due = nil, false, nil
		}
	}
}

// show shows the kept lines of a server and the lines that engines have. It sets latest as newer does.
func (f *LogFeed) show(ctx context.Context, at model.Choice, engines []ipc.EngineID,
	latest map[ipc.EngineID]time.Time) {
	// Read the files before asking the engines. Otherwise a line that is written in between would be shown as a kept
	// line and again as a new one.
	f.Screen.SetLines(at, WithDays(withKept(f.newer(ctx, at, engines, latest), f.kept.of(at)), time.Now()))
}

// newer asks the engines for their lines of a server. It returns the lines after those of latest, and sets latest to
// the last line of each engine.
func (f *LogFeed) newer(ctx context.Context, at model.Choice, engines []ipc.EngineID,
	latest map[ipc.EngineID]time.Time) (all []status.LogLine) {
	for _, engine := range engines {
		patience, cancel := context.WithTimeout(ctx, logPatience)
		lines, err := f.hub.Log(patience, engine, at.Toolbox, at.Server)
		cancel()
		if err != nil {
			continue // return the lines of the other engines
		}
		for _, line := range lines {
			if line.Time.After(latest[engine]) {
				all = append(all, line)
			}
		}
		if len(lines) > 0 {
			latest[engine] = lines[len(lines)-1].Time
		}
	}
	return all
}

// withKept returns the lines of the engines and the kept lines, sorted by time. It leaves out kept lines that an
// engine has, too.
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

// WithDays inserts a line with the date before the first line of each day, because lines only show the time. If the
// first line is of today, it gets no date.
func WithDays(lines []status.LogLine, now time.Time) []status.LogLine {
	day := func(t time.Time) string { return t.Local().Format(time.DateOnly) }
	last := day(now)
	var out []status.LogLine
	for _, line := range lines {
		if its := day(line.Time); its != last {
			last = its
			out = append(out, status.LogLine{Time: line.Time, Source: "engine",
				Said: words.New("logs.day", "Date", words.Date(line.Time.Local()))})
		}
		out = append(out, line)
	}
	return out
}
