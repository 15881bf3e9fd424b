package downstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Pauses between a server's list_changed and the listing, see relistLoop.
const (
	minRelistPause = 50 * time.Millisecond
	maxRelistPause = 5 * time.Second
	// maxNewsPause is the longest pause while the lists turn out to be others each time.
	maxNewsPause = time.Second
)

// failureFactor is how many times as long as a failed listing took nobody asks again, so that a server that doesn't answer
// keeps who lists the things of all servers waiting only now and then.
const failureFactor = 30

// failedList is a listing that failed.
type failedList struct {
	err   error
	until time.Time // when the server may be asked again
}

// Items returns one of the server's lists, in the server's order. It asks the
// server the first time, and again after the server has said that the list has
// changed. The slice is a snapshot and must not be changed. A server that has not
// declared the capability has an empty list.
func (s *Session) Items(ctx context.Context, kind Kind) ([]Item, error) {
	if list := s.lists[kind].Load(); list != nil {
		return list.items, nil
	}
	if !s.Info().Has(kind.List().Capability) {
		return nil, nil
	}
	// One asks, the others wait for its answer.
	select {
	case s.listing[kind] <- struct{}{}:
		defer func() { <-s.listing[kind] }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if list := s.lists[kind].Load(); list != nil {
		return list.items, nil
	}
	if failed := s.failed[kind].Load(); failed != nil && time.Now().Before(failed.until) {
		return nil, failed.err
	}
	begun := time.Now()
	limited, cancel := withLimit(ctx, max(s.o.listTimeout(), minListTimeout))
	defer cancel()
	before := s.notices[kind].Load()
	list, err := s.listAll(limited, kind, nil)
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	case ctx.Err() != nil:
		err = because(ErrTimeout, "the server did not answer '%s' in time", kind.List().Method)
	default:
		err = s.explain(ctx, err, kind.List().Method, max(s.o.listTimeout(), minListTimeout))
	}
	if err != nil {
		s.failed[kind].Store(&failedList{err, time.Now().Add(failureFactor * time.Since(begun))})
		return nil, err
	}
	s.failed[kind].Store(nil)
	s.keep(kind, list)
	if s.notices[kind].Load() != before {
		s.changed(kind) // it is out of date already
	}
	return list.items, nil
}

// keep makes a list the one that is known, and says what is wrong with it. Of tools, whoever connects says it.
func (s *Session) keep(kind Kind, list *itemList) {
	old := s.lists[kind].Swap(list)
	if kind == Tools || old != nil && slices.Equal(old.diagnostics, list.diagnostics) {
		return
	}
	for i, d := range list.diagnostics {
		if i == maxStrayShown {
			s.lines.add(SourceEngine, "", fmt.Sprintf("More is wrong with its %s", kind.List().Plural()))
			break
		}
		s.lines.add(SourceEngine, "", d.String())
		s.log.Warn("a list of the server is wrong", "how", d.String())
	}
}

// String says what is wrong, in one line.
func (d Diagnostic) String() string {
	if d.Name == "" {
		return d.Message
	}
	return d.Name + ": " + d.Message
}

// changed notes that the server has said that a list has changed. It runs on the read loop.
func (s *Session) changed(kind Kind) {
	s.notices[kind].Add(1)
	select {
	case s.relist <- struct{}{}:
	default: // one is waiting already
	}
}

// relistLoop lists anew what the server says has changed. It waits a little first,
// since such notifications come in swarms, and longer each time while they go on,
// above all when the list turns out to be the same.
func (s *Session) relistLoop() {
	pause := minRelistPause
	var served [Kinds]int64 // notices that have been dealt with
	var told [Kinds]bool    // of a change, while nobody has asked for the list
	var last time.Time      // when the last round ended
	for {
		select {
		case <-s.done:
			return
		case <-s.relist:
		}
		if time.Since(last) > 2*maxRelistPause {
			pause = minRelistPause
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
			select {
			case s.relist <- struct{}{}:
			default:
			}
			continue
		}
		news := false
		for kind := range Kinds {
			notices := s.notices[kind].Load()
			if notices == served[kind] {
				continue
			}
			served[kind] = notices
			unasked := s.lists[kind].Load() == nil
			if unasked && told[kind] || !s.listAgain(kind) {
				continue
			}
			told[kind] = unasked
			news = true
			if s.o.OnListChanged != nil {
				if err := safely(func() error { s.o.OnListChanged(kind); return nil }); err != nil {
					s.log.Error("handling a changed list failed", "list", kind.List().Plural(), "error", err)
				}
			}
		}
		last = time.Now()
		if news {
			pause = min(2*pause, max(pause, maxNewsPause))
		} else {
			pause = min(2*pause, maxRelistPause)
		}
		if pause >= maxNewsPause {
			s.remark("It says again and again that its lists have changed; they are listed every %v at most", maxRelistPause)
		}
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
		if s.Err() == nil {
			s.log.Warn("listing anew failed", "list", kind.List().Plural(), "error", err)
		}
		return false
	}
	s.keep(kind, list)
	return !old.equal(list)
}
