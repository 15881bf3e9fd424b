package mcpserver

import (
	"context"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// levels records which log messages the client wants.
type levels struct {
	manager *toolbox.Manager
	peer    *peer
	level   atomic.Pointer[string] // nil until the client has set it
	wanting atomic.Int32           // current requests of 2026-07-28 that want messages
}

// set sets the lowest level of messages that the client wants.
func (l *levels) set(ctx context.Context, level string) {
	l.level.Store(&level)
	l.manager.SetLevel(ctx, level)
}

// wants reports whether the client wants a message of a level.
func (l *levels) wants(level string) bool {
	wanted := l.level.Load()
	return (l.peer.legacy.Load() || l.wanting.Load() > 0) && (wanted == nil || rank(level) >= rank(*wanted))
}

// want records that a request of 2026-07-28 wants log messages. The caller must call done when the request has ended.
func (l *levels) want(ctx context.Context, e era) (done func()) {
	if e.level == "" {
		return func() {}
	}
	if old := l.level.Load(); old == nil || *old != e.level {
		l.set(ctx, e.level)
	}
	l.wanting.Add(1)
	return func() { l.wanting.Add(-1) }
}

// knownLevels has the levels of log messages, the lowest first.
var knownLevels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// rank returns the index of a level. An unknown level ranks above all others.
func rank(level string) int {
	for i, known := range knownLevels {
		if known == level {
			return i
		}
	}
	return len(knownLevels)
}
