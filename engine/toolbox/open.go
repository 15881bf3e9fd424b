package toolbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// progressInterval is the time between two progress reports of [Manager.Open].
const progressInterval = 5 * time.Second

// Open connects all enabled servers of a toolbox in parallel. It returns when they have connected or failed, or at the
// deadline; servers that are still starting continue. If the toolbox is open, only servers that are not connected are
// connected again. report may be nil; it is called from this goroutine.
//
// It returns an [*Error] if the toolbox is not configured or all its servers failed, and the error of ctx if ctx ends
// first.
func (m *Manager) Open(ctx context.Context, name string, report func(Progress)) (*Opened, error) {
	begun := time.Now()
	toolbox, links, err := m.begin(name)
	for err == nil {
		if err = await(ctx, begun, m.options.Deadline, links, report); err != nil || !m.replaced(name, links) {
			break
		}
		// The configuration has changed.
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
				Name: server.Name, Instructions: m.boxes.instructionsOf(l), Tools: m.boxes.offered(l, server),
				Faults: info.Diagnostics})
		default:
			opened.Errors = append(opened.Errors, m.boxes.failure(l))
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

// begin starts the enabled servers of a toolbox that are not connected. It returns the links of all of them, in the
// order of toolbox.Enabled().
func (m *Manager) begin(name string) (*config.Toolbox, []*link, error) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	if m.boxes.closed {
		return nil, nil, errShutdown
	}
	toolbox, ok := m.boxes.config.Toolbox(name)
	if !ok {
		return nil, nil, toolboxNotFound(name, toolboxNames(m.boxes.config))
	}
	if m.boxes.paused {
		return nil, nil, newError(contract.Unavailable, contract.Details{Toolbox: name}, errPaused,
			words.New("toolbox.not_opened", "Toolbox", name, "Why", errPaused))
	}
	if m.boxes.open[name] == nil {
		m.boxes.box(name)
		m.boxes.touch()
		m.life.log.Info("Opening toolbox", "toolbox", name)
	}
	links := make([]*link, 0, len(toolbox.Servers))
	for _, server := range toolbox.Enabled() {
		links = append(links, m.super.ensure(name, server))
	}
	return toolbox, links, nil
}

// replaced reports whether a toolbox is still open, but with other links.
func (m *Manager) replaced(name string, links []*link) bool {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	b := m.boxes.open[name]
	if b == nil {
		return false
	}
	return slices.ContainsFunc(links, func(l *link) bool { return b.links[l.entry.Name] != l })
}

// await returns when all links have settled, or limit after begun, or with the error of ctx.
func await(ctx context.Context, begun time.Time, limit time.Duration, links []*link, report func(Progress)) error {
	deadline := time.NewTimer(limit - time.Since(begun))
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
		p.Fraction = min(1, time.Since(begun).Seconds()/limit.Seconds())
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

// abandon closes a toolbox if none of its servers could be connected. If one of them was connected before, the toolbox
// stays open, and its servers are restarted.
func (m *Manager) abandon(name string, links []*link) {
	m.boxes.mu.Lock()
	defer m.boxes.mu.Unlock()
	b := m.boxes.open[name]
	if b == nil || m.boxes.paused || m.boxes.alwaysOpen(name) {
		return
	}
	for _, l := range links {
		if b.links[l.entry.Name] != l || l.wasUp || in[heldState](l) {
			return // it was replaced, will be restarted, or was stopped by the user
		}
	}
	delete(m.boxes.open, name)
	m.boxes.touch()
}
