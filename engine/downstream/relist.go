package downstream

import (
	"context"
	"math"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Pauses between a server's list_changed and the listing, see relistPace.
const (
	minRelistPause = 50 * time.Millisecond
	// maxListings is how many listings count at most, for a pause of 51 s.
	maxListings = 10
	// saidRelistPause is the pause from which on the log says that the lists change again and again.
	saidRelistPause = time.Second
	// relistRecovery is the time after which one listing counts no more.
	relistRecovery = 15 * time.Second
)

// relistPace chooses the pauses of a server: each listing doubles the next one, or makes it four times as long when the list was the same as before, and
// 15 s without one halve it again. So lists that change now and then are read at once, and those that change all the time every 15 s in the end, or every
// 20 s when they are the same.
type relistPace struct {
	listings float64 // that count
	last     time.Time
}

// pause returns how long to wait before the next listing.
func (p *relistPace) pause(now time.Time) time.Duration {
	p.listings = max(0, p.listings-now.Sub(p.last).Seconds()/relistRecovery.Seconds())
	p.last = now
	return time.Duration(float64(minRelistPause) * math.Exp2(p.listings))
}

// listed notes a listing.
func (p *relistPace) listed(news bool) {
	p.listings++
	if !news {
		p.listings++
	}
	p.listings = min(p.listings, maxListings)
}

// listPatience is how long a list is waited for. A server that takes longer goes on, and its list counts as a changed one
// when it comes.
const listPatience = 2 * time.Second

// failureFactor is the length of the pause after a failed listing, as a multiple of the time that the listing took.
const failureFactor = 30

// listing is a list on its way.
type listing struct {
	begun time.Time
	done  chan struct{} // closed when list and err hold
	list  *itemList
	err   error
	until time.Time // after an error: when the server may be asked again
}

// Items returns one of the server's lists, in the server's order. It asks the
// server the first time, and again after the server has said that the list has
// changed. The slice is a snapshot and must not be changed. A server that has not
// declared the capability has an empty list. Items waits only a moment for a slow
// server: then the error wraps [ErrTimeout], and [Options.OnListChanged] is called
// when the list has come.
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

// ended reports whether the listing is over.
func (l *listing) ended() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// list asks the server for a list that nobody has asked for before.
func (s *Session) list(kind Kind, l *listing) {
	limit := max(s.o.listTimeout(), minListTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	before := s.notices[kind].Load()
	var list *itemList
	err := safely(func() (err error) {
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
	if s.notices[kind].Load() != before { // it is out of date already
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

// Text says what is wrong, in one line.
func (d Diagnostic) Text() words.Text {
	if d.Name == "" {
		return d.Message
	}
	return words.New("downstream.of_item", "Name", d.Name, "Problem", d.Message)
}

// changed notes that the server has said that a list has changed. It runs on the read loop.
func (s *Session) changed(kind Kind) {
	s.notices[kind].Add(1)
	s.wake()
}

// wake makes relistLoop look for changes.
func (s *Session) wake() {
	pause.Wake(s.relist)
}

// relistLoop lists anew what the server says has changed. It waits a little first,
// since such notifications come in swarms, and longer each time while they go on.
func (s *Session) relistLoop() {
	var pace relistPace
	var served [Kinds]int64 // notices that have been dealt with
	var told [Kinds]bool    // of a change, while nobody has asked for the list
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
		case <-timer.C:
		}
		if !s.ready.Load() {
			// Connecting hasn't come to its end, and may have listed before the change.
			s.wake()
			continue
		}
		news := false
		for kind := range Kinds {
			notices := s.notices[kind].Load()
			unasked := s.lists[kind].Load() == nil
			late := !unasked && s.late[kind].Swap(false)
			changed := notices != served[kind]
			served[kind] = notices
			if changed {
				changed = !(unasked && told[kind]) && s.listAgain(kind)
				told[kind] = unasked
			}
			if !changed && !late {
				continue
			}
			news = true
			if s.o.OnListChanged != nil {
				if err := safely(func() error { s.o.OnListChanged(kind); return nil }); err != nil {
					s.log.Error("Handling a changed list failed", "list", kind.List().Method, "error", err)
				}
			}
		}
		pace.listed(news)
	}
}

// listAgain lists anew and reports whether the list is another one than before. A
// failure leaves the list as it was. A list that nobody has asked for yet is not
// asked for now, and counts as another one.
func (s *Session) listAgain(kind Kind) bool {
	old := s.lists[kind].Load()
	if old == nil {
		return true
	}
	if old.fixed {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), max(s.o.listTimeout(), minListTimeout))
	defer cancel()
	list, err := s.listAll(ctx, kind, nil)
	if err != nil {
		if s.Err() == nil && len(s.faults.New([]Diagnostic{{Kind: kind, Message: words.Of(err)}})) > 0 {
			s.log.Warn("A changed list could not be read", "list", kind.List().Method, "error", err)
		}
		return false
	}
	s.keep(kind, list)
	return !old.equal(list)
}
