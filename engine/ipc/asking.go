package ipc

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

const (
	// maxQuestions and maxQuestionBytes bound what of one engine waits for the person.
	maxQuestions     = 32
	maxQuestionBytes = 8 << 20

	// askGrace is how long a question waits for an app: an engine that was just started has not found it yet, and one that
	// is updated comes back.
	askGrace = 3 * dialInterval
)

// asking brings the questions of an engine to the person.
type asking struct {
	mu      sync.Mutex
	app     *outbox       // of the app that can ask, nil without one
	old     bool          // an app is there, and cannot
	arrived chan struct{} // closed when app is set; nil when nobody waits for that
	lastID  uint64
	waiting map[uint64]*waitingQuestion
	bytes   int
}

type waitingQuestion struct {
	answer chan status.Answer // gets one answer, or is closed when the app has gone
	size   int
}

// Ask asks the person, in the window of the app, and returns the answer. The error is ErrCannotAsk, ErrAskLost, ErrAskBusy or that of
// ctx, at whose end the question is taken back.
func (a *Agent) Ask(ctx context.Context, q status.Question) (status.Answer, error) {
	s := &a.asking
	if err := s.awaitApp(ctx); err != nil {
		return "", err
	}
	size := len(q.Arguments)
	s.mu.Lock()
	app := s.app
	switch {
	case app == nil:
		s.mu.Unlock()
		return "", ErrCannotAsk
	case len(s.waiting) >= maxQuestions || s.bytes+size > maxQuestionBytes:
		s.mu.Unlock()
		return "", ErrAskBusy
	}
	s.lastID++
	id := s.lastID
	w := &waitingQuestion{answer: make(chan status.Answer, 1), size: size}
	if s.waiting == nil {
		s.waiting = map[uint64]*waitingQuestion{}
	}
	s.waiting[id] = w
	s.bytes += size
	app.addAsk(&message{Type: typeAsk, ID: id, Question: &q})
	s.mu.Unlock()
	select {
	case answer, ok := <-w.answer:
		if !ok {
			return "", ErrAskLost
		}
		return answer, nil
	case <-ctx.Done():
		s.mu.Lock()
		if s.take(id) != nil {
			app.withdraw(id)
		}
		s.mu.Unlock()
		return "", ctx.Err()
	}
}

// awaitApp returns when an app is there that can ask, or it is clear that none is.
func (s *asking) awaitApp(ctx context.Context) error {
	s.mu.Lock()
	if s.app != nil || s.old {
		s.mu.Unlock()
		return nil
	}
	if s.arrived == nil {
		s.arrived = make(chan struct{})
	}
	arrived := s.arrived
	s.mu.Unlock()
	grace := time.NewTimer(askGrace)
	defer grace.Stop()
	select {
	case <-arrived:
	case <-grace.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// take removes a question that waits, and returns it; nil when it does not wait any more. The caller holds s.mu.
func (s *asking) take(id uint64) *waitingQuestion {
	w := s.waiting[id]
	if w != nil {
		delete(s.waiting, id)
		s.bytes -= w.size
	}
	return w
}

// found says that an app is there, and whether it can ask.
func (s *asking) found(app *outbox, can bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.old = !can; can {
		s.app = app
	}
	if s.arrived != nil {
		close(s.arrived)
		s.arrived = nil
	}
}

// answered takes up the person's answer.
func (s *asking) answered(id uint64, answer status.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.take(id); w != nil {
		w.answer <- answer
	}
}

// lost says that the app with this outbox has gone.
func (s *asking) lost(app *outbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.old = false
	if s.app != app {
		return
	}
	s.app = nil
	for id := range s.waiting {
		close(s.take(id).answer)
	}
}
