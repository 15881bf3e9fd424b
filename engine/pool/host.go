package pool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options are the options of a [Host].
type Options struct {
	Build string // engines of other builds are refused
	// Start starts the process of a server; nil means [process.Start].
	Start  func(process.Spec) (*process.Process, error)
	Logger *slog.Logger
	// Idle is after which time without a request a server ends, and Linger how long the host stays that nobody uses; 0
	// means the usual times.
	Idle, Linger time.Duration
}

// Host runs the servers that engines share.
type Host struct {
	options Options
	serving background.Group // the engines

	mu       sync.Mutex
	servers  map[string]*server // by key; a server that is over stays until its process has ended
	attached int
	unused   *time.Timer        // ends Run when nobody has used the host for a while
	closing  bool               // nobody may attach any more
	stop     context.CancelFunc // ends Run
}

// NewHost returns a host. The caller must call [Host.Run].
func NewHost(o Options) *Host {
	o.Idle, o.Linger = cmp.Or(o.Idle, idleTime), cmp.Or(o.Linger, lingerTime)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Host{options: o, servers: map[string]*server{}, stop: func() {}}
}

// Run serves engines until ctx ends, or until nobody has used the host for a while. It closes the listener, and
// returns when all servers have ended.
func (h *Host) Run(ctx context.Context, listener net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.mu.Lock()
	h.stop = stop
	h.unused = background.After(h.options.Linger, h.giveUp)
	h.mu.Unlock()
	background.AfterEnd(ctx, func() { _ = listener.Close() })
	for {
		conn, err := listener.Accept()
		switch {
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				_ = conn.Close()
			}
			h.close()
			return ctx.Err()
		case err != nil: // there may be too many open files; try again in a moment
			h.options.Logger.Warn("An engine could not attach", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		default:
			h.serving.Go(func() { h.serve(conn) })
		}
	}
}

// giveUp ends Run, unless somebody has attached at the last moment.
func (h *Host) giveUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attached == 0 {
		h.closing = true
		h.stop()
	}
}

// close ends all servers, and with them all attachments.
func (h *Host) close() {
	h.mu.Lock()
	h.closing = true
	h.unused.Stop()
	servers := make([]*server, 0, len(h.servers))
	for _, s := range h.servers {
		servers = append(servers, s)
	}
	h.mu.Unlock()
	for _, s := range servers {
		s.end(words.New(hostEnds))
	}
	for _, s := range servers {
		<-s.gone
	}
	h.serving.Wait()
}

// serve serves one engine.
func (h *Host) serve(conn net.Conn) {
	defer conn.Close()
	if !h.enter() {
		return
	}
	defer h.leave()
	if conn.SetReadDeadline(time.Now().Add(greetTime)) != nil {
		return
	}
	reader := jsonrpc.NewReader(conn, maxLine)
	w, err := readWanted(reader)
	if err != nil || conn.SetReadDeadline(time.Time{}) != nil {
		return
	}
	if w.Asks {
		_ = json.NewEncoder(conn).Encode(h.used()) // fails only if nobody waits for it any more
		return
	}
	if w.Build != h.options.Build {
		_, _ = conn.Write(ending(words.New("pool.other_build")))
		return
	}
	if _, err := conn.Write([]byte(lineHere + "\n")); err != nil {
		return
	}
	a, first := h.attach(w, conn)
	if a == nil {
		return
	}
	if first {
		a.out.tell([]byte(lineFirst + "\n"))
	}
	a.run(reader)
}

// enter counts an engine, and reports false if there are too many.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing || h.attached >= maxAttached {
		return false
	}
	h.attached++
	h.unused.Stop()
	return true
}

// leave undoes enter.
func (h *Host) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attached--; h.attached == 0 {
		h.unused.Reset(h.options.Linger)
	}
}

// attach attaches an engine to the server that it wants. If such a server is over and its process still ends, it waits
// for that, so that there are never two. first says that no other engine has attached to it before. attach returns nil
// if the host ends.
func (h *Host) attach(w *wanted, conn net.Conn) (a *attachment, first bool) {
	key := w.key()
	for {
		h.mu.Lock()
		if h.closing {
			h.mu.Unlock()
			return nil, false
		}
		s := h.servers[key]
		if first = s == nil; first {
			s = newServer(h, key, w)
			h.servers[key] = s
		}
		a = newAttachment(s, w.For, conn)
		joined := s.attach(a)
		h.mu.Unlock()
		if joined {
			return a, first
		}
		a.cancel()
		<-s.gone
	}
}

// used returns who uses which server, in the order in which the engines have attached.
func (h *Host) used() []Use {
	h.mu.Lock()
	servers := slices.Collect(maps.Values(h.servers))
	h.mu.Unlock()
	used := []Use{}
	for _, s := range servers {
		pid := s.pid()
		for _, a := range s.everybody() {
			used = append(used, Use{pid, a.user.App, a.user.Config, a.user.Toolbox, a.user.Server})
		}
	}
	return used
}

// forget removes a server that is over and whose process has ended.
func (h *Host) forget(s *server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.servers[s.key] == s {
		delete(h.servers, s.key)
	}
}
