package toolbox

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Manager has the toolboxes of one engine: it opens and closes them, connects their servers, and passes requests to
// those. It is safe for concurrent use.
type Manager struct {
	Lists     *Lists
	Resources *Resources
	Tasks     *Tasks

	options     Options
	life        *life
	boxes       *boxes
	pins        *pins
	client      *clientSide
	super       *supervisor
	router      *router
	permissions *permissions
	recorder    *recorder
	calls       *caller
	alwaysOpen  *alwaysOpen
	report      *listReporter

	configuring sync.Mutex // serialises SetConfig
}

// NewManager returns a manager for cfg. It starts nothing. The caller must call [Manager.Shutdown].
func NewManager(cfg *config.Config, options Options) *Manager {
	if options.Deadline == 0 {
		options.Deadline = DefaultDeadline
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Lookup.Env == nil {
		options.Lookup.Env = func(string) (string, bool) { return "", false }
	}
	if options.Lookup.Keyring == nil {
		options.Lookup.Keyring = func(string) (string, error) { return "", words.Code("toolbox.no_keychain") }
	}
	referred, tasks, elicitations, subscribed := &references{}, &owners{}, &owners{}, &subscriptions{}
	m := &Manager{options: options, life: newLife(options.Logger), report: &listReporter{tell: options.Changed}}
	m.recorder = newRecorder(m.life, &watchers{}, func(id ServerID) func(string) string { return m.boxes.maskOf(id) })
	m.boxes = newBoxes(cfg, m.recorder.watchers)
	m.pins = &pins{store: options.Pins, approve: options.Approve, boxes: m.boxes, report: m.report, life: m.life}
	m.client = &clientSide{client: options.Client, boxes: m.boxes, life: m.life, tasks: tasks,
		elicitations: elicitations, subscriptions: subscribed}
	m.super = &supervisor{life: m.life, boxes: m.boxes, pins: m.pins, client: m.client, report: m.report,
		leaving: departures{m.boxes, map[ServerID][]*link{}}, dialer: dialer{options: &m.options, client: m.client,
			connect: dialDownstream}}
	m.router = &router{options.Deadline, m.life, m.boxes, m.super, referred}
	m.permissions = &permissions{ask: options.Ask, limit: cmp.Or(options.Answering, options.Deadline),
		life: m.life, boxes: m.boxes}
	m.Tasks = &Tasks{m.life, m.boxes, m.router, tasks}
	m.Lists = &Lists{log: m.life.log, boxes: m.boxes, pins: m.pins, references: referred}
	m.Resources = &Resources{m.boxes, m.router, m.Lists, referred, subscribed}
	m.calls = &caller{m.boxes, m.router, m.permissions, m.Tasks, referred, elicitations}
	m.alwaysOpen = &alwaysOpen{boxes: m.boxes, pins: m.pins, super: m.super, report: m.report}
	return m
}

// Config returns the configuration in force.
func (m *Manager) Config() *config.Config { return m.boxes.configuration() }

// OpenNames returns the names of the open toolboxes, in the order of the file.
func (m *Manager) OpenNames() []string {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	var names []string
	for _, toolbox := range m.boxes.config.Toolboxes {
		if m.boxes.open[toolbox.Name] != nil {
			names = append(names, toolbox.Name)
		}
	}
	return names
}

// Close closes a toolbox and ends its servers. It returns how many servers were connected and whether the toolbox was
// open, or an [*Error] if it is not configured.
func (m *Manager) Close(ctx context.Context, name string) (disconnected int, wasOpen bool, err error) {
	m.boxes.mu.Lock()
	for _, r := range m.boxes.recordsOf(name) {
		r.problem, r.crashes = nil, 0
	}
	m.boxes.touch()
	b := m.boxes.open[name]
	if b == nil {
		cfg := m.boxes.config
		m.boxes.mu.Unlock()
		if _, ok := cfg.Toolbox(name); !ok {
			return 0, false, toolboxNotFound(name, toolboxNames(cfg))
		}
		return 0, false, nil
	}
	delete(m.boxes.open, name)
	links := slices.DeleteFunc(b.all(), in[restingState])
	for _, l := range links {
		l.leave(errClosed)
		m.super.leaving.depart(l)
	}
	if m.boxes.alwaysOpen(name) {
		m.boxes.open[name] = m.super.restingBox(b)
		if len(links) == 0 {
			m.boxes.mu.Unlock()
			return 0, false, nil
		}
	}
	m.boxes.mu.Unlock()

	gone := kinds(links...)
	disconnected = endAll(ctx, links)
	m.super.leaving.departed(links...)
	m.life.log.Info("Closed toolbox", "toolbox", name, "servers", disconnected)
	m.report.changed(gone)
	return disconnected, true, nil
}

// lingerTimeout is how long Shutdown waits for goroutines after all servers have ended. They take long only if a
// client does not read its answers.
const lingerTimeout = 2 * time.Second

// Shutdown ends all servers and returns when their processes have ended. Calls in flight fail. Later calls of any
// method fail or do nothing.
func (m *Manager) Shutdown(ctx context.Context) {
	m.boxes.mu.Lock()
	m.boxes.closed = true
	var links []*link
	for _, b := range m.boxes.open {
		links = append(links, b.all()...)
	}
	for _, l := range links {
		l.leave(errShutdown)
	}
	clear(m.boxes.open)
	m.boxes.touch()
	m.boxes.mu.Unlock()

	endAll(ctx, links)
	m.life.stop()
	if !pause.Until(context.Background(), m.life.running.Wait, lingerTimeout) {
		m.life.log.Warn("Something goes on after all servers have ended")
	}
}
