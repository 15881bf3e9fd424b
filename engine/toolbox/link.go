package toolbox

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// link is one attempt to have one server of an open toolbox connected, and the session that came of
// it. A link is never reused: a server that died, failed or changed gets a new one.
type link struct {
	toolbox string
	entry   *config.Server // as the file says, not expanded

	cancel context.CancelFunc
	ready  chan struct{} // closed when the attempt has ended, one way or the other

	// Written before ready is closed, read-only afterwards.
	session *downstream.Session
	err     error

	started time.Time
	calls   sync.WaitGroup // calls in flight; Add only under Manager.mu while the link is in its box

	// known are the tools seen last, kept while the server is down, so that in dynamic mode they
	// stay registered and a call brings the server back. Guarded by Manager.mu.
	known []downstream.Tool
}

// settled tells whether the attempt has ended.
func (l *link) settled() bool {
	select {
	case <-l.ready:
		return true
	default:
		return false
	}
}

// connected tells whether the server can take a call now.
func (l *link) connected() bool {
	if !l.settled() || l.session == nil {
		return false
	}
	select {
	case <-l.session.Done():
		return false
	default:
		return true
	}
}

// usable tells whether the link need not be replaced: it is connected, or on its way.
func (l *link) usable() bool {
	return !l.settled() || l.connected()
}

// end stops the attempt or the session and returns when the server's processes are gone. It
// tells whether a connected server was disconnected.
func (l *link) end(ctx context.Context) bool {
	l.cancel()
	<-l.ready
	if l.session == nil {
		return false
	}
	was := l.connected()
	// How the server took its end is of no use to anybody here: it is gone either way.
	_ = l.session.Close(ctx)
	return was
}
