package toolbox

import (
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// storedList is what an earlier run has left of a server's tools.
type storedList struct {
	key      pin.Hash
	record   *pin.Record
	tools    []downstream.Item
	withheld map[string]bool // see [pin.Verdict]
	whole    bool            // there is nothing that was too large to keep
}

// shelves keeps the lists that were read last, so that each file is read once. The zero value is empty.
type shelves struct {
	mu   sync.Mutex
	read map[pin.Hash]storedList
}

// maxShelves is how many lists are kept in memory.
const maxShelves = 1_000

func (s *shelves) get(key pin.Hash) (storedList, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, ok := s.read[key]
	return list, ok
}

func (s *shelves) put(list storedList) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil || len(s.read) >= maxShelves {
		s.read = map[pin.Hash]storedList{}
	}
	s.read[list.key] = list
}
