package toolbox

import (
	"errors"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// boxes has the open toolboxes with their links, the configuration in force, and whether we are paused.
//
// Locks are taken in this order:
//
//  1. One of Manager.configuring, alwaysOpen.mu and leveling.telling. Only these are held while waiting for an
//     approval, a file or a server.
//  2. boxes.mu, which also guards fields of links, pins and others, as their comments say.
//  3. The lock of a part that does not know boxes, such as a journal. TestLocksAreLeaves lists them.
//
// The list reporter calls Options.Changed with its lock held, so it must not be used while holding boxes.mu.
type boxes struct {
	watchers *watchers // of the journals

	mu      sync.Mutex
	config  *config.Config
	open    map[string]*box
	records map[ServerID]*record
	board   board
	paused  bool
	closed  bool
	keeping bool // [Manager.KeepOpen] was called
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

// link returns the link of a server, or nil if there is none or its toolbox is closed. The caller holds boxes.mu.
func (bs *boxes) link(at ServerID) *link {
	if b := bs.open[at.Toolbox]; b != nil {
		return b.links[at.Server]
	}
	return nil
}

// box returns the toolbox of that name, and opens it if it is closed. The caller holds boxes.mu.
func (bs *boxes) box(toolbox string) *box {
	b := bs.open[toolbox]
	if b == nil {
		b = &box{links: map[string]*link{}}
		bs.open[toolbox] = b
	}
	return b
}

// record returns the record of a server, and makes one if there is none. The caller holds boxes.mu.
func (bs *boxes) record(toolbox, server string) *record {
	r := bs.records[ServerID{toolbox, server}]
	if r == nil {
		r = &record{journal: &journal{toolbox: toolbox, server: server, watchers: bs.watchers}}
		bs.records[ServerID{toolbox, server}] = r
	}
	return r
}

// recordsOf returns the records of a toolbox's servers. The caller holds boxes.mu.
func (bs *boxes) recordsOf(toolbox string) []*record {
	var records []*record
	for at, r := range bs.records {
		if at.Toolbox == toolbox {
			records = append(records, r)
		}
	}
	return records
}

// journalOf returns the journal of a server, or nil if it was never started.
func (bs *boxes) journalOf(at ServerID) *journal {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if r := bs.records[at]; r != nil {
		return r.journal
	}
	return nil
}

// maskOf returns a function that masks the secrets of a server, or nil if it was never connected.
func (bs *boxes) maskOf(id ServerID) func(string) string {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if r := bs.records[id]; r != nil {
		return r.mask
	}
	return nil
}

// configured returns the entry of a link's server in the configuration in force, or nil. The caller holds boxes.mu.
func (bs *boxes) configured(l *link) *config.Server {
	toolbox, ok := bs.config.Toolbox(l.toolbox)
	if !ok {
		return nil
	}
	server, _ := toolbox.Server(l.entry.Name)
	return server
}

// current reports whether l is still the link of its server. The caller holds boxes.mu.
func (bs *boxes) current(l *link) bool {
	return bs.link(l.id()) == l
}

// restartable returns the entry with which to restart the server of a link, or nil if it must not be restarted. The
// caller holds boxes.mu.
func (bs *boxes) restartable(l *link) *config.Server {
	entry := bs.configured(l)
	if entry == nil || entry.Disabled || !bs.current(l) || bs.paused || bs.closed {
		return nil
	}
	return entry
}

// alwaysOpen reports whether a toolbox must stay open. The caller holds boxes.mu.
func (bs *boxes) alwaysOpen(name string) bool {
	toolbox, ok := bs.config.Toolbox(name)
	return ok && toolbox.Open && bs.keeping && !bs.closed
}

// startable returns the entry with which to start a server, or an error that says why it cannot be started. The caller
// holds boxes.mu.
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

// isOpen reports whether a toolbox is open.
func (bs *boxes) isOpen(toolbox string) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return bs.open[toolbox] != nil
}

// opened returns the enabled servers of all open toolboxes, in the order of the file.
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

// connected returns the links of the connected servers that have declared a capability, in the order of the file.
// Without a path it returns the links of all connected servers.
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

// linkOf returns the link of a server if it is connected, and nil otherwise.
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

// otherTools returns the names of our own tools and of the tools of all servers except that of l. The caller holds
// boxes.mu.
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

// whyWithheld returns why a tool is withheld, or nil if it is not.
func (bs *boxes) whyWithheld(l *link, tool string) error {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	return l.whyWithheld(tool)
}

// instructionsOf returns the instructions of a connected server, or "" while they are withheld.
func (bs *boxes) instructionsOf(l *link) string {
	bs.mu.Lock()
	_, withheld := l.pins.withheld[pin.Instructions]
	bs.mu.Unlock()
	if withheld {
		return ""
	}
	return instructionsOf(l.session.Info())
}

// failure returns why a settled link is not connected.
func (bs *boxes) failure(l *link) *Error {
	var e *Error
	if errors.As(l.err, &e) {
		return e
	}
	return connectFailed(l.toolbox, l.entry.Name, bs.reason(l, l.session.Err()))
}

// reason returns why a session has ended. err is the session's error; if we have ended the session, reason says why.
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

// touch discards the snapshot of the status, which has changed. The caller holds boxes.mu.
func (bs *boxes) touch() { bs.board.touch() }
