package toolbox

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// DefaultDeadline is how long opening a toolbox, or a call that opens one, waits for servers before
// it answers without them. Clients give up after 60 s; this lies below (contract.md, section 5).
const DefaultDeadline = 45 * time.Second

// closeTimeout bounds the polite end of a server; afterwards it is killed.
const closeTimeout = 5 * time.Second

// Options say how a [Manager] connects servers. The zero value works.
type Options struct {
	// Lookup finds the values of ${VAR} and ${keyring:NAME}. The zero value finds nothing.
	Lookup config.Lookup
	// Environ is the environment that servers inherit, as os.Environ returns it; nil means our own.
	Environ []string
	// EnvironFor returns the environment for a command, in place of Environ. It may be nil. It may take a while, since only the server
	// that is about to start waits for it.
	EnvironFor func(ctx context.Context, command string) []string
	// Start starts the process of a server; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)
	// Deadline for servers to connect, 0 means [DefaultDeadline].
	Deadline time.Duration
	// Tokens knows to which remote servers the user has signed in; see [downstream.Options].
	Tokens downstream.Tokens
	// Version of the program, told to servers.
	Version string
	// Approve returns nil when an entry may be started in a toolbox, else why not; nil means that all may. It may take its time.
	Approve func(ctx context.Context, toolbox string, entry *config.Server) error
	// Changed is called, never concurrently with itself, when what open toolboxes have of a kind may have
	// changed. It must not call back into the Manager.
	Changed func(kind downstream.Kind)
	// Pins keep what the tools of servers were, so that a change is noticed; nil: no change is.
	Pins *pin.Store
	// Client answers the requests of servers; nil means that they cannot ask anybody.
	Client Client
	// Ask asks the person whether a call may go on. It returns the answer, or an error that says why there is none, and returns soon
	// after ctx has ended. When it is nil, calls that need the person's permission fail.
	Ask func(ctx context.Context, q status.Question) (status.Answer, error)
	// Called is told of each call that has ended: how long it took, and whether it failed. Opened is told what each [Manager.Open] brought.
	// Both must return at once. Nil: nobody wants to know.
	Called func(id ToolID, took time.Duration, failed bool)
	Opened func(*Opened)
	// Exposed returns the name under which clients see a tool in dynamic mode, "" when they don't. Nil means that no
	// tool has one.
	Exposed func(ToolID) string
	Logger  *slog.Logger
}

// Manager keeps the toolboxes of one engine: which are open, and what is connected for them.
// Its methods can be called from any goroutine.
type Manager struct {
	options Options
	log     *slog.Logger

	// lifetime ends with the Manager. Servers live under it, not under the call that started them.
	lifetime context.Context
	stop     context.CancelFunc
	running  background.Group
	notify   sync.Mutex // serialises Options.Changed
	dialer   func(context.Context, downstream.Options) (connection, error)
	watchers watchers
	recorder *recorder

	permissions   permissions
	linked        claims        // of the resources that results have linked to
	latest        lastLists     // of resources and templates
	tasks         owners        // of the tasks that the client knows of
	elicitations  owners        // of those that have an id
	subscriptions subscriptions // of the client, to resources

	configuring sync.Mutex // serialises SetConfig

	mu          sync.Mutex
	config      *config.Config
	open        map[string]*box
	records     map[ServerID]*record
	leaving     map[ServerID][]*link // out of their boxes, and not gone yet
	snapshot    *status.Snapshot     // nil when stale
	subscribers map[chan struct{}]bool
	level       string // of messages, as the client wants it; "" until it has said
	recording   bool   // the recorder runs
	paused      bool
	closed      bool
	following   bool // the files of pins are watched
	unkept      bool // it was said that pins cannot be kept
	keeping     bool // toolboxes that are always open are kept so

	resting sync.Mutex // held while links are laid to rest
	shelves shelves    // the stored tools of servers that do not run
}

// box is an open toolbox.
type box struct {
	links map[string]*link // by server name
}

// NewManager returns a manager for cfg. It starts nothing. The caller owns it and must call
// [Manager.Shutdown].
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
	lifetime, stop := context.WithCancel(context.Background())
	m := &Manager{
		options:     options,
		log:         options.Logger,
		lifetime:    lifetime,
		stop:        stop,
		dialer:      dialDownstream,
		config:      cfg,
		open:        map[string]*box{},
		records:     map[ServerID]*record{},
		leaving:     map[ServerID][]*link{},
		subscribers: map[chan struct{}]bool{},
	}
	m.recorder = newRecorder(&m.watchers, m.maskOf)
	return m
}

// Config returns the configuration in force.
func (m *Manager) Config() *config.Config {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.config
}

// OpenNames returns the names of the open toolboxes, in the order of the file.
func (m *Manager) OpenNames() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for _, toolbox := range m.config.Toolboxes {
		if m.open[toolbox.Name] != nil {
			names = append(names, toolbox.Name)
		}
	}
	return names
}

// Close ends the connections and processes of a toolbox. It returns how many servers were
// disconnected and whether the toolbox was open, or an [*Error] for a name that is not configured.
func (m *Manager) Close(ctx context.Context, name string) (disconnected int, wasOpen bool, err error) {
	m.mu.Lock()
	for _, r := range m.recordsOf(name) {
		r.problem, r.falls = nil, 0
	}
	m.touch()
	b := m.open[name]
	if b == nil {
		cfg := m.config
		m.mu.Unlock()
		if _, ok := cfg.Toolbox(name); !ok {
			return 0, false, toolboxNotFound(name, toolboxNames(cfg))
		}
		return 0, false, nil
	}
	delete(m.open, name)
	links := slices.DeleteFunc(b.all(), in[restingState])
	for _, l := range links {
		l.leave(errClosed)
		m.depart(l)
	}
	if m.alwaysOpen(name) {
		m.open[name] = m.layToRest(b)
		if len(links) == 0 {
			m.mu.Unlock()
			return 0, false, nil
		}
	}
	m.mu.Unlock()

	gone := kinds(links...)
	disconnected = endAll(ctx, links)
	m.departed(links...)
	m.log.Info("Closed toolbox", "toolbox", name, "servers", disconnected)
	m.changed(gone)
	return disconnected, true, nil
}

// lingerTimeout bounds how long Shutdown waits for the callers of ended calls to return. They are slow only when a client does not
// read its answers.
const lingerTimeout = 2 * time.Second

// Shutdown ends everything at once and returns when all servers and their children are gone.
// Calls in flight fail. Later calls of any method fail or do nothing.
func (m *Manager) Shutdown(ctx context.Context) {
	m.mu.Lock()
	m.closed = true
	var links []*link
	for _, b := range m.open {
		links = append(links, b.all()...)
	}
	for _, l := range links {
		l.leave(errShutdown)
	}
	clear(m.open)
	m.touch()
	m.mu.Unlock()

	endAll(ctx, links)
	m.stop()
	if !pause.Until(context.Background(), m.running.Wait, lingerTimeout) {
		m.log.Warn("Something goes on after all servers have ended")
	}
}

// endAll ends links in parallel and counts those that were connected.
func endAll(ctx context.Context, links []*link) int {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	ended := make([]bool, len(links))
	var wg background.Group
	for i, l := range links {
		wg.Go(func() { ended[i] = l.end(ctx) })
	}
	wg.Wait()
	n := 0
	for _, connected := range ended {
		if connected {
			n++
		}
	}
	return n
}

func (b *box) all() []*link {
	links := make([]*link, 0, len(b.links))
	for _, l := range b.links {
		links = append(links, l)
	}
	return links
}

// ensure returns a usable link for the server, starting a new one where there is none or the user has stopped it. The caller holds m.mu.
func (m *Manager) ensure(toolbox string, server *config.Server) *link {
	b := m.box(toolbox)
	old := b.links[server.Name]
	if old != nil && old.usable() {
		return old
	}
	var before func(context.Context)
	if in[parkedState](old) || in[heldState](old) {
		before = old.ending(0) // they were told already
	}
	return m.start(b, toolbox, server, old, before)
}

// box returns the open toolbox of that name, and opens it if need be. The caller holds m.mu.
func (m *Manager) box(toolbox string) *box {
	b := m.open[toolbox]
	if b == nil {
		b = &box{links: map[string]*link{}}
		m.open[toolbox] = b
	}
	return b
}

// start puts a new link in the place of the old one, which may be nil and is given up, and begins its attempt, after
// before, which may be nil too. The caller holds m.mu.
func (m *Manager) start(b *box, toolbox string, server *config.Server, old *link, before func(context.Context)) *link {
	r := m.record(toolbox, server.Name)
	waits := old != nil && old.waits
	if waits {
		server = old.inForce // the running server keeps its entry
	}
	before = m.after(ServerID{toolbox, server.Name}, before)
	made := newLink
	if m.paused {
		made = newParkedLink // and comes to life with the others
	}
	l := made(toolbox, server, r.journal, m.log)
	l.waits, l.attempt.before = waits, before
	if old != nil {
		old.attempt.giveUp()
		m.inherit(l, old)
		l.wasUp = old.wasUp && old.entry.SameProcess(server)
	}
	r.problem = nil
	b.links[server.Name] = l
	m.touch()
	if m.paused {
		return l
	}
	var ctx, attempt context.Context
	ctx, l.attempt.cancel = context.WithCancel(m.lifetime)
	attempt, l.attempt.giveUp = context.WithCancel(ctx)
	m.running.Go(func() { m.connect(ctx, attempt, l) })
	return l
}

// recordsOf returns what is remembered of a toolbox's servers. The caller holds m.mu.
func (m *Manager) recordsOf(toolbox string) []*record {
	var records []*record
	for at, r := range m.records {
		if at.Toolbox == toolbox {
			records = append(records, r)
		}
	}
	return records
}

// report logs problems of a server's tools that were not logged before. Unsound tools are not offered.
func (m *Manager) report(l *link) {
	for _, d := range l.said.faults.New(l.session.Info().Diagnostics) {
		switch {
		case d.Kind != downstream.Tools:
			continue // the session has said it
		case d.Kept:
			l.journal.say(d.Text())
			m.log.Info("A tool is faulty", "toolbox", l.toolbox, "server", l.entry.Name, "tool", d.Name, "problem", d.Message)
			continue
		case d.Name == "":
			l.journal.say(d.Text())
			m.log.Warn("A list of the server is wrong", "toolbox", l.toolbox, "server", l.entry.Name, "problem", d.Message)
			continue
		}
		l.journal.say(words.New("toolbox.set_aside", "Item", d.Kind.List().Singular, "Name", d.Name, "Why", d.Message))
		m.log.Warn("A tool was set aside", "toolbox", l.toolbox, "server", l.entry.Name, "tool", d.Name, "problem", d.Message)
	}
}

// refresh takes up that a list of a server has changed.
func (m *Manager) refresh(l *link, kind downstream.Kind) {
	<-l.attempt.ready
	if l.session == nil {
		return
	}
	var which [downstream.Kinds]bool
	which[kind] = true
	if kind == downstream.Tools {
		m.mu.Lock()
		m.know(l, l.session.Tools(), m.configured(l))
		m.report(l)
		l.journal.say(words.New("toolbox.tools_changed", "Tools", countTools(l)))
		m.touch()
		m.mu.Unlock()
	}
	m.changed(which)
}

// changed announces that the lists of some kinds may have changed.
func (m *Manager) changed(which [downstream.Kinds]bool) {
	if m.options.Changed == nil {
		return
	}
	m.notify.Lock()
	defer m.notify.Unlock()
	for kind := range downstream.Kinds {
		if which[kind] {
			m.options.Changed(kind)
		}
	}
}

func toolboxNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Toolboxes))
	for i, toolbox := range cfg.Toolboxes {
		names[i] = toolbox.Name
	}
	return names
}

func serverNames(toolbox *config.Toolbox) []string {
	var names []string
	for _, server := range toolbox.Enabled() {
		names = append(names, server.Name)
	}
	return names
}

// allowed returns the tools that the server's filter lets through, in their order.
func allowed(server *config.Server, tools []downstream.Item) []downstream.Item {
	if server.ToolFilters == nil {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t downstream.Item) bool { return !server.Allows(t.Name) })
}
