package process

import "sync"

// Looks lets processes that end at the same time share the reading of /proc. With 200 of them, each would otherwise
// read thousands of files several times. The zero Looks is ready for use.
type Looks struct {
	mu     sync.Mutex
	next   *look      // a look that has not begun; nil if nobody waits for one
	taking sync.Mutex // held while /proc is read
}

// look is one reading of all processes.
type look struct {
	done   chan struct{} // closed when groups is set
	groups map[int]bool  // the groups with a running process; nil if /proc cannot be read
}

// alive reports whether a process of a group is running, by a look that begins after the call. Signal 0 would also
// find processes that have ended and were not reaped: the leader, and orphans in a container whose first process reaps
// none. If /proc cannot be read, alive reports true.
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
		l.next = nil // later callers need another look
		l.mu.Unlock()
		mine.groups = livingGroups()
		l.taking.Unlock()
		close(mine.done)
	}
	<-mine.done
	return mine.groups == nil || mine.groups[g.id]
}

// livingGroups returns the process groups with a running process, or nil if /proc cannot be read.
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
