package app

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// pace is the least time between two snapshots that are handed to the window: ten in a second are more than anybody reads.
const pace = 100 * time.Millisecond

// aggregator makes snapshots of what the file and the engines say. It is the one way from there to the window: a change is
// collected at once when nothing was for a while, else with the others of the same tenth of a second.
type aggregator struct {
	path       string // of the configuration file
	configFile *configFile
	hub        *ipc.Hub
	facts      *serverFacts
	deliver    func(*snapshot)           // called with the newest; never concurrently with itself
	noted      func(*snapshot) time.Time // told of each snapshot of Run, and says when to make another; may be nil
	follow     func(*config.Config)      // told of the newest configuration that can be used; may be nil
	visible    func() bool               // tells whether anybody sees what counts down; may be nil

	poke      chan struct{} // gets a value when something else is to be shown
	wantCalls atomic.Bool

	mu     sync.Mutex // held while a snapshot is made, so that their numbers follow their contents
	number uint64
	good   *config.Document
	seen   []seenClient
	same   map[string]bool         // whether a path that engines say is that of our file
	names  map[ipc.EngineID]string // of the clients of all engines that there were, for their calls
}

func newAggregator(path string, book *configFile, hub *ipc.Hub, deliver func(*snapshot)) *aggregator {
	return &aggregator{
		path: path, configFile: book, hub: hub, deliver: deliver,
		facts: newServerFacts(), poke: make(chan struct{}, 1), same: map[string]bool{}, names: map[ipc.EngineID]string{},
	}
}

// again has a snapshot made although neither the file nor an engine has changed.
func (c *aggregator) again() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

// watchCalls says whether the calls are to be in the snapshots.
func (c *aggregator) watchCalls(on bool) {
	if c.wantCalls.Swap(on) != on && on {
		c.again()
	}
}

// Run collects until the context ends, and returns its error.
func (c *aggregator) Run(ctx context.Context) error {
	engines, cancel := c.hub.Subscribe()
	defer cancel()
	var last time.Time
	for {
		if wait := pace - time.Since(last); wait > 0 && !sleep(ctx, wait) {
			return ctx.Err()
		}
		last = time.Now()
		now := c.collect()
		c.deliver(now)
		due := c.next(now)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.configFile.changed:
		case <-engines:
		case <-c.poke:
		case <-due:
		}
	}
}

// next is when a snapshot is to be made although nothing happens; nil when it need not be. There is no clock that ticks while
// nothing counts.
func (c *aggregator) next(now *snapshot) <-chan time.Time {
	var at time.Time
	if c.noted != nil {
		at = c.noted(now)
	}
	if second := now.time.Add(time.Second); (now.countsDown() || c.wantCalls.Load()) && (c.visible == nil || c.visible()) && (at.IsZero() || second.Before(at)) {
		at = second
	}
	if at.IsZero() {
		return nil
	}
	return time.After(time.Until(at))
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// collect makes a snapshot of what is so now.
func (c *aggregator) collect() *snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	now := &snapshot{number: c.number, time: time.Now(), file: c.configFile.State()}
	if document := now.file.Now; document != nil && document.Valid() {
		c.good = document
	}
	now.good = c.good
	now.live = &model.Live{Paused: c.hub.Paused()}
	if c.good != nil {
		now.live.Config = c.good.Config
	}
	if c.follow != nil && c.good != nil {
		c.follow(c.good.Config)
	}
	engines := c.hub.Engines()
	for _, engine := range engines {
		shown := liveEngine(engine, c.elsewhere(engine))
		now.live.Engines = append(now.live.Engines, shown)
		c.names[engine.ID] = shown.Client
	}
	slices.SortStableFunc(now.live.Engines, func(a, b model.Engine) int { return a.Started.Compare(b.Started) })
	now.clients = c.meet(now.live.Engines, now.time)

	now.warnings = c.facts.warnings(now.file.Now)
	source := toolboxes.Source{
		Path: c.path, Good: now.good, Now: now.file.Now, Err: now.file.Problem,
		More: now.warnings, Live: now.live, Time: now.time, Tools: c.facts.tools(),
	}
	now.view = toolboxes.Look(source)
	if c.wantCalls.Load() {
		now.calls, now.olderCalls = c.shownCalls(c.hub.Calls()), c.hub.OlderCalls()
	}
	c.facts.ask(now)
	return now
}

// elsewhere tells whether an engine has another configuration file than the window.
func (c *aggregator) elsewhere(engine ipc.Engine) bool {
	if engine.Own || engine.Config == "" {
		return false
	}
	same, known := c.same[engine.Config]
	if !known {
		same = atomicfile.Same(engine.Config, c.path)
		c.same[engine.Config] = same
	}
	return !same
}

// meet remembers which clients there are, for "last seen".
func (c *aggregator) meet(engines []model.Engine, now time.Time) []seenClient {
	for i := range c.seen {
		if c.seen[i].Here {
			c.seen[i].Here, c.seen[i].Last = false, now
		}
	}
	for _, engine := range engines {
		if engine.Own || engine.Elsewhere || engine.Initialized.IsZero() { // it may have been started by anybody
			continue
		}
		i := slices.IndexFunc(c.seen, func(s seenClient) bool { return s.Name == engine.Client })
		switch {
		case i < 0:
			c.seen = append(c.seen, seenClient{Name: engine.Client, Here: true, Since: engine.Initialized, Trouble: engine.Trouble})
		case c.seen[i].Here: // it runs several engines: since the first
			c.seen[i].Trouble = min(c.seen[i].Trouble, engine.Trouble)
		default:
			c.seen[i].Here, c.seen[i].Since, c.seen[i].Trouble = true, engine.Initialized, engine.Trouble
		}
	}
	// One that does not say its name is not to be told from others.
	shown := slices.DeleteFunc(slices.Clone(c.seen), func(s seenClient) bool { return !s.Here && s.Name == live.ClientName("", "") })
	return shown
}

// remember takes up when clients of the table were here before we were started. It can be called on any goroutine.
func (c *aggregator) remember(when map[string]time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(when)) {
		name := live.ClientName(id, "")
		if !slices.ContainsFunc(c.seen, func(s seenClient) bool { return s.Name == name }) {
			c.seen = append(c.seen, seenClient{Name: name, Last: when[id]})
		}
	}
	c.again()
}

// engineName is an engine's ID as the screens know it, and engineID the way back.
func engineName(id ipc.EngineID) string { return strconv.FormatUint(uint64(id), 10) }

func engineID(name string) (ipc.EngineID, bool) {
	id, err := strconv.ParseUint(name, 10, 64)
	return ipc.EngineID(id), err == nil
}

// shownCalls puts calls into the words of the window.
func (c *aggregator) shownCalls(calls []ipc.Call) []activity.Call {
	shown := make([]activity.Call, len(calls))
	for i, call := range calls {
		client, known := c.names[call.Engine]
		if !known { // it came and went between two looks
			client = live.ClientName("", call.Client)
		}
		shown[i] = activity.Call{Engine: engineName(call.Engine), Client: client, Call: call.Call}
	}
	return shown
}
