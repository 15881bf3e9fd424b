package pool

import (
	"context"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// levels has the levels of log messages that the engines want. The server gets the lowest of them.
type levels struct {
	sending sync.Mutex // held while the server is told, so that it gets the levels in order

	mu   sync.Mutex
	by   map[*attachment]string
	sent string // "" if the server was not told
}

// severities are the levels of log messages, the lowest first.
func severities() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// set records the level of an engine and tells the server. An engine without a level wants all messages.
func (l *levels) set(ctx context.Context, s *server, session *downstream.Session, a *attachment, level string) error {
	l.sending.Lock()
	defer l.sending.Unlock()
	all := s.everybody()
	l.mu.Lock()
	if l.by == nil {
		l.by = map[*attachment]string{}
	}
	l.by[a] = level
	lowest := len(severities())
	for other := range l.by {
		if !slices.Contains(all, other) {
			delete(l.by, other)
			continue
		}
		lowest = min(lowest, max(0, slices.Index(severities(), l.by[other])))
	}
	if len(l.by) < len(all) {
		lowest = 0
	}
	wanted := severities()[min(lowest, len(severities())-1)]
	told := l.sent == wanted
	l.mu.Unlock()
	if told {
		return nil
	}
	err := session.SetLevel(ctx, wanted)
	if err == nil {
		l.mu.Lock()
		l.sent = wanted
		l.mu.Unlock()
	}
	return err
}

// again tells the lowest level to a server that was started again.
func (l *levels) again(s *server, session *downstream.Session) {
	l.sending.Lock()
	defer l.sending.Unlock()
	if l.sent != "" {
		_ = session.SetLevel(s.ctx, l.sent) // each engine drops what it does not want
	}
}

// wants reports whether an engine wants messages of a level.
func (l *levels) wants(a *attachment, level string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted, set := l.by[a]
	return !set || slices.Index(severities(), level) >= slices.Index(severities(), wanted)
}
