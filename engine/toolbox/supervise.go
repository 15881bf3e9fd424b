package toolbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// steady is how long a server must have been up before its next end counts as the first one again.
const steady = time.Minute

// retryPause returns how long a server that ended by itself stays down before it is started again, after it has ended falls times in a
// row before. A random part keeps servers that ended together from starting together.
func retryPause(falls int) time.Duration {
	pauses := [...]time.Duration{1 * time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute}
	pause := pauses[min(falls, len(pauses)-1)]
	return pause + rand.N(pause/5)
}

// connect makes one attempt, settles the link, and then supervises the server until the link is given up: a connected server that
// ends by itself is started again.
//
// A server that could not be connected the first time is not started again, because waiting hardly ever helps then. The next opening
// or call tries again.
//
// When the attempt is given up, makeRoom still waits, because the previous server has calls to answer.
func (m *Manager) connect(room, ctx context.Context, l *link) {
	defer l.attempt.cancel()
	m.makeRoom(room, l)
	var session connection
	err := background.Catch(func() (err error) {
		session, err = m.dial(ctx, l)
		if err == nil {
			m.readPins(l)
		}
		return err
	})
	m.settle(ctx, l, session, err)
	m.changed(kinds(l))
	if err == nil {
		m.running.Go(func() { m.greet(l) })
		select {
		case <-session.Done():
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return // ended by us
		}
		m.fell(l)
	}
	m.retry(ctx, l)
}

func (m *Manager) dial(ctx context.Context, l *link) (connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.options.Approve != nil {
		if err := m.options.Approve(ctx, l.toolbox, l.entry); err != nil {
			return nil, notApproved{err}
		}
	}
	entry, err := m.expand(ctx, l.entry)
	if err != nil {
		return nil, err
	}
	environ, withheld := m.inherited(ctx, entry)
	l.attempt.unset = withheld
	l.journal.say(words.New("toolbox.starting", "Command", startLine(l.entry)))
	return m.dialer(ctx, m.dialOptions(l, downstream.Options{
		Toolbox:       l.toolbox,
		Server:        entry,
		Environ:       environ,
		ClientName:    "mcp-workbench",
		ClientVersion: m.options.Version,
		Tokens:        m.options.Tokens,
		Start:         m.options.Start,
		Logger:        m.log, // adds toolbox and server itself
	}))
}

// expand returns the entry with its references replaced, or ctx's error. A keychain may wait for its password and cannot
// be cancelled. The goroutine that asks it then goes on alone, and its answer is dropped.
func (m *Manager) expand(ctx context.Context, entry *config.Server) (*config.Server, error) {
	type expanded struct {
		entry *config.Server
		err   error
	}
	answer := make(chan expanded, 1)
	background.Go(func() {
		var a expanded
		err := background.Catch(func() (err error) {
			a.entry, err = entry.Expand(m.options.Lookup)
			return err
		})
		answer <- expanded{a.entry, err}
	})
	select {
	case a := <-answer:
		return a.entry, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// dialDownstream is how servers are connected outside of tests.
func dialDownstream(ctx context.Context, options downstream.Options) (connection, error) {
	session, err := downstream.Connect(ctx, options)
	if err != nil {
		return nil, err // and no interface that holds a nil pointer
	}
	return session, nil
}

// settle notes how an attempt ended.
func (m *Manager) settle(ctx context.Context, l *link, session connection, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.record(l.toolbox, l.entry.Name)
	var hints []words.Text
	switch {
	case err == nil:
		l.connect(session)
		l.introduce(session.Info())
		m.know(l, session.Tools(), m.configured(l))
		r.problem, r.mask = nil, session.Mask
		l.journal.say(words.New("toolbox.connected", "Tools", countTools(l)))
		m.report(l)
	case ctx.Err() != nil:
		err = l.why()
		if err == nil || errors.Is(err, errClosed) {
			err = words.NewError("toolbox.closed_while_starting")
		}
		if l.why() == nil {
			l.leave(errClosed)
		}
		l.journal.say(words.New("toolbox.given_up", "Why", err))
	default:
		problem := problemOf(l.entry, err)
		hints = m.sayWithheld(l, problem)
		l.fail(problem)
		if m.current(l) {
			r.problem, r.failed = problem, time.Now()
		}
		l.journal.say(words.New("toolbox.not_connected", "Why", words.Of(err).Map(secret.Mask))) // all of it, unlike the problem
		m.log.Warn("Server could not be connected", "toolbox", l.toolbox, "server", l.entry.Name, "error", err)
	}
	if err != nil {
		failed := connectFailed(l.toolbox, l.entry.Name, err)
		failed.Hints = hints
		l.err = failed
	}
	close(l.attempt.ready)
	m.touch()
}

func countTools(l *link) words.Text {
	if l.tools.allowed != len(l.tools.known) {
		return words.New("toolbox.tools_allowed", "Count", len(l.tools.known), "Allowed", l.tools.allowed)
	}
	return words.New("toolbox.tools", "Count", len(l.tools.known))
}

// configured returns the entry in force of a link's server, nil when there is none. The caller holds m.mu.
func (m *Manager) configured(l *link) *config.Server {
	toolbox, ok := m.config.Toolbox(l.toolbox)
	if !ok {
		return nil
	}
	server, _ := toolbox.Server(l.entry.Name)
	return server
}

// current reports whether the link is the one of its server. The caller holds m.mu.
func (m *Manager) current(l *link) bool {
	b := m.open[l.toolbox]
	return b != nil && b.links[l.entry.Name] == l
}

// fell notes that a session has ended by itself.
func (m *Manager) fell(l *link) {
	err := l.session.Err()
	m.mu.Lock()
	defer m.mu.Unlock()
	if in[heldState](l) {
		return // it was about to be ended
	}
	problem := problemOf(l.entry, err)
	l.said.end.Do(func() {
		why := problem.Message
		if how, ok := why.Args["How"].(words.Text); ok && why.Code == "downstream.stopped" {
			why = how
		}
		l.journal.say(words.New("toolbox.ended_by_itself", "Why", why))
	})
	if up, ok := l.state.(connectedState); ok && m.current(l) && time.Since(up.since) >= steady {
		m.record(l.toolbox, l.entry.Name).falls = 0
	}
	l.fail(problem)
	m.touch()
}

// retry starts a server again after a while, unless planRetry says no or another start comes first, which cancels ctx.
func (m *Manager) retry(ctx context.Context, l *link) {
	if wait, ok := m.planRetry(l); !ok || !pause.For(ctx, wait) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if server := m.configured(l); server != nil && !server.Disabled && m.current(l) && !in[heldState](l) && !m.paused && !m.closed {
		m.ensure(l.toolbox, server)
	}
}

// planRetry decides whether and when to start a server again.
func (m *Manager) planRetry(l *link) (time.Duration, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	problem := l.problem()
	if problem == nil || problem.Kind == status.KindSignIn || problem.Kind == status.KindApproval || !l.wasUp || !m.current(l) || m.paused || m.closed {
		return 0, false
	}
	r := m.record(l.toolbox, l.entry.Name)
	pause := retryPause(r.falls)
	r.falls++
	l.wait(pause)
	l.journal.say(words.New("toolbox.retry", "Seconds", int(pause.Round(time.Second).Seconds())))
	m.log.Warn("Server ended by itself", "toolbox", l.toolbox, "server", l.entry.Name, "problem", problem.Message, "again", pause.Round(time.Second))
	m.touch()
	return pause, true
}
