package ipc

import (
	"context"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

const (
	// maxQuestions and maxQuestionBytes limit the questions of one engine that wait for the person.
	maxQuestions     = 32
	maxQuestionBytes = 8 << 20
	// maxAsked limits the questions of all engines together, in bytes of their lines.
	maxAsked = 32 << 20

	// askGrace is how long a question waits for an app: an engine that has just started may not have found
	// the app yet, and an app that is being updated comes back.
	askGrace = 3 * dialInterval
)

// asking sends the questions of an engine to the person.
type asking struct {
	mu      sync.Mutex
	app     *outbox       // of the app that can ask; nil if there is none
	old     bool          // there is an app that cannot ask
	arrived chan struct{} // closed when app is set; nil if nobody waits for that
	lastID  uint64
	waiting map[uint64]*waitingQuestion
	bytes   int
}

type waitingQuestion struct {
	answer chan status.Answer // receives one answer, or is closed when the app is gone
	size   int
}

// Ask asks the person in the window of the app, and returns the answer. The error is ErrCannotAsk,
// ErrAskLost, ErrAskBusy or that of ctx. When ctx ends the question is withdrawn.
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

// awaitApp returns when an app is there that can ask, or when it is clear that there is none.
func (a *asking) awaitApp(ctx context.Context) error {
	a.mu.Lock()
	if a.app != nil || a.old {
		a.mu.Unlock()
		return nil
	}
	if a.arrived == nil {
		a.arrived = make(chan struct{})
	}
	arrived := a.arrived
	a.mu.Unlock()
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

// take removes a waiting question and returns it; nil if it is not waiting any more. The caller must hold
// s.mu.
func (a *asking) take(id uint64) *waitingQuestion {
	w := a.waiting[id]
	if w != nil {
		delete(a.waiting, id)
		a.bytes -= w.size
	}
	return w
}

// found records that an app is there, and whether it can ask.
func (a *asking) found(app *outbox, can bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.old = !can; can {
		a.app = app
	}
	if a.arrived != nil {
		close(a.arrived)
		a.arrived = nil
	}
}

// answered passes on the person's answer.
func (a *asking) answered(id uint64, answer status.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if w := a.take(id); w != nil {
		w.answer <- answer
	}
}

// lost records that the app with this outbox is gone.
func (a *asking) lost(app *outbox) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.old = false
	if a.app != app {
		return
	}
	a.app = nil
	for id := range a.waiting {
		close(a.take(id).answer)
	}
}
