// Package engines connects the window with the running engines, the app's own included. It collects their state, their
// logs and the questions of their servers, and sends them the user's commands.
package engines

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// pace is the least time between two snapshots. Nobody could read more than ten in a second.
const pace = 100 * time.Millisecond

// Program is what an [Aggregator] needs of the app. Its methods are called on goroutines of the aggregator.
type Program interface {
	Deliver(now *model.Snapshot)               // takes a new snapshot; never called concurrently with itself
	Noted(now *model.Snapshot) time.Time       // takes a snapshot of Run; returns when to make the next one, or zero
	Follow(now *config.Config)                 // takes the newest usable configuration
	Waiting(now *config.Config) model.Approval // returns which servers of a configuration wait for approval
	Visible() bool                             // reports whether the user sees texts that count down
}

// AggregatorOptions say where an [Aggregator] gets the state from, and who takes it.
type AggregatorOptions struct {
	Path    string // the path of the configuration file
	File    *configfile.File
	Hub     *ipc.Hub
	Name    string     // the name of the app's own engine
	Pins    *pin.Store // has the tools that servers had in earlier runs; may be nil
	Program Program
}

// Aggregator makes snapshots of the file and the engines. Everything that the window shows of both comes from these
// snapshots. A change is collected at once, unless the last snapshot is less than a tenth of a second old. Changes
// within that time are collected together.
type Aggregator struct {
	options AggregatorOptions
	facts   *facts // found by RunFacts

	poke      chan struct{} // receives a value when something has changed
	wantCalls atomic.Bool
	usage     atomic.Pointer[model.Usage] // set by RunUsage
	usageWake chan struct{}
	memory    memory // measured by RunMemory

	mu     sync.Mutex // held while a snapshot is made, so that a later number means newer content
	number uint64
	good   *config.Document
	// what has to be filled in in good
	missing model.Missing
	seen    []model.SeenClient
	same    map[string]bool // by path of an engine's configuration file: whether it is the file of the window
	// the clients of all engines, including ended ones, whose calls are still shown; empty with another configuration
	names map[ipc.EngineID]string
}

// NewAggregator returns an aggregator. It collects nothing before Run is called.
func NewAggregator(options AggregatorOptions) *Aggregator {
	return &Aggregator{
		options: options, facts: newFacts(options.Pins), poke: make(chan struct{}, 1), usageWake: make(chan struct{}, 1),
		memory: memory{wake: make(chan struct{}, 1)},
		same:   map[string]bool{}, names: map[ipc.EngineID]string{},
	}
}

// Again requests a snapshot although neither the file nor an engine has changed.
func (a *Aggregator) Again() {
	select {
	case a.poke <- struct{}{}:
	default:
	}
}

// Recheck checks this computer again, because something was installed or removed.
func (a *Aggregator) Recheck() { a.facts.recheck() }

// AskAgain asks an engine once more for the tools of a server.
func (a *Aggregator) AskAgain(at model.Choice) {
	a.facts.askAgain(at)
	a.Again()
}

// WatchCalls sets whether snapshots contain the calls.
func (a *Aggregator) WatchCalls(on bool) {
	if a.wantCalls.Swap(on) != on && on {
		a.Again()
	}
}

// WatchesCalls reports whether snapshots contain the calls.
func (a *Aggregator) WatchesCalls() bool { return a.wantCalls.Load() }

// Run collects until the context is cancelled, and returns its error.
func (a *Aggregator) Run(ctx context.Context) error {
	engines, cancel := a.options.Hub.Subscribe()
	defer cancel()
	var last time.Time
	for {
		if wait := pace - time.Since(last); wait > 0 && !pause.For(ctx, wait) {
			return ctx.Err()
		}
		last = time.Now()
		now := a.Collect()
		a.options.Program.Deliver(now)
		due := a.next(now)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.options.File.Changed():
		case <-engines:
		case <-a.poke:
		case <-due:
		}
	}
}

// next returns a channel that receives a value when the next snapshot is due although nothing has happened. It returns
// nil if none is due, so that no timer runs while nothing depends on the time.
func (a *Aggregator) next(now *model.Snapshot) <-chan time.Time {
	at := a.options.Program.Noted(now)
	if second := now.Time.Add(time.Second); (now.CountsDown() || a.wantCalls.Load()) &&
		a.options.Program.Visible() && (at.IsZero() || second.Before(at)) {
		at = second
	}
	if at.IsZero() {
		return nil
	}
	return time.After(time.Until(at))
}

// Collect makes a snapshot of the current state.
func (a *Aggregator) Collect() *model.Snapshot {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.number++
	now := &model.Snapshot{Number: a.number, Time: time.Now(), File: a.options.File.State()}
	if document := now.File.Now; document != nil && document.Valid() && document != a.good {
		a.good, a.missing = document, model.MissingIn(document.Config)
	}
	now.Good = a.good
	now.Warnings = a.facts.warnings(now.File.Now)
	now.Live = &model.Live{Paused: a.options.Hub.Paused(), Missing: a.missing, Uses: a.memory.uses()}
	if a.good != nil {
		now.Live.Config = a.good.Config
	}
	if a.good != nil && a.good == now.File.Now {
		now.Live.Missing = a.missing.Without(a.good.Config, now.Warnings)
	}
	if a.good != nil {
		now.Approval = a.options.Program.Waiting(a.good.Config)
		now.Live.Changed = now.Approval.Choices()
		a.options.Program.Follow(a.good.Config)
	}
	engines := a.options.Hub.Engines()
	for _, engine := range engines {
		shown := a.shown(engine)
		now.Live.Engines = append(now.Live.Engines, shown)
		if a.names[engine.ID] = shown.Client; shown.Elsewhere {
			a.names[engine.ID] = "" // its calls are of other servers
		}
	}
	slices.SortStableFunc(now.Live.Engines, func(a, b model.Engine) int { return a.Started.Compare(b.Started) })
	now.Clients = a.meet(now.Live.Engines, now.Time)
	a.memory.want(now.Live.Copied())

	now.Tools, now.Lists = a.facts.tools()
	if kept := a.usage.Load(); kept != nil {
		now.Usage = *kept
	}
	if a.wantCalls.Load() {
		now.Watched, now.Calls, now.OlderCalls = true, a.shownCalls(a.options.Hub.Calls()), a.options.Hub.OlderCalls()
	}
	a.facts.ask(now)
	return now
}

// shown returns the state of an engine with the names that the window uses.
func (a *Aggregator) shown(engine ipc.Engine) model.Engine {
	shown := liveEngine(engine)
	shown.Elsewhere = a.elsewhere(engine)
	if engine.Own {
		shown.Client = a.options.Name
	}
	return shown
}

// liveEngine returns the state of an engine as the hub knows it.
func liveEngine(engine ipc.Engine) model.Engine {
	shown := model.Engine{
		ID:            engine.ID,
		Client:        live.ClientName(engine.ClientID, engine.ClientName),
		ClientID:      engine.ClientID,
		ClientVersion: engine.ClientVersion,
		Own:           engine.Own,
		Program:       engine.Program,
		Pid:           engine.Pid,
		Started:       engine.Started,
		Initialized:   engine.Initialized,
		Config:        engine.Config,
		Open:          engine.Open,
		Servers:       engine.Servers,
	}
	switch {
	case engine.OtherVersion:
		shown.Trouble = model.OtherVersion
	case engine.Unresponsive:
		shown.Trouble = model.Silent
	}
	if shown.Started.IsZero() {
		shown.Started = engine.Connected
	}
	return shown
}

// elsewhere reports whether an engine uses another configuration file than the window.
func (a *Aggregator) elsewhere(engine ipc.Engine) bool {
	if engine.Own || engine.Config == "" {
		return false
	}
	same, known := a.same[engine.Config]
	if !known {
		same = atomicfile.Same(engine.Config, a.options.Path)
		a.same[engine.Config] = same
	}
	return !same
}

// meet remembers the clients of engines and when each was last connected, and returns those that the window shows.
func (a *Aggregator) meet(engines []model.Engine, now time.Time) []model.SeenClient {
	for i := range a.seen {
		if a.seen[i].Here {
			a.seen[i].Here, a.seen[i].Last = false, now
		}
	}
	for _, engine := range engines {
		// any program may have started an engine that is not initialized
		if engine.Own || engine.Elsewhere || engine.Initialized.IsZero() {
			continue
		}
		i := slices.IndexFunc(a.seen, func(s model.SeenClient) bool { return s.Name == engine.Client })
		switch {
		case i < 0:
			a.seen = append(a.seen, model.SeenClient{Name: engine.Client, Here: true, Since: engine.Initialized,
				Trouble: engine.Trouble})
		case a.seen[i].Here: // the client has several engines: it is connected since the first one
			a.seen[i].Trouble = min(a.seen[i].Trouble, engine.Trouble)
		default:
			a.seen[i].Here, a.seen[i].Since, a.seen[i].Trouble = true, engine.Initialized, engine.Trouble
		}
	}
	// Clients without a name cannot be told apart, so they are left out after they have gone.
	shown := slices.DeleteFunc(slices.Clone(a.seen), func(s model.SeenClient) bool {
		return !s.Here && s.Name == live.ClientName("", "")
	})
	return shown
}

// Typed returns the warnings for a document that was not saved. It checks this computer, which takes a moment.
func (a *Aggregator) Typed(ctx context.Context, document *config.Document,
	here doctor.Surroundings) []config.Diagnostic {
	return a.facts.typed(ctx, document, here)
}

// RunFacts finds facts that take a while, until the context is cancelled, and returns its error.
func (a *Aggregator) RunFacts(ctx context.Context, here doctor.Surroundings) error {
	return a.facts.Run(ctx, a.options.Hub, here, a.Again)
}

// Remember sets when clients were connected before the app was started. It can be called on any goroutine.
func (a *Aggregator) Remember(when map[string]time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(when)) {
		name := live.ClientName(id, "")
		if !slices.ContainsFunc(a.seen, func(s model.SeenClient) bool { return s.Name == name }) {
			a.seen = append(a.seen, model.SeenClient{Name: name, Last: when[id]})
		}
	}
	a.Again()
}

// shownCalls returns calls with the names of clients that the window uses, without those of engines with another
// configuration, whose servers may have the same names as ours.
func (a *Aggregator) shownCalls(calls []ipc.Call) []model.Call {
	shown := make([]model.Call, 0, len(calls))
	for _, call := range calls {
		client, known := a.names[call.Engine]
		if known && client == "" {
			continue
		}
		if !known { // the engine started and ended between two snapshots
			client = live.ClientName("", call.Client)
		}
		shown = append(shown, model.Call{Engine: call.Engine, Client: client, Call: call.Call})
	}
	return shown
}
