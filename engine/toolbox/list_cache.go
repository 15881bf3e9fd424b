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

func (s *listCache) get(key pin.Hash) (storedList, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, ok := s.read[key]
	return list, ok
}

func (s *listCache) put(list storedList) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil || len(s.read) >= maxCached {
		s.read = map[pin.Hash]storedList{}
	}
	s.read[list.key] = list
}
