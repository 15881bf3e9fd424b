package toolbox

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

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

// link is one attempt to have one server of an open toolbox connected, and the session that came of
// it. A link is never reused: a server that died, failed or changed gets a new one.
type link struct {
	toolbox string
	entry   *config.Server // as the file says, not expanded
	journal *journal

	giveUp context.CancelFunc // of the attempt, and of retrying; what has to be done before goes on
	cancel context.CancelFunc // of everything
	ready  chan struct{}      // closed when the attempt has ended, one way or the other

	// Written before ready is closed, read-only afterwards.
	session  connection
	err      error
	withheld []string     // names of variables that the server did not get
	hints    []words.Text // what may help the model when it could not be connected

	started time.Time
	calls   background.Group // calls in flight; Add only under Manager.mu while the link is in its box
	over    sync.Once        // its end has been written into the journal

	leveling    sync.Mutex                    // held while the server is told which messages are wanted
	unwanted    sync.Once                     // the journal says that the server reports updates that nobody has subscribed to
	faults      downstream.Faults             // of the tools that were told
	badTemplate sync.Once                     // the journal says that a resource template is bad
	strange     sync.Once                     // the journal says that the server tells of tasks that are not its own
	asks        atomic.Int64                  // how often the server has asked the client
	noTasks     atomic.Int64                  // until when it is not asked for its tasks, in Unix nanoseconds
	deaf        atomic.Bool                   // it did not answer when the client set the level of messages
	listed      [downstream.Kinds]atomic.Bool // the status has the faults of the list

	// What follows is guarded by Manager.mu.

	// inForce is the entry in the configuration that was taken up last. It starts what entry starts. Once the server is connected it is
	// approved, and may say otherwise than entry whether the person is asked first and which apps see the server.
	inForce *config.Server

	// known are the tools seen last, kept while the server is down, so that in dynamic mode they
	// stay registered and a call brings the server back. Of these, clients may see so many as allowed by the filters. The revision
	// counts up when any of this changes.
	known    []downstream.Item
	filters  []string
	allowed  int
	revision int

	pins           pinning
	title, version string // the server's own words, for people
	pid            int

	up      time.Time       // when it was connected, zero before
	ended   time.Time       // when the attempt failed or the session ended, zero before
	problem *status.Problem // why it ended, nil when we ended it
	retryAt time.Time       // when it is started again, zero when it is not
	wasUp   bool            // the server was connected, by this link or by one before it
	parked  bool            // it was ended by a pause
	held    bool            // the user has stopped it
	resting bool            // it was not started yet, and its tools are listed, since its toolbox is always open
	waits   bool            // the file has another entry, which is not approved

	before func(context.Context) // what has to be done before the attempt; nil for nothing, and when it is done; read-only once ready is closed
	why    error                 // why we ended it
}

// id addresses the link's server.
func (l *link) id() ServerID { return ServerID{l.toolbox, l.entry.Name} }

// settled reports whether the attempt has ended.
func (l *link) settled() bool {
	select {
	case <-l.ready:
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

// usable reports whether the link need not be replaced: it is connected, or on its way.
func (l *link) usable() bool {
	return !l.settled() || l.connected()
}

// rest settles a link that only keeps the tools of its server listed. err says why it is not connected. The caller holds Manager.mu, and
// nobody else has the link yet.
func (l *link) rest(why error) {
	l.why, l.ended = why, l.started
	l.giveUp, l.cancel = func() {}, func() {}
	l.err = connectFailed(l.toolbox, l.entry.Name, why)
	close(l.ready)
}

// end stops the attempt or the session and returns when the server's processes are gone, also those of the one before. It
// reports whether a connected server was disconnected. It can be called several times.
func (l *link) end(ctx context.Context) bool {
	l.cancel()
	<-l.ready
	if l.before != nil { // and stays so: it never began
		l.before(ctx)
	}
	if l.session == nil {
		return false
	}
	was := l.connected()
	// The error of closing helps nobody here: the server is gone either way.
	_ = l.session.Close(ctx)
	if was {
		l.over.Do(func() { l.journal.say(words.New("toolbox.ended")) })
	}
	return was
}
