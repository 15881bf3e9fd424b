package ipc

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Asked is a question of an engine to the person.
type Asked struct {
	Client   string // as [Call.Client]
	ClientID string // as in [About]
	status.Question

	ctx    context.Context
	end    context.CancelFunc
	answer func(status.Answer)
}

// Context ends when nobody waits for the answer any more.
func (q *Asked) Context() context.Context { return q.ctx }

// Answer sends the person's answer. Only the first answer counts, and none if nobody waits any more.
func (q *Asked) Answer(answer status.Answer) { q.answer(answer) }

// addQuestion adds a question, or refuses it. The caller must hold h.mu.
func (h *Hub) addQuestion(p *peer, m *message) *Asked {
	id := m.ID
	if h.options.OnAsk == nil || p.asked[id] != nil || len(p.asked) >= maxQuestions || h.asked+m.size > maxAsked {
		p.send(&message{Type: typeAnswer, ID: id, Answer: status.Refuse}) // our own engines never do that
		return nil
	}
	q := &Asked{Client: p.client(), ClientID: p.about.ClientID, Question: *m.Question}
	ctx, cancel := context.WithCancel(context.Background())
	q.ctx = ctx
	h.asked += m.size
	q.end = func() { // the caller must hold h.mu
		if p.asked[id] == q {
			delete(p.asked, id)
			h.asked -= m.size
		}
		cancel()
	}
	q.answer = func(answer status.Answer) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if p.asked[id] == q {
			p.send(&message{Type: typeAnswer, ID: id, Answer: answer})
			q.end()
		}
	}
	p.asked[id] = q
	return q
}
