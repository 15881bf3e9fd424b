package ipc

import (
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// maxCommandsWaiting is how many messages may wait for an engine. An engine that does not read more than that
// is disconnected.
const maxCommandsWaiting = 64

// peer is the engine at the other end of a connection.
type peer struct {
	hub    *Hub
	conn   net.Conn
	own    bool
	out    chan *message
	gone   chan struct{} // closed when the connection has ended
	lastID atomic.Uint64

	// Guarded by Hub.mu.
	id       EngineID // 0 before its hello
	about    About
	other    bool // it is of another version
	since    time.Time
	heard    time.Time // when it last sent something
	hangs    bool
	snapshot status.Snapshot
	size     int                      // of the snapshot's line, in bytes
	pending  map[uint64]chan *message // commands that wait for their replies
	asked    map[uint64]*Asked        // questions that wait for the person
}

func newPeer(h *Hub, conn net.Conn, own bool) *peer {
	return &peer{hub: h, conn: conn, own: own, out: make(chan *message, maxCommandsWaiting), gone: make(chan struct{}),
		heard: time.Now(), pending: map[uint64]chan *message{}, asked: map[uint64]*Asked{}}
}

// engine returns the state of the peer. The caller must hold Hub.mu.
func (p *peer) engine() Engine {
	return Engine{ID: p.id, About: p.about, Connected: p.since, Own: p.own, OtherVersion: p.other, Unresponsive: p.hangs,
		Snapshot: p.snapshot}
}

// client returns the name of its client in lists.
func (p *peer) client() string {
	if p.about.ClientName != "" {
		return p.about.ClientName
	}
	return p.about.ClientID
}

// send queues a message. It does not block.
func (p *peer) send(m *message) {
	select {
	case p.out <- m:
	default:
		_ = p.conn.Close()
	}
}

// write writes queued messages until the connection ends.
func (p *peer) write() {
	writer := &lineWriter{conn: p.conn}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	err := writer.write(&message{Type: typeHello, Version: Version, Pid: os.Getpid(), Program: p.hub.options.Program,
		Config: p.hub.options.Config,
		Asks:   p.hub.options.OnAsk != nil})
	for err == nil {
		select {
		case <-p.gone:
			return
		case m := <-p.out:
			err = writer.write(m)
		case <-beat.C:
			err = writer.write(&message{Type: typePing})
		}
	}
	_ = p.conn.Close() // this also ends read
}

// read handles messages of the other end until the connection ends.
func (p *peer) read() {
	reader := newLineReader(p.conn, maxFromEngine)
	if p.conn.SetReadDeadline(time.Now().Add(greetTime)) != nil {
		return
	}
	first, err := reader.next()
	if err != nil || p.conn.SetReadDeadline(time.Time{}) != nil {
		return
	}
	switch first.Type {
	case typeShow:
		if show := p.hub.options.OnShow; show != nil {
			if len(first.Open) > maxOpen {
				first.Open = ""
			}
			show(first.Open)
		}
		_ = (&lineWriter{conn: p.conn}).write(&message{Type: typeShown}) // the answer is not essential
		return
	case typeHello:
		if first.size > maxEvent {
			return
		}
		p.hub.join(p, first)
	default:
		return
	}
	for {
		m, err := reader.next()
		if err != nil {
			return
		}
		p.hub.receive(p, m)
	}
}

// receive handles a message of an engine.
func (h *Hub) receive(p *peer, m *message) {
	if m.Type == typeHello {
		if m.size > maxEvent {
			return
		}
		h.join(p, m)
		return
	}
	if question := h.note(p, m); question != nil {
		h.options.OnAsk(question)
	}
}

// note handles a message of an engine other than hello. If it is a question to the person, note returns it.
func (h *Hub) note(p *peer, m *message) *Asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	p.heard = time.Now()
	if p.hangs {
		p.hangs = false
		h.changed()
	}
	if p.other {
		return nil
	}
	switch {
	case m.Type == typeAsk && m.Question != nil:
		return h.addQuestion(p, m)
	case m.Type == typeSnapshot && m.Snapshot != nil:
		h.keepSnapshot(p, m)
	case m.size > maxEvent && (m.Type == typeLog || m.Type == typeCall):
		// No engine sends this.
	case m.Type == typeLog && m.Line != nil:
		h.passLine(LogLine{Engine: p.id, Toolbox: m.Toolbox, Server: m.Server, LogLine: *m.Line, Missed: m.Missed})
	case m.Type == typeCall && m.Call != nil:
		h.calls.add(Call{Engine: p.id, Client: p.client(), Call: *m.Call})
		h.changed()
	case m.Type == typeWithdraw:
		if q := p.asked[m.ID]; q != nil {
			q.end()
		}
	case m.Type == typeReply:
		if waiting := p.pending[m.ID]; waiting != nil {
			delete(p.pending, m.ID)
			waiting <- m // the channel has room for one
		}
	}
	return nil
}

// maxSnapshots limits the snapshots of all engines together, in bytes of their lines.
const maxSnapshots = 32 << 20

// keepSnapshot replaces the snapshot of an engine, unless all together would be too large. The caller must hold
// Hub.mu.
func (h *Hub) keepSnapshot(p *peer, m *message) {
	sum := m.size
	for _, other := range h.peers {
		if other != p {
			sum += other.size
		}
	}
	if sum > maxSnapshots {
		return
	}
	p.snapshot, p.size = *m.Snapshot, m.size
	h.changed()
}
