package downstream

import (
	"context"
	"time"
)

// Pauses between a server's list_changed and the listing, see relistLoop.
const (
	minRelistPause = 50 * time.Millisecond
	maxRelistPause = 5 * time.Second
)

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
	limited, cancel := withLimit(ctx, max(s.o.listTimeout(), minListTimeout))
	defer cancel()
	before := s.notices[kind].Load()
	list, err := s.listAll(limited, kind, nil)
	if err != nil {
		return nil, s.explain(ctx, err, kind.List().Method, max(s.o.listTimeout(), minListTimeout))
	}
	if s.notices[kind].Load() == before { // else it is out of date already
		s.lists[kind].Store(list)
	}
	return list.items, nil
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
// since such notifications come in swarms, and longer each time when the list
// turns out to be the same.
func (s *Session) relistLoop() {
	pause := minRelistPause
	var served [Kinds]int64 // notices that have been dealt with
	for {
		select {
		case <-s.done:
			return
		case <-s.relist:
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
			if !s.listAgain(kind) {
				continue
			}
			news = true
			if s.o.OnListChanged != nil {
				if err := safely(func() error { s.o.OnListChanged(kind); return nil }); err != nil {
					s.log.Error("handling a changed list failed", "list", kind.List().Plural(), "error", err)
				}
			}
		}
		if news {
			pause = minRelistPause
		} else {
			pause = min(2*pause, maxRelistPause)
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
	s.lists[kind].Store(list)
	return !old.equal(list)
}
