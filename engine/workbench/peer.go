package workbench

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// peer is what is known of the client.
type peer struct {
	id     string                        // what registration wrote behind --client
	client atomic.Pointer[client.Client] // the client's row in the table of clients
	legacy atomic.Bool                   // initialize was answered

	mu           sync.Mutex
	name         string          // clientInfo.name
	begun        bool            // the client has done more than server/discover
	capabilities json.RawMessage // what the client has declared, as it was sent
}

// declare takes up the capabilities that the client declares.
func (p *peer) declare(capabilities json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !bytes.Equal(p.capabilities, capabilities) {
		p.capabilities = slices.Clone(capabilities)
	}
}

// identify notes a greeting. known is false if the client was another one before, or of another era; first is true if
// nobody has heard of it yet.
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
	p.mu.Lock()
	defer p.mu.Unlock()
	return appIDs(p.id, p.name)
}

// declared returns what the client has declared, as it was sent.
func (p *peer) declared() json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.capabilities
}

// modern reports whether the client has spoken 2026-07-28.
func (p *peer) modern() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.capabilities != nil && !p.legacy.Load()
}

// appIDs returns the ids of the app that talks to us: the one of --client, else the one of its greeting. It returns
// both when they differ, because an app may start an entry that registration wrote for another app.
func appIDs(id, greeting string) []string {
	var ids []string
	if own := client.Find(id, greeting).ID; own != "" {
		ids = append(ids, own)
	}
	if greeted := client.Find("", greeting).ID; id != "" && greeted != "" && !client.Matches(id, greeting) {
		ids = append(ids, greeted)
	}
	return ids
}

// defaultMost is how large a message may be for a client of which nothing else is known, in bytes. The SDKs for
// TypeScript close the connection at 10 MiB, and count what they have read together with the message.
const defaultMost = 10<<20 - 64<<10

// most returns how large a message to the client may be.
func (p *peer) most() int {
	if most := p.client.Load().MaxMessage; most > 0 {
		return most
	}
	return defaultMost
}
