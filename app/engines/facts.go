package engines

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Time limits for finding facts.
const (
	// how long a snapshot waits for the warnings about a new document, so that they do not flicker
	warningPatience = 50 * time.Millisecond
	toolsPatience   = 5 * time.Second // how long an engine may take to answer
)

// facts finds in the background what takes a while: the warnings about the configuration that depend on this computer,
// and the tools of the servers. A snapshot leaves out what is not known yet; a later snapshot contains it.
type facts struct {
	wake chan struct{}

	mu       sync.Mutex
	document *config.Document    // the document to check next
	checked  *config.Document    // the document that was checked last
	found    []config.Diagnostic // the warnings of the last check
	ready    chan struct{}       // closed when document has been checked
	again    bool                // check the same document again, since the computer may have changed
	wanted   []wantedTools
	known    map[model.Choice]knownTools
	offered  map[model.Choice][]model.Tool // the tools for the screens; replaced, never changed
	lists    map[model.Choice]*model.Tools // replaced, never changed
	pins     *pin.Store                    // has the tools of earlier runs; may be nil
}

// version identifies a state of a server's tools.
type version struct {
	engine               ipc.EngineID
	since                time.Time
	tools, all, revision int
}

type wantedTools struct {
	at      model.Choice
	version version
}

type knownTools struct {
	version version
	names   []string // the names of all tools
}

func newFacts(pins *pin.Store) *facts {
	return &facts{wake: make(chan struct{}, 1), known: map[model.Choice]knownTools{}, pins: pins}
}

// tools returns the known tools: those that clients may see, and all.
func (f *facts) tools() (map[model.Choice][]model.Tool, map[model.Choice]*model.Tools) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.offered, f.lists
}

// warnings returns the known warnings about a document, without those that follow from its text alone.
func (f *facts) warnings(document *config.Document) []config.Diagnostic {
	if document == nil {
		return nil
	}
	f.mu.Lock()
	if f.document != document {
		f.document, f.ready = document, make(chan struct{})
		f.signal()
	}
	// The first check must not delay the window, and one that is done needs no wait: a document may come back while
	// another one is being checked.
	ready, waits := f.ready, f.checked != nil && f.checked != document
	f.mu.Unlock()
	if waits {
		select {
		case <-ready:
		case <-time.After(warningPatience):
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.checked != document {
		return nil
	}
	return slices.Concat(f.found, f.toolWarnings(document))
}

// toolWarnings returns the warnings about a document that follow from the known tools. The caller must hold the mutex.
func (f *facts) toolWarnings(document *config.Document) []config.Diagnostic {
	return document.CheckTools(func(toolbox, server string) ([]string, bool) {
		known, ok := f.known[model.Choice{Toolbox: toolbox, Server: server}]
		return known.names, ok
	})
}

// typed returns the warnings for a document that was not saved. It checks this computer, which takes a moment.
func (f *facts) typed(ctx context.Context, document *config.Document, here doctor.Surroundings) []config.Diagnostic {
	found := here.Missing(ctx, document)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Concat(found, f.toolWarnings(document))
}

// ask requests the tools of the servers whose tools have changed according to a snapshot.
func (f *facts) ask(now *model.Snapshot) {
	var wanted []wantedTools
	f.mu.Lock()
	defer f.mu.Unlock()
	for server := range now.Live.Servers() {
		if server.State != status.Connected {
			continue
		}
		at := model.Choice{Toolbox: server.Toolbox, Server: server.Name}
		version := version{server.Engine, server.Since, server.Tools, server.AllTools, server.Revision}
		if f.known[at].version != version {
			wanted = append(wanted, wantedTools{at, version})
		}
	}
	if f.wanted = wanted; len(wanted) > 0 {
		f.signal()
	}
}

// recheck checks the computer again.
func (f *facts) recheck() {
	f.mu.Lock()
	f.again = true
	f.mu.Unlock()
	f.signal()
}

func (f *facts) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Run finds facts until the context is cancelled, and returns its error. It calls changed when it has found some.
func (f *facts) Run(ctx context.Context, hub *ipc.Hub, here doctor.Surroundings, changed func()) error {
	for {
		if document := f.check(ctx, here); document != nil {
			changed()
			if f.remember(document) {
				changed()
			}
		}
		f.fetch(ctx, hub, changed)
		select {
		case <-f.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// check checks the newest document on this computer and returns it, or nil if there was none to check.
func (f *facts) check(ctx context.Context, here doctor.Surroundings) *config.Document {
	f.mu.Lock()
	document, ready := f.document, f.ready
	fresh, again := document != f.checked, f.again
	todo := document != nil && (fresh || again)
	f.again = false
	f.mu.Unlock()
	if again && here.Environ != nil {
		here.Environ.Refresh()
	}
	if !todo {
		return nil
	}
	found := here.Missing(ctx, document)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.checked, f.found = document, found
	if fresh {
		close(ready)
	}
	return document
}

// remember takes the tools of servers that were not asked in this run from what an earlier run has stored. It reports
// whether it has found some.
func (f *facts) remember(document *config.Document) (found bool) {
	if f.pins == nil || document.Config == nil {
		return false
	}
	for _, toolbox := range document.Config.Toolboxes {
		for _, server := range toolbox.Servers {
			at := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			if f.knows(at) {
				continue
			}
			record, err := f.pins.Load(pin.KeyOf(server))
			if err != nil || record == nil {
				continue
			}
			found = true
			f.mu.Lock()
			f.take(at, version{}, storedTools(record, server))
			f.mu.Unlock()
		}
	}
	return found
}

func (f *facts) knows(at model.Choice) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, known := f.known[at]
	return known
}

// storedTools returns the tools of a record.
func storedTools(record *pin.Record, server *config.Server) []status.Tool {
	var tools []status.Tool
	for i, tool := range record.Tools[:min(record.Listed, len(record.Tools))] {
		if tool.Name == pin.Instructions && tool.Waiting == nil {
			continue // it is no tool, and is listed only while it waits for approval
		}
		definition := record.Latest(tool.Name)
		var named struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(definition, &named) != nil || named.Name == "" {
			continue // it was too large to be stored
		}
		tools = append(tools, status.Tool{Name: named.Name, Definition: definition, Allowed: server.Allows(named.Name),
			Withheld: record.Tools[i].Waiting != nil})
	}
	return tools
}

// fetch gets the wanted tools from the engines, one after the other.
func (f *facts) fetch(ctx context.Context, hub *ipc.Hub, changed func()) {
	f.mu.Lock()
	wanted := f.wanted
	f.wanted = nil
	f.mu.Unlock()
	for _, want := range wanted {
		patience, cancel := context.WithTimeout(ctx, toolsPatience)
		tools, err := hub.Tools(patience, want.version.engine, want.at.Toolbox, want.at.Server)
		cancel()
		if ctx.Err() != nil {
			return
		}
		f.learn(want, tools, err)
	}
	if len(wanted) > 0 {
		changed()
	}
}

// learn stores an engine's answer. A failure is an answer too: the engine is asked again only if something changes, or
// if the user wants it.
func (f *facts) learn(want wantedTools, tools []status.Tool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil && len(tools) == 0 && want.version.all > 0:
		return // it was closed before the engine answered, so what is known stays
	case err == nil:
		f.take(want.at, want.version, tools)
		return
	}
	before := f.known[want.at]
	before.version = want.version
	f.known[want.at] = before
	list := &model.Tools{Err: err}
	if had := f.lists[want.at]; had != nil {
		list.List = had.List
	}
	f.lists = with(f.lists, want.at, list)
}

// take stores the tools of a server. The caller must hold the mutex.
func (f *facts) take(at model.Choice, version version, tools []status.Tool) {
	known, offered := knownTools{version: version}, []model.Tool(nil)
	for _, tool := range tools {
		known.names = append(known.names, tool.Name)
		if tool.Allowed {
			offered = append(offered, model.Tool{Name: tool.Name, Bytes: len(tool.Definition)})
		}
	}
	f.known[at] = known
	f.offered, f.lists = with(f.offered, at, offered), with(f.lists, at, &model.Tools{List: tools})
}

// with returns a copy of a map with one more value.
func with[V any](before map[model.Choice]V, at model.Choice, value V) map[model.Choice]V {
	after := maps.Clone(before)
	if after == nil {
		after = map[model.Choice]V{}
	}
	after[at] = value
	return after
}

// askAgain makes the next snapshot ask for the tools of a server once more.
func (f *facts) askAgain(at model.Choice) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.known[at]
	known.version = version{}
	f.known[at] = known
}
