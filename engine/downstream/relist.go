package downstream

import (
	"context"
	"math"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Pauses between a list_changed notification and the request of the list, see relistPace.
const (
	minRelistPause = 50 * time.Millisecond
	// maxListings is the highest count of listings. It gives a pause of 51 s.
	maxListings = 10
	// saidRelistPause is the pause from which it is logged that the lists keep changing.
	saidRelistPause = time.Second
	// relistRecovery is the time after which the count decreases by one.
	relistRecovery = 15 * time.Second
)

// relistPace determines the pause before lists are requested again. Each time doubles the next pause, or multiplies it
// by four if nothing had changed. The pause halves every 15 s. So lists that change now and then are read at once, and
// lists that change all the time are read every 15 s in the end, or every 20 s if they are unchanged.
type relistPace struct {
	listings float64 // a count that decreases with time
	last     time.Time
}

// pause returns how long to wait before the lists are requested.
func (p *relistPace) pause(now time.Time) time.Duration {
	p.listings = max(0, p.listings-now.Sub(p.last).Seconds()/relistRecovery.Seconds())
	p.last = now
	return time.Duration(float64(minRelistPause) * math.Exp2(p.listings))
}

// listed records that lists were requested. news reports whether they had changed.
func (p *relistPace) listed(news bool) {
	p.listings++
	if !news {
		p.listings++
	}
	p.listings = min(p.listings, maxListings)
}

// run requests lists again when the server says that they have changed. It waits first, since such notifications often
// come in bursts.
func (ls *listings) run() {
	var pace relistPace
	var told [Kinds]bool // a change was reported of a list that was not requested yet
	for {
		select {
		case <-ls.conn.done:
			return
		case <-ls.relist:
		}
		pause := pace.pause(time.Now())
		if pause >= saidRelistPause {
			ls.remarks.remark(words.New("downstream.lists_change"))
		}
		timer := time.NewTimer(pause)
		select {
		case <-ls.conn.done:
			timer.Stop()
			return
		case <-ls.hurry:
			timer.Stop()
		case <-timer.C:
		}
		if !ls.conn.ready.Load() {
			// The session is not connected yet, and its list may be older than the change.
			ls.wake()
			continue
		}
		news := false
		for kind := range Kinds {
			notices := ls.notices[kind].Load()
			unasked := ls.of[kind].Load() == nil
			late := !unasked && ls.late[kind].Swap(false)
			changed := notices != ls.served[kind].Load()
			if changed {
				changed = !(unasked && told[kind]) && ls.again(context.Background(), kind)
				told[kind] = unasked
			}
			if changed || late {
				news = true
				ls.reportChange(kind)
			}
			ls.served[kind].Store(notices)
		}
		ls.endRound()
		pace.listed(news)
	}
}

// reportChange calls [Options.OnListChanged].
func (ls *listings) reportChange(kind Kind) {
	if ls.conn.o.OnListChanged == nil {
		return
	}
	if err := background.Catch(func() error { ls.conn.o.OnListChanged(kind); return nil }); err != nil {
		ls.remarks.log.Error("Handling a changed list failed", "list", kind.List().Method, "error", err)
	}
}

// again requests a list again and reports whether it has changed. After an error, the list stays as it was. A list
// that was not requested yet counts as changed, and is not requested.
func (ls *listings) again(ctx context.Context, kind Kind) bool {
	old := ls.of[kind].Load()
	if old == nil {
		return true
	}
	if old.fixed {
		return false
	}
	limited, cancel := context.WithTimeout(ctx, max(ls.conn.o.listTimeout(), minListTimeout))
	defer cancel()
	list, err := ls.request(limited, kind, nil)
	if err != nil {
		if ctx.Err() == nil && ls.conn.failure() == nil &&
			len(ls.faults.New([]Diagnostic{{Kind: kind, Message: words.Of(err)}})) > 0 {
			ls.remarks.log.Warn("A changed list could not be read", "list", kind.List().Method, "error", err)
		}
		return false
	}
	ls.keep(kind, list)
	return !old.equal(list)
}
