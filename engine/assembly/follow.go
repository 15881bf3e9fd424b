package assembly

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// Follower applies changes of the file and of the approvals to all engines of a process, while they run. A broken file
// changes nothing and is reported (contract.md, section 2).
type Follower struct {
	location  config.Location
	approvals *approval.Approvals // nil: everything is approved
	log       *slog.Logger
	reread    chan struct{}

	mu       sync.Mutex
	last     *config.Document // the content of the file, even if it is broken
	document *config.Document // the document in use
	engines  map[*engine]bool
}

// engine is an engine that gets the changes.
type engine struct {
	server  *mcpserver.Server
	log     *slog.Logger
	changed chan struct{} // there is a new document
	setting sync.Mutex    // so that the newest document is set last
}

// NewFollower returns a follower of a file, of which document is the current content, without errors.
func NewFollower(location config.Location, document *config.Document, approvals *approval.Approvals,
	log *slog.Logger) *Follower {
	return &Follower{location: location, approvals: approvals, log: log, last: document, document: document,
		reread: make(chan struct{}, 1), engines: map[*engine]bool{}}
}

// Reread makes the follower read the file at once. It does not wait.
func (f *Follower) Reread() { pause.Wake(f.reread) }

// Document returns the document in use.
func (f *Follower) Document() *config.Document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.document
}

// follow makes an engine, which was made for a document, follow until ctx ends.
func (f *Follower) follow(ctx context.Context, server *mcpserver.Server, made *config.Document, log *slog.Logger) {
	e := &engine{server: server, log: log, changed: make(chan struct{}, 1)}
	f.mu.Lock()
	f.engines[e] = true
	current := f.document == made
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.engines, e)
		f.mu.Unlock()
	}()
	if !current {
		f.set(e)
	}
	f.checkFilters(ctx, e)
}

// set gives an engine the document in use.
func (f *Follower) set(e *engine) {
	e.setting.Lock()
	defer e.setting.Unlock()
	e.server.SetConfig(f.Document().Config)
	pause.Wake(e.changed)
}

// each calls do for each engine, for all of them in parallel.
func (f *Follower) each(do func(*engine)) {
	f.mu.Lock()
	engines := slices.Collect(maps.Keys(f.engines))
	f.mu.Unlock()
	var all background.Group
	for _, e := range engines {
		all.Go(func() { do(e) })
	}
	all.Wait()
}

// Start begins to follow. stop ends it and waits until it has ended.
func (f *Follower) Start(ctx context.Context) (stop func()) {
	for _, problem := range f.document.Diagnostics {
		f.warn(f.log, problem)
	}
	ctx, cancel := context.WithCancel(ctx)
	var following background.Group
	following.Go(func() { f.run(ctx) })
	return func() {
		cancel()
		following.Wait()
	}
}

func (f *Follower) run(ctx context.Context) {
	var beside background.Group
	defer beside.Wait()
	if f.approvals != nil {
		beside.Go(func() {
			background.Keep(ctx, func() {
				_ = f.approvals.Run(ctx, func() { f.each(func(e *engine) { e.server.Toolboxes().Reconsider() }) })
			})
		})
	}
	background.Keep(ctx, func() { f.readChanges(ctx) })
}

// warn writes a problem of the file to a log.
func (f *Follower) warn(log *slog.Logger, problem config.Diagnostic) {
	log.Warn(problem.Message.String(), "file", f.location.Path, "line", problem.Line, "column", problem.Column, "at",
		problem.Path, "hint", problem.Hint.String(), "code", problem.Code)
}

// readChanges reads the file whenever it has changed, until ctx ends.
func (f *Follower) readChanges(ctx context.Context) {
	var watchers background.Group
	defer watchers.Wait()
	for ctx.Err() == nil {
		// A watcher reads the file when it starts.
		watching, stop := context.WithCancel(ctx)
		f.mu.Lock()
		watcher := config.NewWatcher(f.location, config.WatchOptions{Last: f.last, Changed: f.takeUp})
		f.mu.Unlock()
		ended := make(chan error, 1)
		watchers.Go(func() { ended <- background.Catch(func() error { return watcher.Run(watching) }) })
		select {
		case <-f.reread:
			stop()
			<-ended
		case err := <-ended:
			stop()
			if err != nil && !errors.Is(err, context.Canceled) {
				f.log.Error("The configuration is no longer watched; start the client again after a change", "error", err)
			}
			return
		}
	}
}

// takeUp applies the current content of the file.
func (f *Follower) takeUp(document *config.Document, err error) {
	if err != nil {
		f.log.Error("The configuration cannot be read; the last good one stays in force", "error", err)
		return
	}
	for _, problem := range document.Errors() {
		f.log.Error("The configuration is broken; the last good one stays in force", "file", f.location.Path,
			"line", problem.Line, "column", problem.Column, "at", problem.Path, "problem", problem.Message, "hint",
			problem.Hint.String(), "code", problem.Code)
	}
	f.mu.Lock()
	f.last = document
	if document.Valid() {
		f.document = document
	}
	f.mu.Unlock()
	if document.Valid() {
		f.each(f.set)
		f.log.Info("The configuration changed", "file", f.location.Path, "toolboxes", len(document.Config.Toolboxes))
	}
}

// filterPause is how long after a change toolFilters are checked, since changes come in groups.
const filterPause = 300 * time.Millisecond

// checkFilters reports names in toolFilters that are no tools of the server, as soon as its tools are known.
// Each is reported once, until the file changes at that place.
func (f *Follower) checkFilters(ctx context.Context, e *engine) {
	manager := e.server.Toolboxes()
	changed, cancel := manager.Subscribe()
	defer cancel()
	var told filterReports
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-e.changed:
		}
		pause := time.NewTimer(filterPause)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
		document := f.Document()
		for _, problem := range told.news(document, document.CheckTools(manager.Lists.Known)) {
			f.warn(e.log, problem)
		}
	}
}

// filterReports remembers which problems were reported.
type filterReports struct {
	document *config.Document
	told     map[string]bool
}

// news returns the problems that have not been reported yet. For a new document, problems that it does not
// have are forgotten.
func (r *filterReports) news(document *config.Document, problems []config.Diagnostic) []config.Diagnostic {
	before := r.told
	if r.document != document || before == nil {
		r.document, r.told = document, map[string]bool{}
	}
	var news []config.Diagnostic
	for _, problem := range problems {
		what := problem.Path + "\x00" + problem.Message.String()
		if !before[what] {
			news = append(news, problem)
		}
		r.told[what] = true
	}
	return news
}
