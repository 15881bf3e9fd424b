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
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// link is one attempt to connect a server of an open toolbox, and the session that results from it. A link is never
// reused: a server that ended, failed or changed gets a new link, which inherits what is known of the server.
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
// Only the methods of these names change the state, and each change is logged. A held or parked link stays in its box
// until a new link replaces it. A link that is leaving was replaced, or removed from its box.
type link struct {
	toolbox string
	entry   *config.Server // as the file says, not expanded
	journal *journal
	log     *slog.Logger
	attempt attempt
	calls   background.Group // calls in flight; call Add only with boxes.mu held and the link in its box
	said    said
	level   leveling
	noTasks atomic.Int64 // tasks are not requested before this time, in Unix nanoseconds

	// These are set before attempt.ready is closed, and not changed afterwards.
	session connection
	err     error          // why there is no session
	process status.Process // whose number may change

	// The following fields are guarded by boxes.mu.

	state state
	// inForce is the approved entry of the latest configuration. It starts the same process as entry, but may differ in
	// whether the person is asked first and in which apps see the server.
	inForce *config.Server
	// awaitsApproval: the configuration has another entry, which is not approved yet.
	awaitsApproval bool
	wasUp          bool // the server was connected, by this link or an earlier one
	about          about
	tools          tools
	pins           pinning
}

// state is the state of a link, with the data that only this state needs.
type state interface {
	name() string
}

type (
	// startingState: the attempt is in progress.
	startingState struct{ since time.Time }

	// connectedState: the link has a session, which may have ended a moment ago.
	connectedState struct{ since time.Time }

	// failedState: the attempt has failed, or the server has ended by itself. Only a request starts it again.
	failedState struct {
		since   time.Time
		problem *status.Problem
	}

	// waitingState: the server has ended by itself and will be restarted.
	waitingState struct {
		failedState
		again time.Time // when it is restarted
	}

	// heldState: the user has stopped the server.
	heldState struct{ since time.Time }

	// parkedState: the server was stopped for a pause, and is started again when the pause ends.
	parkedState struct{ since time.Time }

	// restingState: the server was not started yet. Its tools are known from an earlier run.
	restingState struct{ since time.Time }

	// leavingState: the link was replaced, or removed from its box.
	leavingState struct{ why error } // why is the error of its calls
)

func (startingState) name() string  { return "starting" }
func (connectedState) name() string { return "connected" }
func (failedState) name() string    { return "failed" }
func (waitingState) name() string   { return "waiting" }
func (heldState) name() string      { return "held" }
func (parkedState) name() string    { return "parked" }
func (restingState) name() string   { return "resting" }
func (leavingState) name() string   { return "leaving" }

// newLink returns a link in the state starting. The caller begins the attempt.
func newLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	now := time.Now()
	return &link{toolbox: toolbox, entry: entry, inForce: entry, journal: j,
		log:     log.With("toolbox", toolbox, "server", entry.Name),
		attempt: attempt{started: now, ready: make(chan struct{})}, state: startingState{now}}
}

// newRestingLink returns a link for a server that is started when it is first needed.
func newRestingLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(restingState{l.attempt.started}, errResting)
	return l
}

// newParkedLink returns a link for a server that is started when the pause ends.
func newParkedLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(parkedState{l.attempt.started}, errPaused)
	return l
}

// newHeldLink returns a link for a server that the user has stopped.
func newHeldLink(toolbox string, entry *config.Server, j *journal, log *slog.Logger) *link {
	l := newLink(toolbox, entry, j, log)
	l.neverBegin(heldState{l.attempt.started}, errHeld)
	return l
}

// neverBegin settles a new link without an attempt. why is the reason.
func (l *link) neverBegin(next state, why error) {
	l.become(next)
	l.attempt.giveUp, l.attempt.cancel = func() {}, func() {}
	l.err = connectFailed(l.toolbox, l.entry.Name, why)
	close(l.attempt.ready)
}

// connect records that the attempt has succeeded. If the link was stopped meanwhile, its state does not change, and
// the session must be ended.
func (l *link) connect(session connection) {
	l.session, l.wasUp = session, true
	if _, ok := l.state.(startingState); ok {
		l.become(connectedState{time.Now()})
	}
}

// fail records that the attempt has failed, or that the session has ended by itself. It reports false if we are
// stopping the link.
func (l *link) fail(problem *status.Problem) bool {
	switch l.state.(type) {
	case startingState, connectedState:
		l.become(failedState{time.Now(), problem})
		return true
	}
	return false
}

// wait records that the server will be restarted after a pause.
func (l *link) wait(pause time.Duration) {
	if failed, ok := l.state.(failedState); ok {
		l.become(waitingState{failed, time.Now().Add(pause)})
	}
}

// hold records that the user has stopped the server.
func (l *link) hold() { l.become(heldState{l.downSince()}) }

// park records that the server was stopped for a pause.
func (l *link) park() { l.become(parkedState{l.downSince()}) }

// leave records that the link was replaced, or removed from its box. Its calls fail with why.
func (l *link) leave(why error) { l.become(leavingState{why}) }

// become changes the state and logs the change.
func (l *link) become(next state) {
	l.log.Debug("Server changes its state", "from", l.state.name(), "to", next.name())
	l.state = next
}

// downSince returns since when the server has not been running. For a running server it returns the current time.
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

// problem returns why the server is not connected, or nil if it is, or if we have stopped it.
func (l *link) problem() *status.Problem {
	switch s := l.state.(type) {
	case failedState:
		return s.problem
	case waitingState:
		return s.problem
	}
	return nil
}

// why returns why we have stopped the server, or nil if we have not.
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

// in reports whether a link is in a state of type S. It reports false for a nil link.
func in[S state](l *link) bool {
	if l == nil {
		return false
	}
	_, ok := l.state.(S)
	return ok
}

// id returns the ID of the link's server.
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

// connected reports whether the server can take a call.
func (l *link) connected() bool {
	if !l.settled() || l.session == nil {
		return false
	}
	// Err reports the end a moment before Done is closed. A call that failed with it must not find the link connected.
	return l.session.Err() == nil
}

// usable reports whether the link can stay: its server is connected or starting, and was not stopped.
func (l *link) usable() bool {
	return l.why() == nil && (!l.settled() || l.connected())
}

// connection is the part of [downstream.Session] that links use.
type connection interface {
	Tools() []downstream.Item
	Items(ctx context.Context, kind downstream.Kind) ([]downstream.Item, error)
	Info() downstream.Info
	Call(ctx context.Context, call downstream.Call) ([]jsonrpc.Member, error)
	Notify(method string, params json.RawMessage)
	Subscribe(ctx context.Context, uri string) error
	Unsubscribe(ctx context.Context, uri string) error
	SetLevel(ctx context.Context, level string) error
	Done() <-chan struct{}
	Err() error
	Mask(text string) string
	MaskCertain(text string) string
	Close(ctx context.Context) error
}

// attempt is the attempt of a link to connect its server.
type attempt struct {
	started time.Time
	giveUp  context.CancelFunc // ends the attempt and its repetitions, but lets the function before go on
	cancel  context.CancelFunc // ends all of that
	ready   chan struct{}      // closed when the attempt has succeeded or failed
	// before ends the earlier run of the server, and is called before the attempt. It is nil when that is done, and is
	// not changed once ready is closed.
	before func(context.Context)
	unset  []string // names of variables that the server did not get
}

// said records what the journal has said of a link, so that it does not say everything again.
type said struct {
	app      string                        // the name of the app, if the server is shared
	end      sync.Once                     // that the server has ended
	updates  sync.Once                     // that it reports updates without a subscription
	template sync.Once                     // that it has an invalid template
	tasks    sync.Once                     // that it names tasks of other servers
	asks     atomic.Int64                  // number of its requests to the client
	faults   downstream.Faults             // what is wrong with its tools
	listed   [downstream.Kinds]atomic.Bool // the status has been updated for the faults of a list
}

// leveling sends the levels of log messages to a server in order.
type leveling struct {
	telling sync.Mutex  // held while a level is sent
	sent    string      // the level that the server has, or empty
	slow    atomic.Bool // it did not answer in time, so nobody waits for it again
}

// about is the title and version of a server, for people.
type about struct{ title, version string }

// tools has the tools of a server as last listed. They are kept while the server is down, so that in dynamic mode
// clients keep them, and a call starts the server.
type tools struct {
	known    []downstream.Item
	filters  []string
	allowed  int // how many of them clients may see
	revision int // increases when one of these changes
}
