package toolbox

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// link is one attempt to have one server of an open toolbox connected, and the session that came of it. A link is
// never reused: a server that ended, failed or changed gets a new link, which inherits what is known of the server.
//
//	 newLink                        newRestingLink, newParkedLink, newHeldLink
//	    │                                           │
//	    ▼       connect                             ▼
//	starting ────────────▶ connected     resting, parked or held
//	    │                      │
//	    │ fail                 │ fail
//	    └──────▶ failed ◀──────┘
//	               │ wait
//	               ▼
//	            waiting ───▶ a new link, which is starting
//
//	each of them: hold ──▶ held, park ──▶ parked, leave ──▶ leaving
//
// The methods of these names are the only ones that change the state, and each change is logged. A held or parked
// link keeps its place until a new link takes it. A leaving one has lost its place. Links that are replaced or taken
// out of the configuration leave, too.
type link struct {
	toolbox string
	entry   *config.Server // as the file says, not expanded
	journal *journal
	log     *slog.Logger
	attempt attempt
	calls   background.Group // calls in flight; Add only under boxes.mu while the link is in its box
	said    said
	level   leveling
	noTasks atomic.Int64 // until when it is not asked for its tasks, in Unix nanoseconds

	// Written before attempt.ready is closed, read-only afterwards.
	session connection
	err     error // why there is no session

	// What follows is guarded by boxes.mu.

	state state
	// inForce is the entry in the configuration that was taken up last. It starts what entry starts. Once the server
	// is connected it is approved, and may say otherwise than entry whether the person is asked first and which apps
	// see the server.
	inForce *config.Server
	waits   bool // the file has another entry, which is not approved
	wasUp   bool // the server was connected, by this link or by one before it
	about   about
	tools   tools
	pins    pinning
}

// state is what a link does at a time. Each state has the data that only it needs.
type state interface {
	name() string
}

type (
	// startingState is that of a link whose attempt goes on.
	startingState struct{ since time.Time }

	// connectedState is that of a link with a session. The session may have ended a moment ago.
	connectedState struct {
		since time.Time
		pid   int
	}

	// failedState is that of a link whose attempt has failed, or whose server has ended by itself. Nothing starts it
	// but a request.
	failedState struct {
		since   time.Time
		problem *status.Problem
	}

	// waitingState is that of a link whose server ended by itself and is started again in a while.
	waitingState struct {
		failedState
		again time.Time
	}

	// heldState is that of a link whose server the user has stopped.
	heldState struct{ since time.Time }

	// parkedState is that of a link that comes to life again when a pause ends.
	parkedState struct{ since time.Time }

	// restingState is that of a link of a toolbox that is always open. Its tools are listed, and it was never started.
	restingState struct{ since time.Time }

	// leavingState is that of a link that has lost its place.
	leavingState struct{ why error }
)

func (startingState) name() string  { return "starting" }
func (connectedState) name() string { return "connected" }
func (failedState) name() string    { return "failed" }
func (waitingState) name() string   { return "waiting" }
func (heldState) name() string      { return "held" }
func (parkedState) name() string    { return "parked" }
func (restingState) name() string   { return "resting" }
func (leavingState) name() string   { return "leaving" }

// newLink returns a link that is starting. The caller begins the attempt.
func newLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	now := time.Now()
	return &link{toolbox: toolbox, entry: entry, inForce: entry, journal: j,
		log:     log.With("toolbox", toolbox, "server", entry.Name),
		attempt: attempt{started: now, ready: make(chan struct{})}, state: startingState{now}}
}

// newRestingLink returns a link that is not started before somebody needs its server.
func newRestingLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(restingState{l.attempt.started}, errResting)
	return l
}

// newParkedLink returns a link that is not started before the pause ends.
func newParkedLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(parkedState{l.attempt.started}, errPaused)
	return l
}

// newHeldLink returns a link for a server that the user has stopped, and that another entry does not start.
func newHeldLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(heldState{l.attempt.started}, errHeld)
	return l
}

// neverBegin settles a new link without an attempt. err says why it is not connected.
func (l *link) neverBegin(next state, why error) {
	l.become(next)
	l.attempt.giveUp, l.attempt.cancel = func() {}, func() {}
	l.err = connectFailed(l.toolbox, l.entry.Name, why)
	close(l.attempt.ready)
}

// connect notes that the attempt has brought a session. A link that was stopped meanwhile stays stopped, and has a
// session to end.
func (l *link) connect(session connection) {
	l.session, l.wasUp = session, true
	if _, ok := l.state.(startingState); ok {
		l.become(connectedState{time.Now(), session.Info().Pid})
	}
}

// fail notes that the attempt has failed, or that the session has ended by itself. It reports false for a link that
// we are stopping.
func (l *link) fail(problem *status.Problem) bool {
	switch l.state.(type) {
	case startingState, connectedState:
		l.become(failedState{time.Now(), problem})
		return true
	}
	return false
}

// wait notes that the server is started again in a while.
func (l *link) wait(pause time.Duration) {
	if failed, ok := l.state.(failedState); ok {
		l.become(waitingState{failed, time.Now().Add(pause)})
	}
}

// hold stops the link for the user.
func (l *link) hold() { l.become(heldState{l.downSince()}) }

// park stops the link for a pause.
func (l *link) park() { l.become(parkedState{l.downSince()}) }

// leave takes the place from the link. why is what its calls fail with.
func (l *link) leave(why error) { l.become(leavingState{why}) }

// become changes the state.
func (l *link) become(next state) {
	l.log.Debug("Server changes its state", "from", l.state.name(), "to", next.name())
	l.state = next
}

// downSince returns since when the server has not run: now for one that still does.
func (l *link) downSince() time.Time {
	switch s := l.state.(type) {
	case failedState:
		return s.since
	case waitingState:
		return s.since
	case heldState:
		return s.since
	case parkedState:
		return s.since
	case restingState:
		return s.since
	}
	return time.Now()
}

// problem returns why the server is not connected, nil when it is, or when we have stopped it.
func (l *link) problem() *status.Problem {
	switch s := l.state.(type) {
	case failedState:
		return s.problem
	case waitingState:
		return s.problem
	}
	return nil
}

// why returns why we have stopped the server, nil when we have not.
func (l *link) why() error {
	switch s := l.state.(type) {
	case heldState:
		return errHeld
	case parkedState:
		return errPaused
	case restingState:
		return errResting
	case leavingState:
		return s.why
	}
	return nil
}

// Why servers are stopped.
const (
	errHeld         = words.Code("toolbox.held")
	errPaused       = words.Code("toolbox.paused")
	errResting      = words.Code("toolbox.resting")
	errClosed       = words.Code("toolbox.closed")
	errRestarted    = words.Code("toolbox.restarted")
	errReconfigured = words.Code("toolbox.reconfigured")
	errShutdown     = words.Code("toolbox.shutting_down")
)

// in reports whether a link is in a state of type S. A link that is nil is in none.
func in[S state](l *link) bool {
	if l == nil {
		return false
	}
	_, ok := l.state.(S)
	return ok
}

// id addresses the link's server.
func (l *link) id() ServerID { return ServerID{l.toolbox, l.entry.Name} }

// settled reports whether the attempt has ended.
func (l *link) settled() bool {
	select {
	case <-l.attempt.ready:
		return true
	default:
		return false
	}
}

// connected reports whether the server can take a call now.
func (l *link) connected() bool {
	if !l.settled() || l.session == nil {
		return false
	}
	// Err tells of the end a moment before Done does: a call that has failed for it must find the link down.
	return l.session.Err() == nil
}

// usable reports whether the link need not be replaced: its server is connected, or on its way, and nobody has
// stopped it.
func (l *link) usable() bool {
	return l.why() == nil && (!l.settled() || l.connected())
}

// connection is what a link needs of a [downstream.Session].
type connection interface {
	Tools() []downstream.Item
	Items(ctx context.Context, kind downstream.Kind) ([]downstream.Item, error)
	Info() downstream.Info
	Call(ctx context.Context, call downstream.Call) (json.RawMessage, error)
	Notify(method string, params json.RawMessage)
	Subscribe(ctx context.Context, uri string) error
	Unsubscribe(ctx context.Context, uri string) error
	SetLevel(ctx context.Context, level string) error
	Done() <-chan struct{}
	Err() error
	Mask(text string) string
	MaskKnown(text string) string
	Close(ctx context.Context) error
}

// attempt is what a link does to have its server connected.
type attempt struct {
	started time.Time
	giveUp  context.CancelFunc // of the attempt, and of retrying; what has to be done before goes on
	cancel  context.CancelFunc // of everything
	ready   chan struct{}      // closed when the attempt has ended, one way or the other
	// before is what has to be done before the attempt; nil for nothing, and when it is done. It is read-only once ready
	// is closed.
	before func(context.Context)
	unset  []string // names of variables that the server did not get
}

// said is what the journal tells once of a link, or not too often.
type said struct {
	end      sync.Once                     // of its server
	updates  sync.Once                     // that nobody has subscribed to
	template sync.Once                     // that is bad
	tasks    sync.Once                     // that are not the server's own
	asks     atomic.Int64                  // how often the server has asked the client
	faults   downstream.Faults             // of the tools
	listed   [downstream.Kinds]atomic.Bool // the status has the faults of the list
}

// leveling has a server told one level of messages after the other.
type leveling struct {
	telling sync.Mutex  // held while it is told
	slow    atomic.Bool // it did not answer when the client set the level
}

// about is what a server says about itself, for people.
type about struct{ title, version string }

// tools are the tools of a server that were seen last. They are kept while the server is down, so that in dynamic
// mode they stay registered and a call brings the server back.
type tools struct {
	known    []downstream.Item
	filters  []string
	allowed  int // how many of them clients may see
	revision int // counts up when any of this changes
}
