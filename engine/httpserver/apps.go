package httpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

var (
	errMany   = errors.New("there are too many")
	errEnding = errors.New("the server is ending")
)

// app is an app that uses the server: a token, with its sessions. All but unread is guarded by the lock of [apps].
type app struct {
	token    token.Token
	requests int                 // that are being answered
	sessions map[string]*session // by id or, for those without one, by what sharedKey returns
	unread   atomic.Int64        // see [Limits.Unread]
	most     int64               // of unread; never changed
}

// apps has all sessions.
type apps struct {
	options  *Options
	lifetime context.Context // of [Server.Serve]
	running  background.Group

	mu      sync.Mutex
	byToken map[string]*app // by the hash of the token
	ended   bool            // there are no new sessions

	started *metrics.Counter // sessions, ever
}

// app returns the app of a token; nil if there is no such token.
func (a *apps) app(secret string) *app {
	t, ok := a.options.Tokens.Find(secret)
	if !ok {
		return nil
	}
	a.mu.Lock()
	owner := a.byToken[t.Hash]
	isNew := owner == nil
	if isNew {
		owner = &app{token: t, most: a.options.Limits.Unread, sessions: map[string]*session{}}
		a.byToken[t.Hash] = owner
	}
	a.mu.Unlock()
	if isNew { // the token may have been removed meanwhile, when review could not see the app yet
		if _, ok := a.options.Tokens.Find(secret); !ok {
			a.review()
			return nil
		}
	}
	return owner
}

// enter counts a request, if another one is allowed.
func (a *apps) enter(owner *app) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended:
		return errEnding
	case owner.requests >= a.options.Limits.Requests:
		return errMany
	}
	owner.requests++
	return nil
}

// leave undoes enter.
func (a *apps) leave(owner *app) {
	a.mu.Lock()
	defer a.mu.Unlock()
	owner.requests--
}

// take returns a session that is used from now on until free; nil if there is none.
func (a *apps) take(owner *app, key string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := owner.sessions[key]
	if s != nil {
		s.use()
	}
	return s
}

// use marks a session as used. The caller must hold the lock of [apps].
func (s *session) use() {
	s.users++
	if s.expiry != nil {
		s.expiry.Stop()
	}
}

// free undoes take and start. A session that nobody uses for a while ends.
func (a *apps) free(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.users--
	s.used = time.Now()
	if s.users == 0 && !a.ended {
		s.expiry = background.After(a.options.Limits.Idle, func() { a.expire(s) })
	}
}

// expire ends a session that nobody has used for a while.
func (a *apps) expire(s *session) {
	a.mu.Lock()
	idle := s.users == 0 && time.Since(s.used) >= a.options.Limits.Idle
	if idle {
		s.forget()
	}
	a.mu.Unlock()
	if idle {
		s.log.Info("A session ends, since nobody uses it")
		s.end(errIdle)
	}
}

// forget removes a session from those of its app, so that nobody finds it. The caller must hold the lock of [apps].
func (s *session) forget() {
	if s.app.sessions[s.key] == s {
		delete(s.app.sessions, s.key)
	}
}

// start starts a session that is used from now on until free. With a key, it returns the one that is there already. If
// there are too many, the one that was used least recently ends; if all are in use, the error is errMany.
func (a *apps) start(owner *app, key string) (*session, error) {
	a.mu.Lock()
	if s := owner.sessions[key]; s != nil && key != "" {
		defer a.mu.Unlock()
		s.use()
		return s, nil
	}
	if a.ended || a.byToken[owner.token.Hash] != owner {
		a.mu.Unlock()
		return nil, errEnding
	}
	var oldest *session
	if len(owner.sessions) >= a.options.Limits.Sessions {
		for _, s := range owner.sessions {
			if s.users == 0 && (oldest == nil || s.used.Before(oldest.used)) {
				oldest = s
			}
		}
		if oldest == nil {
			a.mu.Unlock()
			return nil, errMany
		}
		oldest.forget()
	}
	id := rand.Text()
	s := newSession(a, owner, id, key)
	owner.sessions[s.key] = s
	a.started.Inc()
	s.users = 1
	s.run(a)
	a.mu.Unlock()
	if oldest != nil {
		oldest.log.Info("A session ends, since there are too many of this token")
		oldest.end(errRoom)
	}
	return s, nil
}

// gone forgets a session that has ended, or that the caller ends next.
func (a *apps) gone(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s.forget()
}

// review ends the sessions of tokens that were removed.
func (a *apps) review() {
	tokens, err := a.options.Tokens.List()
	if err != nil {
		a.options.Logger.Error("The tokens cannot be read, so none is valid", "error", err)
	}
	valid := map[string]bool{}
	for _, t := range tokens {
		valid[t.Hash] = true
	}
	var over []*session
	a.mu.Lock()
	for hash, owner := range a.byToken {
		if valid[hash] {
			continue
		}
		delete(a.byToken, hash)
		for _, s := range owner.sessions {
			over = append(over, s)
		}
		a.options.Logger.Info("A token was removed", "app", owner.token.Name, "count", len(owner.sessions))
	}
	a.mu.Unlock()
	for _, s := range over {
		s.end(errRemoved)
	}
}

// end ends all sessions and waits for their engines.
func (a *apps) end() {
	a.mu.Lock()
	a.ended = true
	var over []*session
	for _, owner := range a.byToken {
		for _, s := range owner.sessions {
			over = append(over, s)
		}
	}
	a.mu.Unlock()
	for _, s := range over {
		s.end(errEnding)
	}
	a.running.Wait()
}
