package downstream

import (
	"context"
	"math"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
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

// listPatience is how long a caller waits for a list. If a server takes longer, its list is reported as
// changed when it arrives.
const listPatience = 2 * time.Second

// failureFactor is the pause after a failed listing, as a multiple of the time that the listing took.
const failureFactor = 30

// listing is a list that is being requested.
type listing struct {
	begun time.Time
	done  chan struct{} // closed when list and err are set
	list  *itemList
	err   error
	until time.Time // after an error: when the server may be asked again
}

// Items returns one of the server's lists, in the server's order. It requests the list the first time, and
// again after the server has said that it changed. The slice is a snapshot and must not be changed. The list
// is empty if the server has not declared the capability. Items waits only a moment for a slow server: the
// error then wraps [ErrTimeout], and [Options.OnListChanged] is called when the list has arrived.
func (s *Session) Items(ctx context.Context, kind Kind) ([]Item, error) {
	if list := s.lists[kind].Load(); list != nil {
		return list.items, nil
	}
	if !s.Info().Has(kind.List().Capability) {
		return nil, nil
	}
	s.mu.Lock()
	l := s.listing[kind]
	if l == nil || l.ended() && l.err != nil && time.Now().After(l.until) {
		if s.err != nil {
			defer s.mu.Unlock()
			return nil, s.err
		}
		l = &listing{begun: time.Now(), done: make(chan struct{})}
		s.listing[kind] = l
		s.wg.Go(func() { s.list(kind, l) })
	}
	s.mu.Unlock()
	patience := time.NewTimer(listPatience - time.Since(l.begun))
	defer patience.Stop()
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-patience.C:
		if !l.ended() {
			s.late[kind].Store(true)
			return nil, words.NewError("downstream.no_answer_yet", "Method", kind.List().Method).Because(ErrTimeout)
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.list.items, nil
}

// ended reports whether the listing has ended.
func (l *listing) ended() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// list requests a list for the first time.
func (s *Session) list(kind Kind, l *listing) {
	limit := max(s.o.listTimeout(), minListTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	before := s.notices[kind].Load()
	var list *itemList
	err := background.Catch(func() (err error) {
		list, err = s.listAll(ctx, kind, nil)
		return err
	})
	if err != nil {
		l.err = s.explain(context.Background(), err, kind.List().Method, limit)
		l.until = time.Now().Add(failureFactor * time.Since(l.begun))
		close(l.done)
		return
	}
	l.list = list
	s.keep(kind, list)
	close(l.done)
	if s.notices[kind].Load() != before { // the list has changed since
		s.changed(kind)
	}
	if s.late[kind].Load() {
		s.wake()
	}
}

// keep stores a new list and reports its faults. For tools, the caller of Connect reports them.
func (s *Session) keep(kind Kind, list *itemList) {
	s.lists[kind].Store(list)
	if kind == Tools {
		return
	}
	for _, d := range s.faults.New(list.diagnostics) {
		s.lines.say(d.Text())
		s.log.Warn("A list of the server is wrong", "problem", d.Text())
	}
}

// Text returns what is wrong, on one line.
func (d Diagnostic) Text() words.Text {
	if d.Name == "" {
		return d.Message
	}
	return words.New("downstream.of_item", "Name", d.Name, "Problem", d.Message)
}

// changed records that the server has said that a list has changed. It runs on the read loop.
func (s *Session) changed(kind Kind) {
	s.notices[kind].Add(1)
	s.wake()
}

// wake makes relistLoop check for changes.
func (s *Session) wake() {
	pause.Wake(s.relist)
}

// relistLoop lists again what the server says has changed. It waits a little first, since such notifications
// often come in bursts, and waits longer while they continue.
func (s *Session) relistLoop() {
	var pace relistPace
	var told [Kinds]bool // whether a change was reported while nobody had asked for the list
	for {
		select {
		case <-s.done:
			return
		case <-s.relist:
		}
		pause := pace.pause(time.Now())
		if pause >= saidRelistPause {
			s.remark(words.New("downstream.lists_change"))
		}
		timer := time.NewTimer(pause)
		select {
		case <-s.done:
			timer.Stop()
			return
		case <-s.hurry:
			timer.Stop()
		case <-timer.C:
		}
		if !s.ready.Load() {
			// The session is not connected yet, and may have listed before the change.
			s.wake()
			continue
		}
		news := false
		for kind := range Kinds {
			notices := s.notices[kind].Load()
			unasked := s.lists[kind].Load() == nil
			late := !unasked && s.late[kind].Swap(false)
			changed := notices != s.served[kind].Load()
			if changed {
				changed = !(unasked && told[kind]) && s.listAgain(context.Background(), kind)
				told[kind] = unasked
			}
			if changed || late {
				news = true
				s.reportChange(kind)
			}
			s.served[kind].Store(notices)
		}
		s.endRound()
		pace.listed(news)
	}
}

// reportChange calls [Options.OnListChanged].
func (s *Session) reportChange(kind Kind) {
	if s.o.OnListChanged == nil {
		return
	}
	if err := background.Catch(func() error { s.o.OnListChanged(kind); return nil }); err != nil {
		s.log.Error("Handling a changed list failed", "list", kind.List().Method, "error", err)
	}
}

// listAgain lists again and reports whether the list has changed. A failure leaves the list as it was. A list
// that nobody has asked for yet is not requested, and counts as changed. It returns when ctx ends.
func (s *Session) listAgain(ctx context.Context, kind Kind) bool {
	old := s.lists[kind].Load()
	if old == nil {
		return true
	}
	if old.fixed {
		return false
	}
	limited, cancel := context.WithTimeout(ctx, max(s.o.listTimeout(), minListTimeout))
	defer cancel()
	list, err := s.listAll(limited, kind, nil)
	if err != nil {
		if ctx.Err() == nil && s.Err() == nil && len(s.faults.New([]Diagnostic{{Kind: kind, Message: words.Of(err)}})) > 0 {
			s.log.Warn("A changed list could not be read", "list", kind.List().Method, "error", err)
		}
		return false
	}
	s.keep(kind, list)
	return !old.equal(list)
}
