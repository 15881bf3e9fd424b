package process

import "sync"

// Looks have processes that end at the same time look through the processes of the system together: with 200 of them,
// each look of each of them would read thousands of files. The zero Looks is ready for use.
type Looks struct {
	mu     sync.Mutex
	next   *look      // that has not begun
	taking sync.Mutex // held during a look
}

// look is one look through all processes.
type look struct {
	done   chan struct{}
	groups map[int]bool // that have somebody alive; nil: it could not be found out
}

// alive reports whether anybody but the dead is left in a group, by a look that has not begun before. Asking with
// signal 0 would count the leader, who isn't reaped yet, and orphans whom a container's first process never reaps. If
// /proc can't be read the answer is yes.
func (l *Looks) alive(g *group) bool {
	if l == nil {
		groups := livingGroups()
		return groups == nil || groups[g.id]
	}
	l.mu.Lock()
	mine := l.next
	first := mine == nil
	if first {
		mine = &look{done: make(chan struct{})}
		l.next = mine
	}
	l.mu.Unlock()
	if first {
		l.taking.Lock()
		l.mu.Lock()
		l.next = nil // who comes now needs a later one
		l.mu.Unlock()
		mine.groups = livingGroups()
		l.taking.Unlock()
		close(mine.done)
	}
	<-mine.done
	return mine.groups == nil || mine.groups[g.id]
}

// livingGroups returns the process groups that have somebody alive, nil when that cannot be found out.
func livingGroups() map[int]bool {
	all, err := ReadStats()
	if err != nil {
		return nil
	}
	groups := map[int]bool{}
	for _, s := range all {
		if !s.Dead {
			groups[s.Group] = true
		}
	}
	return groups
}
