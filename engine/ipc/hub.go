package ipc

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// maxEngines limits the number of connections at one time.
const maxEngines = 256

// HubOptions are the options of a [Hub].
type HubOptions struct {
	// Endpoint is where engines connect; "" means [DefaultEndpoint].
	Endpoint string
	// Program is the version of the app, which is sent to engines.
	Program string
	// Config is the path of the configuration file that the app shows, which is sent to a second start of the
	// app.
	Config string
	// OnShow is called when a second start of the app asks this one to show its window, perhaps with a file
	// or a link to open; see [Show]. Any program of the user can ask this at any time. It is called on a
	// goroutine of the hub.
	OnShow func(open string)
	// OnAsk is called when an engine asks the person something. It must return at once. Nil means that nobody
	// can be asked.
	OnAsk  func(*Asked)
	Logger *slog.Logger
}

// Hub is the app's end of the connections to all engines of the user. It is safe for concurrent use.
type Hub struct {
	options  HubOptions
	log      *slog.Logger
	listener net.Listener
	release  func() // releases the endpoint
	work     background.Group

	mu          sync.Mutex
	lastID      EngineID
	conns       map[net.Conn]bool
	peers       []*peer // engines that have sent hello, in the order in which they connected
	engines     []Engine
	stale       bool // engines is out of date
	calls       callHistory
	asked       int // bytes of the questions that wait for the person
	subscribers map[chan struct{}]bool
	logs        map[*logSubscriber]bool
	checked     time.Time // when checkHearts was last called
	paused      bool
	closed      bool
}

// Listen opens the endpoint. It returns [ErrRunning] if another app of the user has it. The caller must call
// [Hub.Run], which closes it.
func Listen(options HubOptions) (*Hub, error) {
	endpoint := options.Endpoint
	if endpoint == "" {
		var err error
		if endpoint, err = DefaultEndpoint(); err != nil {
			return nil, err
		}
	}
	listener, release, err := listen(endpoint)
	if err != nil {
		return nil, err
	}
	return newHub(options, listener, release), nil
}

func newHub(options HubOptions, listener net.Listener, release func()) *Hub {
	h := &Hub{
		options:     options,
		log:         options.Logger,
		listener:    listener,
		release:     release,
		conns:       map[net.Conn]bool{},
		subscribers: map[chan struct{}]bool{},
		logs:        map[*logSubscriber]bool{},
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	return h
}

// Run serves engines until ctx ends, and returns the error of ctx after all connections are closed. It
// returns earlier only if the endpoint fails, with the reason; attached engines are then still served until
// ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	accepting := make(chan error, 1)
	h.work.Go(func() { accepting <- background.Catch(func() error { return h.accept(ctx) }) })
	beat := time.NewTicker(heartbeat / 2)
	defer beat.Stop()
	var err error
	for err == nil {
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case failed := <-accepting:
			h.log.Error("Engines can no longer connect", "error", failed)
		case <-beat.C:
			h.checkHearts()
		}
	}
	_ = h.listener.Close()
	h.mu.Lock()
	h.closed = true
	for conn := range h.conns {
		_ = conn.Close()
	}
	h.mu.Unlock()
	h.work.Wait()
	h.release()
	return err
}

// accept accepts connections until the listener is closed.
func (h *Hub) accept(ctx context.Context) error {
	for {
		conn, err := h.listener.Accept()
		switch {
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				_ = conn.Close()
			}
			return err
		case err != nil: // there may be too many open files; try again in a moment
			h.log.Warn("An engine could not connect", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			continue
		}
		if err := checkPeer(conn); err != nil {
			h.log.Warn("A connection was refused", "error", err)
			_ = conn.Close()
			continue
		}
		h.serve(conn, false)
	}
}

// Attach serves an engine at the other end of conn, such as the app's own over net.Pipe. The hub owns conn
// from then on.
func (h *Hub) Attach(conn net.Conn) { h.serve(conn, true) }

// serve starts the goroutines for a connection.
func (h *Hub) serve(conn net.Conn, own bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.conns) >= maxEngines {
		_ = conn.Close()
		return
	}
	h.conns[conn] = true
	p := newPeer(h, conn, own)
	h.work.Go(p.write)
	h.work.Go(func() {
		p.read()
		h.leave(p)
	})
}

// join adds a peer that has sent hello to the engines, or updates it.
func (h *Hub) join(p *peer, hello *message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if hello.About != nil {
		p.about = *hello.About
	}
	p.other = hello.Version != Version
	if p.id == 0 {
		h.lastID++
		p.id = h.lastID
		p.since = time.Now()
		h.peers = append(h.peers, p)
		if !p.other {
			p.send(&message{Type: typePause, Paused: h.paused})
		}
	}
	h.changed()
}

// leave removes a peer whose connection has ended.
func (h *Hub) leave(p *peer) {
	_ = p.conn.Close()
	close(p.gone)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, p.conn)
	for _, q := range p.asked {
		q.end()
	}
	if p.id == 0 {
		return
	}
	h.peers = slices.DeleteFunc(h.peers, func(other *peer) bool { return other == p })
	h.calls.abandon(p.id)
	h.changed()
}

// changed notifies subscribers. The caller must hold h.mu.
func (h *Hub) changed() {
	h.stale = true
	for c := range h.subscribers {
		pause.Wake(c)
	}
}

// checkHearts finds engines that hang. If the app itself did not run for a while, for example because the computer
// slept, the engines first get time to send something.
func (h *Hub) checkHearts() {
	h.mu.Lock()
	defer h.mu.Unlock()
	slept := time.Since(h.checked) > silence
	h.checked = time.Now()
	for _, p := range h.peers {
		if slept {
			p.heard = h.checked
		}
		if hangs := time.Since(p.heard) > silence; hangs != p.hangs {
			p.hangs = hangs
			h.changed()
		}
	}
}

// Engines returns the connected engines in the order in which they connected. The slice must not be changed.
func (h *Hub) Engines() []Engine {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stale {
		h.stale = false
		h.engines = make([]Engine, len(h.peers))
		for i, p := range h.peers {
			h.engines[i] = p.engine()
		}
	}
	return h.engines
}

// Subscribe returns a channel that receives a value after [Hub.Engines] or [Hub.Calls] has changed; several
// changes may come as one. It is never closed.
func (h *Hub) Subscribe() (changed <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subscribers[c] = true
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subscribers, c)
	}
}

// Calls returns the last calls of all engines, at most 2,000, the oldest first. A call that has ended keeps
// its place. The slice must not be changed.
func (h *Hub) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls.all()
}

// OlderCalls returns how many reported calls are too old for [Hub.Calls].
func (h *Hub) OlderCalls() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls.older()
}
