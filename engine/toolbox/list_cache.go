package toolbox

import (
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// storedList has the tools of a server that an earlier run has stored.
type storedList struct {
	key      pin.Hash
	record   *pin.Record
	tools    []downstream.Item
	withheld map[string]bool // see [pin.Verdict]
	whole    bool            // no definition was too large to store
}

// listCache caches stored lists, so that each file is read once. The zero value is empty.
type listCache struct {
	mu   sync.Mutex
	read map[pin.Hash]storedList
}

// maxCached is how many lists the cache has at most.
const maxCached = 1_000

func (c *listCache) get(key pin.Hash) (storedList, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, ok := c.read[key]
	return list, ok
}

func (c *listCache) put(list storedList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read == nil || len(c.read) >= maxCached {
		c.read = map[pin.Hash]storedList{}
	}
	c.read[list.key] = list
}
