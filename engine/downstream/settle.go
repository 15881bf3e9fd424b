package downstream

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// A tool may add other tools, and the model calls them as soon as it has the answer. So an answer waits until
// the lists were read again that the server has said to have changed before it.

const (
	// settlePatience is how long an answer waits for lists.
	settlePatience = 2 * time.Second
	// Answers that may wait at once, and in a second after that. A server whose lists change all the time does
	// not make each answer slow.
	settleBurst, settleRate = 20, 1
)

// settling is what answers wait for.
type settling struct {
	hurry chan struct{} // ends the pause before lists are read again
	waits bucket

	roundMu sync.Mutex
	round   chan struct{} // closed when lists were read again
}

// unsettled reports whether the server has said that a list has changed, and that was not taken up yet.
func (s *Session) unsettled() bool {
	for kind := range Kinds {
		if s.notices[kind].Load() != s.served[kind].Load() {
			return true
		}
	}
	return false
}

// deliver answers a request: at once, or when the lists were taken up that the server has said to have changed. It
// runs on the read loop.
func (s *Session) deliver(p *pending, o outcome) {
	if p.relisted == nil || !s.unsettled() || !s.ready.Load() || !s.waits.take(time.Now(), settleBurst, settleRate) {
		p.answer(o)
		return
	}
	var upTo [Kinds]int64 // what the server says after its answer is not waited for
	for kind := range upTo {
		upTo[kind] = s.notices[kind].Load()
	}
	s.wg.Go(func() {
		defer p.answer(o)
		s.awaitLists(upTo, p.gone)
		_ = background.Catch(func() error { p.relisted(); return nil })
	})
}

// awaitLists returns when the first notices of each kind were taken up, and after settlePatience at the latest.
func (s *Session) awaitLists(upTo [Kinds]int64, gone <-chan struct{}) {
	timer := time.NewTimer(settlePatience)
	defer timer.Stop()
	for {
		s.roundMu.Lock()
		round := s.round
		s.roundMu.Unlock()
		behind := false
		for kind := range upTo {
			behind = behind || s.served[kind].Load() < upTo[kind]
		}
		if !behind {
			return
		}
		pause.Wake(s.hurry)
		select {
		case <-round:
		case <-gone:
			return
		case <-s.done:
			return
		case <-timer.C:
			return
		}
	}
}

// endRound wakes the answers that wait for lists.
func (s *Session) endRound() {
	s.roundMu.Lock()
	defer s.roundMu.Unlock()
	close(s.round)
	s.round = make(chan struct{})
}
