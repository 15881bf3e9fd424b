package assembly

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// follower applies changes of the file while the engine runs. A broken file changes nothing and is reported
// (contract.md, section 2).
type follower struct {
	location config.Location
	server   *mcpserver.Server
	log      *slog.Logger
	reread   chan struct{}
	changed  chan struct{} // there is a new document

	mu       sync.Mutex
	last     *config.Document // the content of the file, even if it is broken
	document *config.Document // the document in use
}

func newFollower(location config.Location, document *config.Document, server *mcpserver.Server,
	log *slog.Logger) *follower {
	return &follower{location: location, server: server, log: log, last: document, document: document,
		reread: make(chan struct{}, 1), changed: make(chan struct{}, 1)}
}

// Reread makes the follower read the file at once. It does not wait.
func (f *follower) Reread() { pause.Wake(f.reread) }

// Run follows the file until ctx ends.
func (f *follower) Run(ctx context.Context) {
	var checking background.Group
	checking.Go(func() { f.checkFilters(ctx) })
	defer checking.Wait()
	for ctx.Err() == nil {
		// A watcher reads the file when it starts.
		watching, stop := context.WithCancel(ctx)
		f.mu.Lock()
		watcher := config.NewWatcher(f.location, config.WatchOptions{Last: f.last, Changed: f.takeUp})
		f.mu.Unlock()
		ended := make(chan error, 1)
		checking.Go(func() { ended <- background.Catch(func() error { return watcher.Run(watching) }) })
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
func (f *follower) takeUp(document *config.Document, err error) {
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
		f.server.SetConfig(document.Config)
		f.log.Info("The configuration changed", "file", f.location.Path, "toolboxes", len(document.Config.Toolboxes))
		pause.Wake(f.changed)
	}
}

// filterPause is how long after a change toolFilters are checked, since changes come in groups.
const filterPause = 300 * time.Millisecond

// checkFilters reports names in toolFilters that are no tools of the server, as soon as its tools are known.
// Each is reported once, until the file changes at that place.
func (f *follower) checkFilters(ctx context.Context) {
	manager := f.server.Toolboxes()
	changed, cancel := manager.Subscribe()
	defer cancel()
	var told filterReports
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-f.changed:
		}
		pause := time.NewTimer(filterPause)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
		f.mu.Lock()
		document := f.document
		f.mu.Unlock()
		for _, problem := range told.news(document, document.CheckTools(manager.Lists.Known)) {
			f.log.Warn(problem.Message.String(), "file", f.location.Path, "line", problem.Line, "column", problem.Column, "at",
				problem.Path, "hint", problem.Hint.String(), "code", problem.Code)
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
