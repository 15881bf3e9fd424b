package toolbox

import (
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// boxes are the open toolboxes with their links, and what decides about them: the configuration, and whether we are
// paused.
//
// Locks are taken in this order, and each may be left out:
//
//  1. Manager.configuring, keptOpen.mu or leveling.telling, of which nobody takes two. Only these are held while
//     something is waited for: an approval, a file, a server.
//  2. boxes.mu, which also guards what links, pins and others say that it guards.
//  3. The lock of a part that knows nothing of the boxes, and so cannot take theirs: of a journal, the watchers,
//     the recorder, the consents, the announcer, and of what is remembered of servers. TestLocksAreLeaves lists them.
//
// The announcer calls Options.Changed with its lock held. So nobody announces anything while he holds boxes.mu.
type boxes struct {
	watchers *watchers // of the journals

	mu      sync.Mutex
	config  *config.Config
	open    map[string]*box
	records map[ServerID]*record
	board   board
	paused  bool
	closed  bool
	keeping bool // toolboxes that are always open are kept so
}

// box is an open toolbox.
type box struct {
	links map[string]*link // by server name
}

func newBoxes(cfg *config.Config, watchers *watchers) *boxes {
	return &boxes{watchers: watchers, config: cfg, board: newBoard(),
		open: map[string]*box{}, records: map[ServerID]*record{}}
}

func (b *box) all() []*link {
	links := make([]*link, 0, len(b.links))
	for _, l := range b.links {
		links = append(links, l)
	}
	return links
}

// configuration returns the configuration in force.
func (bs *boxes) configuration() *config.Config {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return bs.config
}

// link returns the link of a server of an open toolbox, nil when there is none. The caller holds boxes.mu.
func (bs *boxes) link(at ServerID) *link {
	if b := bs.open[at.Toolbox]; b != nil {
		return b.links[at.Server]
	}
	return nil
}

// box returns the open toolbox of that name, and opens it if need be. The caller holds boxes.mu.
func (bs *boxes) box(toolbox string) *box {
	b := bs.open[toolbox]
	if b == nil {
		b = &box{links: map[string]*link{}}
		bs.open[toolbox] = b
	}
	return b
}

// record returns the record of a server. The caller holds boxes.mu.
func (bs *boxes) record(toolbox, server string) *record {
	r := bs.records[ServerID{toolbox, server}]
	if r == nil {
		r = &record{journal: &journal{toolbox: toolbox, server: server, watchers: bs.watchers}}
		bs.records[ServerID{toolbox, server}] = r
	}
	return r
}

// recordsOf returns what is remembered of a toolbox's servers. The caller holds boxes.mu.
func (bs *boxes) recordsOf(toolbox string) []*record {
	var records []*record
	for at, r := range bs.records {
		if at.Toolbox == toolbox {
			records = append(records, r)
		}
	}
	return records
}

// journalOf returns the log of a server, nil when it was never started.
func (bs *boxes) journalOf(at ServerID) *journal {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if r := bs.records[at]; r != nil {
		return r.journal
	}
	return nil
}

// maskOf returns what masks the secrets that a server was given; nil if it was never connected.
func (bs *boxes) maskOf(id ServerID) func(string) string {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if r := bs.records[id]; r != nil {
		return r.mask
	}
	return nil
}

// configured returns the entry in force of a link's server, nil when there is none. The caller holds boxes.mu.
func (bs *boxes) configured(l *link) *config.Server {
	toolbox, ok := bs.config.Toolbox(l.toolbox)
	if !ok {
		return nil
	}
	server, _ := toolbox.Server(l.entry.Name)
	return server
}

// current reports whether the link is the one of its server. The caller holds boxes.mu.
func (bs *boxes) current(l *link) bool {
	return bs.link(l.id()) == l
}

// restartable returns the entry with which the server of a link may be started anew, nil when it must not be. The
// caller holds boxes.mu.
func (bs *boxes) restartable(l *link) *config.Server {
	entry := bs.configured(l)
	if entry == nil || entry.Disabled || !bs.current(l) || bs.paused || bs.closed {
		return nil
	}
	return entry
}

// alwaysOpen reports whether a toolbox is kept open. The caller holds boxes.mu.
func (bs *boxes) alwaysOpen(name string) bool {
	toolbox, ok := bs.config.Toolbox(name)
	return ok && toolbox.Open && bs.keeping && !bs.closed
}

// startable returns the entry of a server that can be started, or an error that says why it cannot. The caller holds
// boxes.mu.
func (bs *boxes) startable(toolbox, server string) (*config.Server, error) {
	if bs.closed {
		return nil, errShutdown
	}
	if bs.paused {
		return nil, connectFailed(toolbox, server, errPaused)
	}
	t, ok := bs.config.Toolbox(toolbox)
	if !ok {
		return nil, toolboxNotFound(toolbox, toolboxNames(bs.config))
	}
	entry, ok := t.Server(server)
	if !ok || entry.Disabled {
		return nil, unusable(t, ToolID{Toolbox: toolbox, Server: server}, ok)
	}
	return entry, nil
}

// isOpen reports whether a toolbox is open. Only a call of a tool opens a closed one.
func (bs *boxes) isOpen(toolbox string) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return bs.open[toolbox] != nil
}

// opened returns the servers of all open toolboxes, in the order of the file.
func (bs *boxes) opened() (servers []ServerID) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, toolbox := range bs.config.Toolboxes {
		if bs.open[toolbox.Name] == nil {
			continue
		}
		for _, server := range toolbox.Enabled() {
			servers = append(servers, ServerID{toolbox.Name, server.Name})
		}
	}
	return servers
}

// connected returns the links of all connected servers of open toolboxes that have declared a capability, in the
// order of the file. Without a path it returns all.
func (bs *boxes) connected(path ...string) []*link {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	var links []*link
	for _, toolbox := range bs.config.Toolboxes {
		b := bs.open[toolbox.Name]
		if b == nil {
			continue
		}
		for _, server := range toolbox.Enabled() {
			if l := b.links[server.Name]; in[connectedState](l) && l.connected() && l.session.Info().Has(path...) {
				links = append(links, l)
			}
		}
	}
	return links
}

// linkOf returns the link of a connected server of an open toolbox, nil when there is none.
func (bs *boxes) linkOf(server ServerID) *link {
	for _, l := range bs.connected() {
		if l.id() == server {
			return l
		}
	}
	return nil
}

// starting returns the links of open toolboxes that are being connected.
func (bs *boxes) starting() (links []*link) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, b := range bs.open {
		for _, l := range b.all() {
			if !l.settled() {
				links = append(links, l)
			}
		}
	}
	return links
}

// otherTools returns the names of our own tools and of all tools of open toolboxes except those of a link. The caller
// holds boxes.mu.
func (bs *boxes) otherTools(l *link) []string {
	names := []string{"open_toolbox", "close_toolbox", "use_tool", "find_tools"}
	for _, b := range bs.open {
		for _, other := range b.links {
			if other != l {
				names = append(names, toolNames(other.tools.known)...)
			}
		}
	}
	return names
}

func (bs *boxes) offered(l *link, server *config.Server) []downstream.Item {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return l.offered(server)
}

// whyWithheld returns why a tool is withheld, nil when it is not.
func (bs *boxes) whyWithheld(l *link, tool string) error {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return l.whyWithheld(tool)
}

// instructionsOf returns the instructions of a connected server; empty while they are withheld.
func (bs *boxes) instructionsOf(l *link) string {
	bs.mu.Lock()
	_, withheld := l.pins.withheld[pin.Instructions]
	bs.mu.Unlock()
	if withheld {
		return ""
	}
	return instructionsOf(l.session.Info())
}

// failure returns why the link is not connected. The link must have settled.
func (bs *boxes) failure(l *link) *Error {
	var e *Error
	if errors.As(l.err, &e) {
		return e
	}
	return connectFailed(l.toolbox, l.entry.Name, bs.reason(l, l.session.Err()))
}

// reason returns why a session has ended: err, or what we ended it for.
func (bs *boxes) reason(l *link, err error) error {
	if !errors.Is(err, downstream.ErrClosed) {
		return err
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if why := l.why(); why != nil {
		return why
	}
	return err
}

// touch makes the snapshot of the status stale. The caller holds boxes.mu.
func (bs *boxes) touch() { bs.board.touch() }
