package downstream

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// A tool may add other tools, and the model calls them as soon as it has the answer. So if the server sends
// list_changed before an answer, the answer waits until the list was read again.

const (
	// maxListWait is how long an answer waits for lists.
	maxListWait = 2 * time.Second
	// The rate limit of waiting answers, see [bucket]. So a server whose lists change all the time does not make each
	// answer slow.
	waitBurst, waitRate = 20, 1
)

// behind reports whether there are list_changed notifications that were not handled yet.
func (ls *listings) behind() bool {
	for kind := range Kinds {
		if ls.notices[kind].Load() != ls.served[kind].Load() {
			return true
		}
	}
	return false
}

// deliver answers a request, after the lists were read again for which there is a list_changed notification. It runs
// on the read loop and does not block.
func (ls *listings) deliver(p *pending, o outcome) {
	if p.relisted == nil || !ls.behind() || !ls.conn.ready.Load() ||
		!ls.waits.take(time.Now(), waitBurst, waitRate) {
		p.answer(o)
		return
	}
	var upTo [Kinds]int64 // notifications after the answer are not waited for
	for kind := range upTo {
		upTo[kind] = ls.notices[kind].Load()
	}
	ls.conn.group.Go(func() {
		defer p.answer(o)
		ls.await(upTo, p.cancelled)
		_ = background.Catch(func() error { p.relisted(); return nil })
	})
}

// await returns when the notifications up to upTo of each kind were handled, when cancelled is closed, or after
// maxListWait.
func (ls *listings) await(upTo [Kinds]int64, cancelled <-chan struct{}) {
	timer := time.NewTimer(maxListWait)
	defer timer.Stop()
	for {
		ls.roundMu.Lock()
		round := ls.round
		ls.roundMu.Unlock()
		behind := false
		for kind := range upTo {
			behind = behind || ls.served[kind].Load() < upTo[kind]
		}
		if !behind {
			return
		}
		pause.Wake(ls.hurry)
		select {
		case <-round:
		case <-cancelled:
			return
		case <-ls.conn.done:
			return
		case <-timer.C:
			return
		}
	}
}

// endRound wakes the answers that wait for lists.
func (ls *listings) endRound() {
	ls.roundMu.Lock()
	defer ls.roundMu.Unlock()
	close(ls.round)
	ls.round = make(chan struct{})
}
