package pool

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// server is one shared server with the engines that are attached to it. It is started when the first of them needs it,
// and is over when the last has left or when it ends by itself. If nobody asks it anything for a while, it rests: its
// process ends, and the next request starts it again.
type server struct {
	host    *Host
	key     string
	options downstream.Options
	roots   json.RawMessage // of all engines; nil if the server is offered none
	ctx     context.Context // ends with the server
	cancel  context.CancelFunc
	gone    chan struct{} // closed when the server is over and its process has ended

	levels  levels
	watched watched
	tasks   tasks

	mu       sync.Mutex
	attached []*attachment       // in the order in which they have come
	session  *downstream.Session // nil while the server rests or is being started
	starting chan struct{}       // closed when the start in progress has ended; nil if there is none
	resting  chan struct{}       // closed when the process of the server that rests has ended; nil at first
	before   *known              // what engines knew of the server before it rested; nil at first
	busy     int                 // requests in progress
	used     time.Time           // when the last request ended, or the server was started
	timer    *time.Timer         // of rest; nil while there is no session
	over     bool                // it is not started again; the next engine gets another server
}

// errOver means that the server is over. The engine learns why from the last line that it gets.
const errOver = words.Code("pool.over")

func newServer(h *Host, key string, w *wanted) *server {
	options := w.options()
	s := &server{host: h, key: key, roots: w.Roots, gone: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.watched.by = map[string]map[*attachment]bool{}
	options.Start, options.Logger = h.options.Start, h.options.Logger
	options.OnListChanged = s.listChanged
	options.OnRequest = s.ask
	options.OnNotification = s.hear
	options.OnLog = s.wrote
	s.options = options
	return s
}

// attach adds an engine. It reports false if the server is over.
func (s *server) attach(a *attachment) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.attached = append(s.attached, a)
	}
	return !s.over
}

// detach removes an engine. With the last one, the server ends; then detach returns when its process has ended.
func (s *server) detach(a *attachment) {
	s.mu.Lock()
	s.attached = slices.DeleteFunc(s.attached, func(one *attachment) bool { return one == a })
	last := len(s.attached) == 0
	if last {
		s.finish() // nobody can attach any more, and nobody has to be told why
	}
	s.mu.Unlock()
	if last {
		<-s.gone
		return
	}
	s.tasks.leave(a)
	s.watched.leave(s, a)
}

// everybody returns the engines that are attached, in the order in which they have come.
func (s *server) everybody() []*attachment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.attached)
}

// pid returns the process of the server, 0 while it has none.
func (s *server) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return 0
	}
	return s.session.Info().Pid
}

// acquire returns the session, for one request, and starts the server if it rests. The caller must call release
// afterwards.
func (s *server) acquire(ctx context.Context) (*downstream.Session, error) {
	for {
		s.mu.Lock()
		if s.over {
			s.mu.Unlock()
			return nil, errOver
		}
		if s.session != nil {
			defer s.mu.Unlock()
			s.busy++
			return s.session, nil
		}
		if s.starting == nil {
			s.starting = make(chan struct{})
			background.Go(s.start)
		}
		starting := s.starting
		s.mu.Unlock()
		select {
		case <-starting:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// release says that a request is done.
func (s *server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.used = time.Now()
}

// start starts the server.
func (s *server) start() {
	s.mu.Lock()
	starting, resting, before := s.starting, s.resting, s.before
	s.mu.Unlock()
	if resting != nil {
		<-resting
	}
	var session *downstream.Session
	err := background.Catch(func() (err error) {
		session, err = downstream.Connect(s.ctx, s.options)
		return err
	})
	if err == nil {
		err = before.accept(session)
	}
	if !s.started(session, err) {
		if session != nil {
			closeSession(session)
		}
		s.end(words.Of(err)) // does nothing if the server is over
		close(starting)
		return
	}
	s.tell([]byte(linePid + strconv.Itoa(session.Info().Pid) + "\n"))
	if before != nil {
		s.levels.again(s, session)
		for _, kind := range []downstream.Kind{downstream.Prompts, downstream.Resources} {
			if session.Info().Has(kind.List().Capability) {
				s.listChanged(kind)
			}
		}
	}
	<-session.Done()
	s.mu.Lock()
	byItself := s.session == session
	s.mu.Unlock()
	if byItself {
		s.end(words.Of(session.Err()))
	}
}

// started records that the server was started. It reports false if engines cannot use it.
func (s *server) started(session *downstream.Session, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || s.over {
		return false
	}
	s.session, s.used = session, time.Now()
	s.timer = background.After(s.host.options.Idle, s.rest)
	close(s.starting)
	s.starting = nil
	return true
}

// rest ends the process of a server that nobody has asked anything for a while.
func (s *server) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	idle := s.host.options.Idle
	if s.over || s.session == nil {
		return
	}
	if wait := idle - time.Since(s.used); s.busy > 0 || s.watched.any() || s.tasks.any() || wait > 0 {
		if wait <= 0 {
			wait = idle
		}
		s.timer.Reset(wait)
		return
	}
	session, ended := s.session, make(chan struct{})
	s.session, s.resting, s.before = nil, ended, knownOf(session)
	background.Go(func() {
		defer close(ended)
		closeSession(session)
	})
}

// end ends the server: it is over. The engines that are attached are told why.
func (s *server) end(why words.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	for _, a := range s.attached {
		a.out.finish(ending(why))
	}
	s.finish()
}

// finish makes the server be over, and begins to end its process. The caller must hold the lock.
func (s *server) finish() {
	if s.over {
		return
	}
	s.over = true
	session, starting, resting := s.session, s.starting, s.resting
	s.session = nil
	if s.timer != nil {
		s.timer.Stop()
	}
	s.cancel()
	background.Go(func() {
		defer close(s.gone)
		defer s.host.forget(s)
		if session != nil {
			closeSession(session)
		}
		for _, ended := range []chan struct{}{starting, resting} {
			if ended != nil {
				<-ended
			}
		}
	})
}

func closeSession(session *downstream.Session) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = session.Close(ctx) // the session logs what could not be ended
}

// known is what engines know of a server.
type known struct {
	info  downstream.Info
	tools []downstream.Item
}

func knownOf(session *downstream.Session) *known {
	return &known{session.Info(), session.Tools()}
}

// accept returns why engines cannot use a server that was just started. k is what it was before, nil at first: a
// server that has changed must be looked at by each engine before it is called.
func (k *known) accept(session *downstream.Session) error {
	now := knownOf(session)
	switch {
	case k == nil:
		return nil
	case k.info.Name != now.info.Name || k.info.Version != now.info.Version || k.info.Title != now.info.Title ||
		k.info.ProtocolVersion != now.info.ProtocolVersion || k.info.Instructions != now.info.Instructions ||
		!bytes.Equal(k.info.Capabilities, now.info.Capabilities) ||
		!slices.EqualFunc(k.tools, now.tools, func(a, b downstream.Item) bool {
			return bytes.Equal(a.Definition, b.Definition)
		}):
		return words.NewError("pool.has_changed")
	}
	return nil
}
