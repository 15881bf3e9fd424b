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

// supervisor starts servers, takes their links from one state to the next, and starts those again that have ended by
// themselves.
type supervisor struct {
	life     *life
	boxes    *boxes
	pins     *pins
	client   *clientSide
	announce *announcer
	leaving  departures
	dialer   dialer
}

// ensure returns a usable link for the server, starting a new one where there is none or the user has stopped it. The
// caller holds boxes.mu.
func (s *supervisor) ensure(toolbox string, server *config.Server) *link {
	b := s.boxes.box(toolbox)
	old := b.links[server.Name]
	if old != nil && old.usable() {
		return old
	}
	var before func(context.Context)
	if in[parkedState](old) || in[heldState](old) {
		before = old.ending(0) // they were told already
	}
	return s.start(b, toolbox, server, old, before)
}

// start puts a new link in the place of the old one, which may be nil and is given up, and begins its attempt, after
// before, which may be nil too. The caller holds boxes.mu.
func (s *supervisor) start(b *box, toolbox string, server *config.Server, old *link,
	before func(context.Context)) *link {
	r := s.boxes.record(toolbox, server.Name)
	waits := old != nil && old.waits
	if waits {
		server = old.inForce // the running server keeps its entry
	}
	before = s.leaving.after(ServerID{toolbox, server.Name}, before)
	made := newLink
	if s.boxes.paused {
		made = newParkedLink // and comes to life with the others
	}
	l := made(toolbox, server, r.journal, s.life.log)
	l.waits, l.attempt.before = waits, before
	if old != nil {
		old.attempt.giveUp()
		if old.why() == nil {
			old.leave(errRestarted)
		}
		s.pins.inherit(l, old)
		l.wasUp = old.wasUp && old.entry.SameProcess(server)
	}
	r.problem = nil
	b.links[server.Name] = l
	s.boxes.touch()
	if s.boxes.paused {
		return l
	}
	var ctx, attempt context.Context
	ctx, l.attempt.cancel = context.WithCancel(s.life.ctx)
	attempt, l.attempt.giveUp = context.WithCancel(ctx)
	s.life.running.Go(func() { s.connect(ctx, attempt, l) })
	return l
}

// connect makes one attempt, settles the link, and then supervises the server until the link is given up: a connected
// server that ends by itself is started again.
//
// A server that could not be connected the first time is not started again, because waiting hardly ever helps then.
// The next opening or call tries again.
//
// When the attempt is given up, makeRoom still waits, because the previous server has calls to answer.
func (s *supervisor) connect(lifetime, ctx context.Context, l *link) {
	defer l.attempt.cancel()
	s.leaving.awaitEarlier(lifetime, l)
	var session connection
	err := background.Catch(func() (err error) {
		session, err = s.dialer.dial(ctx, l, func(kind downstream.Kind) { s.refresh(l, kind) })
		if err == nil {
			s.pins.read(l)
		}
		return err
	})
	s.settle(ctx, l, session, err)
	s.announce.changed(kinds(l))
	if err == nil {
		s.life.running.Go(func() { s.client.sendSettings(l) })
		select {
		case <-session.Done():
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return // ended by us
		}
		s.crashed(l)
	}
	s.retry(ctx, l)
}

// settle notes how an attempt ended.
func (s *supervisor) settle(ctx context.Context, l *link, session connection, err error) {
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	r := s.boxes.record(l.toolbox, l.entry.Name)
	var hints []words.Text
	switch {
	case err == nil:
		l.connect(session)
		l.noteInfo(session.Info())
		s.pins.know(l, session.Tools(), s.boxes.configured(l))
		r.problem, r.mask = nil, session.Mask
		l.journal.say(words.New("toolbox.connected", "Tools", countTools(l)))
		report(l)
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
		hints = sayWithheld(l, problem)
		l.fail(problem)
		if s.boxes.current(l) {
			r.problem, r.failed = problem, time.Now()
		}
		// The log has all of it, unlike the problem.
		l.journal.say(words.New("toolbox.not_connected", "Why", words.Of(err).Map(secret.Mask)))
		l.log.Warn("Server could not be connected", "error", err)
	}
	if err != nil {
		failed := connectFailed(l.toolbox, l.entry.Name, err)
		failed.Hints = hints
		l.err = failed
	}
	close(l.attempt.ready)
	s.boxes.touch()
}

// refresh takes up that a list of a server has changed.
func (s *supervisor) refresh(l *link, kind downstream.Kind) {
	<-l.attempt.ready
	if l.session == nil {
		return
	}
	var which [downstream.Kinds]bool
	which[kind] = true
	if kind == downstream.Tools {
		s.boxes.mu.Lock()
		s.pins.know(l, l.session.Tools(), s.boxes.configured(l))
		report(l)
		l.journal.say(words.New("toolbox.tools_changed", "Tools", countTools(l)))
		s.boxes.touch()
		s.boxes.mu.Unlock()
	}
	s.announce.changed(which)
}

// crashed notes that a session has ended by itself.
func (s *supervisor) crashed(l *link) {
	err := l.session.Err()
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
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
	if up, ok := l.state.(connectedState); ok && s.boxes.current(l) && time.Since(up.since) >= steady {
		s.boxes.record(l.toolbox, l.entry.Name).crashes = 0
	}
	l.fail(problem)
	s.boxes.touch()
}

// retry starts a server again after a while, unless planRetry says no or another start comes first, which cancels ctx.
func (s *supervisor) retry(ctx context.Context, l *link) {
	if wait, ok := s.planRetry(l); !ok || !pause.For(ctx, wait) {
		return
	}
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	if server := s.boxes.restartable(l); server != nil && !in[heldState](l) {
		s.ensure(l.toolbox, server)
	}
}

// planRetry decides whether and when to start a server again.
func (s *supervisor) planRetry(l *link) (time.Duration, bool) {
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	problem := l.problem()
	if problem == nil || !l.wasUp || s.boxes.restartable(l) == nil ||
		problem.Kind == status.KindSignIn || problem.Kind == status.KindApproval {
		return 0, false
	}
	r := s.boxes.record(l.toolbox, l.entry.Name)
	pause := retryPause(r.crashes)
	r.crashes++
	l.wait(pause)
	l.journal.say(words.New("toolbox.retry", "Seconds", int(pause.Round(time.Second).Seconds())))
	l.log.Warn("Server ended by itself", "problem", problem.Message, "again", pause.Round(time.Second))
	s.boxes.touch()
	return pause, true
}

// steady is how long a server must have been up before its next end counts as the first one again.
const steady = time.Minute

// retryPause returns how long a server that ended by itself stays down before it is started again, after it has ended
// falls times in a row before. A random part keeps servers that ended together from starting together.
func retryPause(crashes int) time.Duration {
	pauses := [...]time.Duration{1, 2, 5, 15, 30, 60}
	pause := pauses[min(crashes, len(pauses)-1)] * time.Second
	return pause + rand.N(pause/5)
}
