package downstream

import (
	"context"
	"math"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Pauses between a server's list_changed notification and the listing, see relistPace.
const (
	minRelistPause = 50 * time.Millisecond
	// maxListings is the highest count of listings, which gives a pause of 51 s.
	maxListings = 10
	// saidRelistPause is the pause from which the log says that the lists keep changing.
	saidRelistPause = time.Second
	// relistRecovery is the time after which the count drops by one.
	relistRecovery = 15 * time.Second
)

// relistPace determines the pauses between listings. Each listing doubles the next pause, or multiplies it by
// four if the list was unchanged. 15 s without a listing halve it again. So lists that change now and then
// are read at once. Lists that change all the time are read every 15 s in the end, or every 20 s if they are
// unchanged.
type relistPace struct {
	listings float64 // the count, which decreases with time
	last     time.Time
}

// pause returns how long to wait before the next listing.
func (p *relistPace) pause(now time.Time) time.Duration {
	p.listings = max(0, p.listings-now.Sub(p.last).Seconds()/relistRecovery.Seconds())
	p.last = now
	return time.Duration(float64(minRelistPause) * math.Exp2(p.listings))
}

// listed records a listing.
func (p *relistPace) listed(news bool) {
	p.listings++
	if !news {
		p.listings++
	}
	p.listings = min(p.listings, maxListings)
}

// relistLoop lists again what the server says has changed. It waits a little first, since such notifications
// often come in bursts, and waits longer while they continue.
func (ls *listings) run() {
	var pace relistPace
	var told [Kinds]bool // whether a change was reported while nobody had asked for the list
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
			// The session is not connected yet, and may have listed before the change.
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

// listAgain lists again and reports whether the list has changed. A failure leaves the list as it was. A list
// that nobody has asked for yet is not requested, and counts as changed. It returns when ctx ends.
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
