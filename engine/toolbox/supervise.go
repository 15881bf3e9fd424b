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

// supervisor starts servers, and restarts those that have ended by themselves.
type supervisor struct {
	life    *life
	boxes   *boxes
	pins    *pins
	client  *clientSide
	report  *listReporter
	leaving departures
	dialer  dialer
}

// ensure returns the link of a server. It starts a new one if there is none, or if the server is down or was stopped.
// The caller holds boxes.mu.
func (s *supervisor) ensure(toolbox string, server *config.Server) *link {
	b := s.boxes.box(toolbox)
	old := b.links[server.Name]
	if old != nil && old.usable() {
		return old
	}
	var before func(context.Context)
	if in[parkedState](old) || in[heldState](old) {
		before = old.ending(0) // its calls have failed already
	}
	return s.start(b, toolbox, server, old, before)
}

// start replaces the link old, which may be nil, by a new one and begins its attempt when before has returned. before
// may be nil. The caller holds boxes.mu.
func (s *supervisor) start(b *box, toolbox string, server *config.Server, old *link,
	before func(context.Context)) *link {
	r := s.boxes.record(toolbox, server.Name)
	awaits := old != nil && old.awaitsApproval
	if awaits {
		server = old.inForce // the running server keeps its entry
	}
	before = s.leaving.after(ServerID{toolbox, server.Name}, before)
	made := newLink
	if s.boxes.paused {
		made = newParkedLink // it is started when the pause ends
	}
	l := made(toolbox, server, r.journal, s.life.log)
	l.awaitsApproval, l.attempt.before = awaits, before
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

// connect connects the server of a link and waits until the session ends. A connected server that ends by itself is
// restarted. One that could not be connected at first is not, because waiting hardly ever helps; the next opening or
// call tries again.
//
// ctx ends when the attempt is given up. lifetime ends when the link is ended: until then, awaitEarlier waits for the
// previous server, which may have calls to answer.
func (s *supervisor) connect(lifetime, ctx context.Context, l *link) {
	defer l.attempt.cancel()
	s.leaving.awaitEarlier(lifetime, l)
	var session connection
	err := background.Catch(func() (err error) {
		session, err = s.dialer.dial(ctx, l, hooks{list: func(kind downstream.Kind) { s.refresh(l, kind) }, moved: s.touch,
			roots: func() { s.pins.asksForRoots(l) }})
		if err == nil {
			s.pins.read(l)
		}
		return err
	})
	if err == nil {
		s.client.firstLevel(ctx, l, session)
	}
	s.settle(ctx, l, session, err)
	s.report.changed(kinds(l))
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

// settle records the result of an attempt.
func (s *supervisor) settle(ctx context.Context, l *link, session connection, err error) {
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	r := s.boxes.record(l.toolbox, l.entry.Name)
	var hints []words.Text
	switch {
	case err == nil:
		l.connect(session)
		l.noteInfo(session.Info())
		if !l.process.Shared { // what a shared server says was said once, to several
			l.pins.met = metOf(session)
		}
		s.pins.know(l, session.Tools(), s.boxes.configured(l))
		r.problem, r.mask = nil, session.Mask
		l.sayConnected()
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
		// The journal gets the whole error, the problem only a part.
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

// touch records that the status has changed.
func (s *supervisor) touch() {
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	s.boxes.touch()
}

// refresh records that a list of a server has changed.
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
	s.report.changed(which)
}

// crashed records that a session has ended by itself.
func (s *supervisor) crashed(l *link) {
	err := l.session.Err()
	s.dialer.alone.ended(l.id(), err)
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	if in[heldState](l) {
		return // the user has stopped it
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

// retry restarts a server after a pause, unless planRetry decides otherwise or another start cancels ctx.
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

// planRetry decides whether to restart a server, and after which pause.
func (s *supervisor) planRetry(l *link) (time.Duration, bool) {
	s.boxes.mu.Lock()
	defer s.boxes.mu.Unlock()
	problem := l.problem()
	if problem == nil || !l.wasUp || s.boxes.restartable(l) == nil ||
		problem.Kind == status.KindSignIn || problem.Kind == status.KindApproval {
		return 0, false
	}
	if leftInOrder(l) {
		return 0, true
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

// steady is how long a server must run before its next end counts as its first crash again.
const steady = time.Minute

// retryPause returns the pause before a server is restarted that has crashed a number of times before. A random part
// keeps servers that ended together from starting together.
func retryPause(crashes int) time.Duration {
	pauses := [...]time.Duration{1, 2, 5, 15, 30, 60}
	pause := pauses[min(crashes, len(pauses)-1)] * time.Second
	return pause + rand.N(pause/5)
}
