package registry

import (
	"slices"
	"time"
)

// How long an answer counts. It is kept in memory only: what somebody searched for is written nowhere.
const (
	fresh = 15 * time.Minute // the registry is not asked again
	stale = 24 * time.Hour   // it is shown when the registry does not answer
)

// What is kept at most.
const (
	maxPages = 64
	maxKept  = 8 << 20 // bytes of the answers as they came
)

// page is an answer that is kept.
type page struct {
	key    string
	at     time.Time
	answer answer
	size   int
}

// cache keeps the last answers, the newest at the end.
type cache struct{ pages []page }

func (c *cache) get(key string) (page, bool) {
	for _, p := range c.pages {
		if p.key == key {
			return p, true
		}
	}
	return page{}, false
}

// put keeps an answer, and forgets the oldest ones that there is no room for.
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
