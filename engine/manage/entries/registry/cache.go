package registry

import (
	"slices"
	"time"
)

// How long an answer is valid. Answers are kept in memory only, since searches must not be stored.
const (
	fresh = 15 * time.Minute // the registry is not asked again
	stale = 24 * time.Hour   // the answer is shown if the registry does not answer
)

// Limits of the cache.
const (
	maxPages = 64
	maxKept  = 8 << 20 // bytes of all answers
)

// page is a cached answer.
type page struct {
	key    string
	at     time.Time
	answer answer
	size   int
}

// cache has the latest answers, the newest last.
type cache struct{ pages []page }

func (c *cache) get(key string) (page, bool) {
	for _, p := range c.pages {
		if p.key == key {
			return p, true
		}
	}
	return page{}, false
}

// put adds an answer, and removes the oldest ones if there is no room.
func (c *cache) put(p page) {
	c.pages = slices.DeleteFunc(c.pages, func(other page) bool { return other.key == p.key })
	c.pages = append(c.pages, p)
	size := 0
	for _, p := range c.pages {
		size += p.size
	}
	for len(c.pages) > maxPages || len(c.pages) > 0 && size > maxKept {
		size -= c.pages[0].size
		c.pages = slices.Delete(c.pages, 0, 1)
	}
}
