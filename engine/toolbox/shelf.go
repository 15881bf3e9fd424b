package toolbox

import (
	"context"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// shelves keeps the lists that were read last, so that each file is read once. The zero value is empty.
type shelves struct {
	mu   sync.Mutex
	read map[pin.Hash]keptList
}

// maxShelves is how many lists are kept in memory.
const maxShelves = 1_000

func (s *shelves) get(key pin.Hash) (keptList, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, ok := s.read[key]
	return list, ok
}

func (s *shelves) put(list keptList) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil || len(s.read) >= maxShelves {
		s.read = map[pin.Hash]keptList{}
	}
	s.read[list.key] = list
}

// Shelf has the known tools of one server, whether its toolbox is open or not.
type Shelf struct {
	Server ServerID
	// Tools are those that clients may see, in the order of the server. They must not be changed.
	Tools []downstream.Item
	// Stamp is another one when Tools are others. Stamps can be compared.
	Stamp Stamp
}

// Stamp tells the lists of a server apart.
type Stamp struct {
	entry    *config.Server
	link     *link
	revision int
	record   *pin.Record
}

// Shelves returns the known tools of all enabled servers, in the order of the file, and the servers whose tools are not known. For servers
// that do not run, it returns the tools of an earlier run. Filters and pins apply. An entry that waits for approval is in neither list.
func (m *Manager) Shelves(ctx context.Context) (known []Shelf, unknown []ServerID) {
	cfg := m.Config()
	for _, toolbox := range cfg.Toolboxes {
		for _, server := range toolbox.Enabled() {
			at := ServerID{toolbox.Name, server.Name}
			shelf, ok := m.shelfOfLink(at, server)
			if !ok {
				shelf, ok = m.shelfOfPins(ctx, at, server)
			}
			switch {
			case ok:
				known = append(known, shelf)
			case m.approved(ctx, toolbox.Name, server):
				unknown = append(unknown, at)
			}
		}
	}
	return known, unknown
}

// shelfOfLink returns what a server of an open toolbox has.
func (m *Manager) shelfOfLink(at ServerID, server *config.Server) (Shelf, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.open[at.Toolbox]
	if b == nil || b.links[at.Server] == nil || b.links[at.Server].tools.known == nil {
		return Shelf{}, false
	}
	l := b.links[at.Server]
	return Shelf{Server: at, Tools: l.offered(server), Stamp: Stamp{server, l, l.tools.revision, nil}}, true
}

// shelfOfPins returns what a server that does not run had in an earlier run.
func (m *Manager) shelfOfPins(ctx context.Context, at ServerID, server *config.Server) (Shelf, bool) {
	list, ok := m.keptOf(ctx, at.Toolbox, server)
	if !ok {
		return Shelf{}, false
	}
	shelf := Shelf{Server: at, Stamp: Stamp{server, nil, 0, list.record}}
	for _, tool := range list.tools {
		if _, withheld := list.withheld[tool.Name]; (!withheld || server.TrustToolChanges) && server.Allows(tool.Name) {
			shelf.Tools = append(shelf.Tools, tool)
		}
	}
	return shelf, true
}
