package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// peer is what is known about the client.
type peer struct {
	id     string                        // [Options.ClientID]
	app    string                        // [Options.App]
	client atomic.Pointer[client.Client] // the client's row in the table of clients
	legacy atomic.Bool                   // initialize was answered

	mu           sync.Mutex
	name         string          // clientInfo.name
	begun        bool            // the client has sent a request other than server/discover
	capabilities json.RawMessage // as sent
}

// declare sets the client's capabilities.
func (p *peer) declare(capabilities json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !bytes.Equal(p.capabilities, capabilities) {
		p.capabilities = slices.Clone(capabilities)
	}
}

// identify records who the client is. known is false if that or the era has changed. first is true if
// [Options.Identified] must be called.
func (p *peer) identify(name string, legacy, begun bool) (known, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	legacy = legacy || p.legacy.Load()
	known = p.name == name && p.legacy.Load() == legacy
	first = begun && !(known && p.begun)
	p.name, p.begun = name, p.begun || begun
	p.legacy.Store(legacy)
	if !known {
		p.client.Store(client.Find(p.id, name))
	}
	return known, first
}

// appIDs returns the ids by which the app is known, see [appIDs].
func (p *peer) appIDs() []string {
	if p.app != "" {
		return []string{p.app}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return appIDs(p.id, p.name)
}

// declared returns the client's capabilities, as sent.
func (p *peer) declared() json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.capabilities
}

// modern reports whether the client uses 2026-07-28.
func (p *peer) modern() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.capabilities != nil && !p.legacy.Load()
}

// appIDs returns the ids of the app: that of --client and that of its name in clientInfo. They can differ, because an
// app may start an entry that was written for another app.
func appIDs(id, name string) []string {
	var ids []string
	if own := client.Find(id, name).ID; own != "" {
		ids = append(ids, own)
	}
	if named := client.Find("", name).ID; id != "" && named != "" && !client.Matches(id, name) {
		ids = append(ids, named)
	}
	return ids
}

// defaultMost is the largest message for clients without a limit of their own in the table, in bytes. The TypeScript
// SDK closes the connection at 10 MiB, and counts what it has read together with the message.
const defaultMost = 10<<20 - 64<<10

// most returns the size of the largest message that the client accepts, in bytes.
func (p *peer) most() int {
	if most := p.client.Load().MaxMessage; most > 0 {
		return most
	}
	return defaultMost
}
