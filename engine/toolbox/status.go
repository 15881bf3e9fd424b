package toolbox

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Status returns the status of all configured servers. It returns the same snapshot until something changes.
func (m *Manager) Status() status.Snapshot {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	if m.boxes.board.snapshot == nil {
		m.boxes.board.snapshot = m.boxes.takeSnapshot()
	}
	return *m.boxes.board.snapshot
}

func (bs *boxes) takeSnapshot() *status.Snapshot {
	servers := 0
	for _, toolbox := range bs.config.Toolboxes {
		servers += len(toolbox.Servers)
	}
	s := &status.Snapshot{Open: []string{}, Servers: make([]status.Server, 0, servers), Paused: bs.paused}
	for _, toolbox := range bs.config.Toolboxes {
		b := bs.open[toolbox.Name]
		if b != nil {
			s.Open = append(s.Open, toolbox.Name)
		}
		for _, server := range toolbox.Servers {
			s.Servers = append(s.Servers, bs.serverStatus(b, toolbox.Name, server))
		}
	}
	return s
}

func (bs *boxes) serverStatus(b *box, toolbox string, server *config.Server) status.Server {
	out := status.Server{Toolbox: toolbox, Name: server.Name, State: status.NotStarted}
	var l *link
	if b != nil {
		l = b.links[server.Name]
	}
	switch {
	case server.Disabled:
		out.State = status.Disabled
	case bs.paused:
	case l != nil:
		l.describe(&out)
	default:
		if r := bs.records[ServerID{toolbox, server.Name}]; r != nil && r.problem != nil {
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

// describe fills in the status of the link's server. The caller holds boxes.mu.
func (l *link) describe(out *status.Server) {
	out.Title, out.Version, out.Waits = l.about.title, l.about.version, l.awaitsApproval
	switch s := l.state.(type) {
	case startingState:
		out.State, out.Since = status.Starting, s.since
		out.Installing = downstream.MayInstall(l.entry)
	case connectedState:
		out.State, out.Since = status.Connected, s.since
		out.Process = l.process
		out.Process.Pid = l.session.Info().Pid
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

// countFaults returns how many definitions of a connected server are faulty, and how many of these are left out.
func (l *link) countFaults() (faulty, leftOut int) {
	type item struct {
		kind downstream.Kind
		name string
	}
	counted := map[item]bool{}
	for _, d := range l.session.Info().Diagnostics {
		one := item{d.Kind, d.Name}
		switch {
		case d.Name == "": // a fault of the list itself
		case !d.Kept:
			faulty, leftOut = faulty+1, leftOut+1
		case !counted[one]:
			counted[one] = true
			faulty++
		}
	}
	return faulty, leftOut
}

// Subscribe returns a channel that gets a value when [Manager.Status] has changed. Several changes may give one value.
// The channel is never closed. The caller must call cancel.
func (m *Manager) Subscribe() (changed <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	m.boxes.board.subscribers[c] = true
	return c, func() {
		m.boxes.mu.Lock()
		defer m.boxes.mu.Unlock()
		delete(m.boxes.board.subscribers, c)
	}
}
