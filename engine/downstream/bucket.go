package downstream

import (
	"sync"
	"time"
)

// bucket is a rate limit. It allows burst events at once, and rate events per second after that. The zero bucket is
// full.
type bucket struct {
	mu    sync.Mutex
	spent float64
	last  time.Time
}

// take reports whether one more event is allowed at now.
func (b *bucket) take(now time.Time, burst, rate int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-now.Sub(b.last).Seconds()*float64(rate))
	b.last = now
	if b.spent+1 > float64(burst) {
		return false
	}
	b.spent++
	return true
}
