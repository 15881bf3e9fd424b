package downstream

import (
	"slices"
	"sync"
)

// late are the requests that the server has accepted with the status 202, as if they were notifications. It sends
// their answers on the session's stream.
type late struct {
	mu     sync.Mutex
	opened bool // the session's stream is requested, so answers may come
	ended  int  // how many streams have ended, with the answers that they should have brought
	ids    []int64
}

// open says that the session's stream is requested.
func (l *late) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened = true
}

// streams returns how many streams have ended, for wait.
func (l *late) streams() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// wait notes that the answer to a request comes later, which was posted when so many streams had ended. It reports
// false if there is no stream on which it could come, or if that has ended meanwhile.
func (l *late) wait(id int64, ended int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	comes := l.opened && l.ended == ended
	if comes {
		l.ids = append(l.ids, id)
	}
	return comes
}

// answered forgets a request that has its answer.
func (l *late) answered(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = slices.DeleteFunc(l.ids, func(noted int64) bool { return noted == id })
}

// end says that a stream has ended. It returns the requests that were noted, and forgets them. One may have been
// answered before it was noted. again reports whether the stream is requested again.
func (l *late) end(again bool) []int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := l.ids
	l.opened, l.ended, l.ids = again, l.ended+1, nil
	return ids
}
