package toolbox

import (
	"bytes"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// record keeps facts about a server from one link to the next. Manager.mu guards all of it but the journal, which has its own lock.
type record struct {
	journal *journal

	// problem is why the last attempt failed, for a server that has no link any more because its toolbox could not be
	// opened at all; nil when there was none, or the toolbox was closed since.
	problem *status.Problem
	failed  time.Time

	falls int // how often in a row it ended by itself, without having stayed up

	mask func(string) string // masks what the server was given as a secret; nil if it was never connected
}

// maskOf returns what masks the secrets that a server was given; nil if it was never connected.
func (m *Manager) maskOf(id ServerID) func(string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.records[id]; r != nil {
		return r.mask
	}
	return nil
}

// record returns the record of a server. The caller holds m.mu.
func (m *Manager) record(toolbox, server string) *record {
	r := m.records[ServerID{toolbox, server}]
	if r == nil {
		r = &record{journal: &journal{toolbox: toolbox, server: server, watchers: &m.watchers}}
		m.records[ServerID{toolbox, server}] = r
	}
	return r
}

// Status returns how all configured servers are doing. The same snapshot is returned until something changes.
func (m *Manager) Status() status.Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.snapshot == nil {
		m.snapshot = m.takeSnapshot()
	}
	return *m.snapshot
}

func (m *Manager) takeSnapshot() *status.Snapshot {
	servers := 0
	for _, toolbox := range m.config.Toolboxes {
		servers += len(toolbox.Servers)
	}
	s := &status.Snapshot{Open: []string{}, Servers: make([]status.Server, 0, servers), Paused: m.paused}
	for _, toolbox := range m.config.Toolboxes {
		b := m.open[toolbox.Name]
		if b != nil {
			s.Open = append(s.Open, toolbox.Name)
		}
		for _, server := range toolbox.Servers {
			s.Servers = append(s.Servers, m.serverStatus(b, toolbox.Name, server))
		}
	}
	return s
}

func (m *Manager) serverStatus(b *box, toolbox string, server *config.Server) status.Server {
	out := status.Server{Toolbox: toolbox, Name: server.Name, State: status.NotStarted}
	var l *link
	if b != nil {
		l = b.links[server.Name]
	}
	switch {
	case server.Disabled:
		out.State = status.Disabled
	case m.paused:
	case l != nil:
		l.describe(&out)
	default:
		if r := m.records[ServerID{toolbox, server.Name}]; r != nil && r.problem != nil {
			out.State, out.Since, out.Problem = status.Failed, r.failed, r.problem
			switch r.problem.Kind {
			case status.KindSignIn:
				out.State = status.SignIn
			case status.KindApproval:
				out.State = status.NeedsApproval
			}
		}
	}
	return out
}

// describe fills in the status of a link's server. The caller holds Manager.mu.
func (l *link) describe(out *status.Server) {
	out.Title, out.Version, out.Waits = l.about.title, l.about.version, l.waits
	switch s := l.state.(type) {
	case startingState:
		out.State, out.Since = status.Starting, s.since
		out.Installing = downstream.MayInstall(l.entry)
	case connectedState:
		out.State, out.Since, out.Pid = status.Connected, s.since, s.pid
		out.Tools, out.AllTools, out.Revision = l.tools.allowed, len(l.tools.known), l.tools.revision
		out.Waiting, out.Marked = l.pins.waiting, l.pins.marked
		out.Faulty, out.LeftOut = l.countFaults()
		out.Forgotten = out.Waiting > 0 && l.pins.record != nil && l.pins.record.Lost
	case waitingState:
		out.Since, out.Problem, out.RetryAt = s.since, s.problem, s.again
		out.State = status.Stopped
	case failedState:
		out.Since, out.Problem = s.since, s.problem
		switch {
		case s.problem.Kind == status.KindSignIn:
			out.State = status.SignIn
		case s.problem.Kind == status.KindApproval:
			out.State = status.NeedsApproval
		case l.wasUp:
			out.State = status.Stopped
		default:
			out.State = status.Failed
		}
	default: // we have stopped it
		out.State, out.Since, out.Held = status.NotStarted, l.downSince(), in[heldState](l)
	}
}

// countFaults returns how many definitions of a connected server are faulty, and how many of them are left out.
func (l *link) countFaults() (faulty, leftOut int) {
	type item struct {
		kind downstream.Kind
		name string
	}
	counted := map[item]bool{}
	for _, d := range l.session.Info().Diagnostics {
		one := item{d.Kind, d.Name}
		switch {
		case d.Name == "": // of the list
		case !d.Kept:
			faulty, leftOut = faulty+1, leftOut+1
		case !counted[one]:
			counted[one] = true
			faulty++
		}
	}
	return faulty, leftOut
}

// know notes the tools of a server, and which of them are withheld. The caller holds m.mu.
func (m *Manager) know(l *link, tools []downstream.Item, server *config.Server) {
	var filters []string
	if server != nil {
		filters = server.ToolFilters
	}
	same := slices.EqualFunc(l.tools.known, tools, func(a, b downstream.Item) bool { return a.Name == b.Name && bytes.Equal(a.Definition, b.Definition) })
	pins := m.judge(l, tools, server)
	if pins || !same || !slices.Equal(l.tools.filters, filters) || (l.tools.filters == nil) != (filters == nil) {
		l.tools.revision++
	}
	l.tools.known, l.tools.filters = tools, filters
	l.tools.allowed = len(tools)
	if filters != nil || l.pins.withheld != nil {
		l.tools.allowed = len(l.offered(server))
	}
}

// introduce notes what a server says about itself.
func (l *link) introduce(info downstream.Info) {
	l.about.title, l.about.version = info.Title, info.Version
	if l.about.title == "" {
		l.about.title = info.Name
	}
	l.about.title, l.about.version = secret.Mask(l.about.title), secret.Mask(l.about.version)
	l.pins.instructions = nil
	if text := instructionsOf(info); text != "" {
		l.pins.instructions = pin.InstructionsOf(text).Raw
	}
}

// touch makes the snapshot stale and wakes the subscribers. The caller holds m.mu.
func (m *Manager) touch() {
	m.snapshot = nil
	for changed := range m.subscribers {
		pause.Wake(changed)
	}
}

// Subscribe returns a channel that gets a value after [Manager.Status] changed; changes may come as one. It is never
// closed.
func (m *Manager) Subscribe() (changed <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.subscribers[c] = true
	return c, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.subscribers, c)
	}
}
