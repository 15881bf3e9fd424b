package workbench

import (
	"context"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// levels is which log messages the client wants.
type levels struct {
	manager *toolbox.Manager
	peer    *peer
	level   atomic.Pointer[string] // nil until the client has set it
	leveled atomic.Int32           // requests under way that want messages, of a client of 2026-07-28
}

// set takes up the level that the client wants from now on.
func (l *levels) set(ctx context.Context, level string) {
	l.level.Store(&level)
	l.manager.SetLevel(ctx, level)
}

// wants reports whether the client wants a message of a level.
func (l *levels) wants(level string) bool {
	wanted := l.level.Load()
	return (l.peer.legacy.Load() || l.leveled.Load() > 0) && (wanted == nil || rank(level) >= rank(*wanted))
}

// want notes that a request of 2026-07-28 wants log messages. The caller must call done when the request is over.
func (l *levels) want(ctx context.Context, e era) (done func()) {
	if e.level == "" {
		return func() {}
	}
	if old := l.level.Load(); old == nil || *old != e.level {
		l.set(ctx, e.level)
	}
	l.leveled.Add(1)
	return func() { l.leveled.Add(-1) }
}

// knownLevels are the levels of log messages, the least important first.
var knownLevels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// rank returns the order of a level. An unknown level counts as the most important one.
func rank(level string) int {
	for i, known := range knownLevels {
		if known == level {
			return i
		}
	}
	return len(knownLevels)
}
