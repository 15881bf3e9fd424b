package toolbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// progressInterval is how often an Open that waits says so.
const progressInterval = 5 * time.Second

// Progress tells how far opening a toolbox has come.
type Progress struct {
	Done, Total int     // servers that have connected or failed, and all
	Fraction    float64 // of the deadline that has passed, 0 to 1, while a server is still starting
	Message     string
}

// Opened is what opening a toolbox brought.
type Opened struct {
	Toolbox     string
	Description string
	Connected   int
	Servers     []OpenedServer // connected ones, in the order of the file
	Errors      []*Error       // one for each server that could not be connected, in the order of the file
	Pending     []string       // servers still starting when the deadline came
}

// OpenedServer is one connected server with the tools that its filter lets through.
type OpenedServer struct {
	Name         string
	Instructions string // the server's instructions, "" for none; cut at maxInstructions
	Tools        []downstream.Item
	Faults       []downstream.Diagnostic // what is wrong with its lists
}

// maxInstructions is how much of a server's instructions is passed on, in bytes.
const maxInstructions = 16 << 10

// instructionsOf returns a server's instructions.
func instructionsOf(server downstream.Info) string {
	return visible.CutBytes(strings.TrimSpace(server.Instructions), maxInstructions)
}

// Open connects every enabled server of a toolbox, in parallel, and returns what is there at the
// deadline at the latest; servers still starting go on. An open toolbox is not connected again, but a server of it
// that failed or died is. report may be nil; it is called from this goroutine.
//
// It returns an [*Error] when the toolbox is not configured and when all of its servers failed, and
// ctx's error when that ended first.
func (m *Manager) Open(ctx context.Context, name string, report func(Progress)) (*Opened, error) {
	begun := time.Now()
	toolbox, links, err := m.begin(name)
	for err == nil {
		if err = m.await(ctx, begun, links, report); err != nil || !m.replaced(name, links) {
			break
		}
		// The configuration has changed meanwhile, and the new one counts.
		toolbox, links, err = m.begin(name)
	}
	if err != nil {
		return nil, err
	}

	opened := &Opened{Toolbox: name, Description: toolbox.Description}
	for i, server := range toolbox.Enabled() {
		switch l := links[i]; {
		case !l.settled():
			opened.Pending = append(opened.Pending, server.Name)
		case l.connected():
			opened.Connected++
			info := l.session.Info()
			opened.Servers = append(opened.Servers, OpenedServer{
				Name: server.Name, Instructions: m.instructionsOf(l), Tools: m.offered(l, server), Faults: info.Diagnostics})
		default:
			opened.Errors = append(opened.Errors, m.failure(l))
		}
	}
	if len(links) > 0 && len(opened.Errors) == len(links) {
		m.abandon(name, links)
		return nil, allFailed(opened.Errors)
	}
	if m.options.Opened != nil {
		m.options.Opened(opened)
	}
	return opened, nil
}

// begin has every enabled server of the toolbox connected or on its way. The links stand in the
// order of toolbox.Enabled().
func (m *Manager) begin(name string) (*config.Toolbox, []*link, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, nil, errShutdown
	}
	toolbox, ok := m.config.Toolbox(name)
	if !ok {
		return nil, nil, toolboxNotFound(name, toolboxNames(m.config))
	}
	if m.paused {
		return nil, nil, newError(contract.Unavailable, contract.Details{Toolbox: name}, errPaused,
			words.New("toolbox.not_opened", "Toolbox", name, "Why", errPaused))
	}
	if m.open[name] == nil {
		m.box(name)
		m.touch()
		m.log.Info("Opening toolbox", "toolbox", name)
	}
	links := make([]*link, 0, len(toolbox.Servers))
	for _, server := range toolbox.Enabled() {
		links = append(links, m.ensure(name, server))
	}
	return toolbox, links, nil
}

// replaced reports whether the toolbox is still open, but with other links.
func (m *Manager) replaced(name string, links []*link) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.open[name]
	if b == nil {
		return false
	}
	return slices.ContainsFunc(links, func(l *link) bool { return b.links[l.entry.Name] != l })
}

// await returns when all links have settled, at the deadline, which counts from begun, or with ctx's
// error.
func (m *Manager) await(ctx context.Context, begun time.Time, links []*link, report func(Progress)) error {
	deadline := time.NewTimer(m.options.Deadline - time.Since(begun))
	defer deadline.Stop()
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()

	say := func() {
		if report == nil {
			return
		}
		var waiting []string
		for _, l := range links {
			if !l.settled() {
				waiting = append(waiting, l.entry.Name)
			}
		}
		p := Progress{Done: len(links) - len(waiting), Total: len(links)}
		p.Fraction = min(1, time.Since(begun).Seconds()/m.options.Deadline.Seconds())
		p.Message = fmt.Sprintf("%d of %d servers ready", p.Done, p.Total)
		if len(waiting) > 0 {
			p.Message += ", still starting: " + strings.Join(waiting, ", ")
		}
		report(p)
	}
	for _, l := range links {
		for !l.settled() {
			select {
			case <-l.attempt.ready:
				say()
			case <-tick.C:
				say()
			case <-deadline.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// abandon forgets a toolbox of which nothing could be connected. One that was connected before stays, and its servers
// are tried again.
func (m *Manager) abandon(name string, links []*link) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.open[name]
	if b == nil || m.paused || m.alwaysOpen(name) {
		return
	}
	for _, l := range links {
		if b.links[l.entry.Name] != l || l.wasUp || in[heldState](l) {
			return // somebody else is trying again, or we will, or the user has stopped it
		}
	}
	delete(m.open, name)
	m.touch()
}

// failure returns why the link is not connected. The link must have settled.
func (m *Manager) failure(l *link) *Error {
	var e *Error
	if errors.As(l.err, &e) {
		return e
	}
	return connectFailed(l.toolbox, l.entry.Name, m.reason(l, l.session.Err()))
}

// reason returns why a session has ended: err, or what we ended it for.
func (m *Manager) reason(l *link, err error) error {
	if !errors.Is(err, downstream.ErrClosed) {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if why := l.why(); why != nil {
		return why
	}
	return err
}

// allFailed is the error of a toolbox of which no server could be connected: the first server's,
// with the others' beside it.
func allFailed(failures []*Error) *Error {
	first := *failures[0]
	first.Hints = slices.Clip(first.Hints)
	for _, other := range failures[1:] {
		first.Hints = append(first.Hints, other.Text())
	}
	if len(failures) > 1 {
		first.Details = contract.Details{Toolbox: first.Details.Toolbox}
	}
	return &first
}
