package downstream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// exitTime is how long to wait for a server to exit after its stdout has ended, so that its exit status
	// can be reported.
	exitTime = time.Second
	// drainTime is how long to wait for the last output of a server that has ended.
	drainTime = 5 * time.Second
	// joinTime is how long Close waits for handlers that do not return.
	joinTime = 5 * time.Second
)

// Session is a connection to one running server. It is safe for concurrent use.
type Session struct {
	o     Options
	log   *slog.Logger
	lines *serverLog
	peer  peer
	out   *outbox

	lastID   atomic.Int64
	stray    atomic.Int64        // messages that nobody waits for
	faults   Faults              // the reported faults of the lists other than tools
	remarked sync.Map            // codes of reported faults, see remark
	told     bucket              // notifications that are passed on
	asks     bucket              // requests of the server, except those of work
	work     bucket              // requests that need work by a model or a person
	skipped  atomic.Int64        // size of the last line that was too long, in bytes
	ready    atomic.Bool         // the handshake is done
	era      atomic.Pointer[era] // nil for a server of the older era
	greeting atomic.Bool         // the era is being determined
	probing  atomic.Bool         // server/discover was sent, and the server has not answered anything since
	greeted  chan bool           // gets whether the server is of the modern era, once connected
	subs     subscriptions

	lists   [Kinds]atomic.Pointer[itemList] // nil for lists that nobody has asked for
	late    [Kinds]atomic.Bool              // a caller asked for the list and did not get it in time
	notices [Kinds]atomic.Int64             // how often the server has said that a list has changed
	served  [Kinds]atomic.Int64             // how many of these notices were taken up
	relist  chan struct{}
	settling

	mu    sync.Mutex
	calls map[int64]*pending
	asked map[string]context.CancelCauseFunc // the server's requests, by raw id
	err   error                              // why the session ended
	info  Info
	// listing is the first listing of each kind; nil if nobody has asked for it.
	listing [Kinds]*listing

	closeOnce   sync.Once
	closing     chan struct{} // Close was called, or connecting failed
	readDone    chan struct{} // stdout has ended
	stderrDone  chan struct{}
	writeFailed chan struct{}
	done        chan struct{} // no call is answered any more
	wg          background.Group
	joined      chan struct{} // all goroutines have returned
}

// Info is what a server says about itself in the handshake.
type Info struct {
	Name, Title, Version string
	// ProtocolVersion is the version that the server chose.
	ProtocolVersion string
	// Modern is set if the server is used in the modern era of the protocol, 2026-07-28.
	Modern bool
	// Capabilities are as sent; nil if absent.
	Capabilities json.RawMessage
	Instructions string
	// Pid is the process id of the server or of its wrapper.
	Pid int
	// Diagnostics say what is wrong with the server's lists, as far as they were requested.
	Diagnostics []Diagnostic
}

// Connect starts a server, does the handshake and lists its tools. ctx limits only the connecting; the
// session lives until [Session.Close] or until the server ends. After an error nothing is left running.
func Connect(ctx context.Context, o Options) (*Session, error) {
	if o.Server == nil {
		return nil, words.NewError("downstream.no_server")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	given := o
	o = o.withDefaults()
	s := &Session{
		o:           o,
		log:         o.Logger,
		lines:       newServerLog(o.OnLog, o.secrets.mask),
		calls:       map[int64]*pending{},
		asked:       map[string]context.CancelCauseFunc{},
		relist:      make(chan struct{}, 1),
		settling:    settling{hurry: make(chan struct{}, 1), round: make(chan struct{})},
		greeted:     make(chan bool, 1),
		subs:        subscriptions{streams: map[int64]*stream{}, changes: make(chan subscription)},
		closing:     make(chan struct{}),
		readDone:    make(chan struct{}),
		stderrDone:  make(chan struct{}),
		writeFailed: make(chan struct{}),
		done:        make(chan struct{}),
		joined:      make(chan struct{}),
	}
	s.lists[Tools].Store(&itemList{})
	if err := s.start(); err != nil {
		return nil, o.secrets.maskError(err)
	}
	s.wg.Go(s.readLoop)
	s.wg.Go(s.stderrLoop)
	s.wg.Go(s.writeLoop)
	s.wg.Go(s.supervise)
	s.wg.Go(s.relistLoop)
	s.wg.Go(s.subscribeLoops)
	background.Go(func() {
		s.wg.Wait()
		close(s.joined)
	})
	if err := s.handshake(ctx); err != nil {
		// It broke the protocol, so it gets little time to exit.
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), exitTime)
		defer cancel()
		if closeErr := s.Close(stop); closeErr != nil {
			s.log.Warn("The server was not stopped after a failed connection", "error", closeErr)
		}
		if s.probing.Load() && errors.Is(err, ErrStopped) && ctx.Err() == nil {
			// Some servers do not survive a request before initialize.
			given.PreferModern = false
			return Connect(ctx, given)
		}
		if older := olderVersion(err, s.Info().ProtocolVersion); older != "" && given.version == "" && ctx.Err() == nil {
			given.version = older // the server has agreed to a version whose requests it then refuses
			return Connect(ctx, given)
		}
		return nil, o.secrets.maskError(err)
	}
	s.ready.Store(true)
	s.greeted <- s.modern()
	hide := s.lines.hide // a server may repeat its secrets
	s.log.Info("Server connected", "name", hide(s.info.Name), "version", hide(s.info.Version), "protocol", hide(s.info.ProtocolVersion), "tools", len(s.Tools()))
	return s, nil
}

// Done returns a channel that is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns why the session ended; nil while it is running. It wraps [ErrStopped] or [ErrClosed].
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Info returns what is known about the server.
func (s *Session) Info() Info {
	s.mu.Lock()
	info := s.info
	s.mu.Unlock()
	for kind := range s.lists {
		if list := s.lists[kind].Load(); list != nil {
			info.Diagnostics = append(info.Diagnostics, list.diagnostics...)
		}
	}
	return info
}

// Mask returns a text without the secrets that the server was given, in any spelling.
func (s *Session) Mask(text string) string { return s.o.secrets.mask(text) }

// MaskKnown returns a text of a question without the secrets in it that can be nothing else. Unlike [Session.Mask]
// it hides nothing that could act.
func (s *Session) MaskKnown(text string) string { return s.o.secrets.known(text) }

// Log returns the last lines of the server's log, at most 64 KiB, the oldest first. It can be called after
// the session has ended.
func (s *Session) Log() []LogLine { return s.lines.snapshot() }

// Close ends the session and the server with all its processes: gently, and by force when ctx ends. Calls in
// flight fail at once with [ErrClosed]. Close returns when everything is gone, and may be called several
// times. It must not be called from one of the session's handlers.
func (s *Session) Close(ctx context.Context) error {
	s.end(ErrClosed)
	s.closeOnce.Do(func() { close(s.closing) })
	if err := s.peer.Stop(ctx); err != nil {
		return words.NewError("downstream.not_stopped", "Why", err)
	}
	timer := time.NewTimer(drainTime + joinTime)
	defer timer.Stop()
	select {
	case <-s.joined:
		return nil
	case <-timer.C:
		return words.NewError("downstream.handler_stuck")
	}
}

// end makes all present and future calls of the session fail. Only the first reason is kept.
func (s *Session) end(reason error) {
	s.mu.Lock()
	if s.err == nil {
		s.err = s.o.secrets.maskError(reason)
	}
	reason = s.err
	calls, asked := s.calls, s.asked
	s.calls, s.asked = nil, nil
	s.mu.Unlock()
	for _, cancel := range asked {
		cancel(reason)
	}
	for _, p := range calls {
		p.answer(outcome{err: reason})
	}
}

// supervise waits for the end of the session and reports it to everybody.
func (s *Session) supervise() {
	defer close(s.done)
	defer s.out.close()
	var broken words.Text
	select {
	case <-s.peer.Done():
	case <-s.closing:
	case <-s.readDone:
		broken = words.New("downstream.closed_stdout")
	case <-s.writeFailed:
		broken = words.New("downstream.closed_stdin")
	}
	if !broken.IsZero() && !s.awaitExit() {
		s.log.Warn("The server broke the connection", "reason", broken)
		stop, cancel := context.WithTimeout(context.Background(), exitTime)
		defer cancel()
		if err := s.peer.Stop(stop); err != nil {
			s.log.Error("The server was not stopped", "error", err)
		}
	} else {
		broken = words.Text{}
	}
	<-s.peer.Done()
	// The last output may contain answers, and the reason.
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	for _, stream := range []chan struct{}{s.readDone, s.stderrDone} {
		select {
		case <-stream:
		case <-timer.C:
		}
	}
	var lost *lostError
	if errors.As(s.peer.ExitError(), &lost) {
		s.end(lost)
		s.log.Info("Connection ended", "reason", s.Err())
		return
	}
	how := broken
	if how.IsZero() {
		how = words.Of(s.peer.ExitError())
	}
	lines := 1
	var long words.Text
	if !s.ready.Load() {
		lines = 5 // a server rarely explains in one line why it does not start
		long = s.overlong()
	}
	how = words.New("downstream.how_stopped", "How", how, "Skipped", long, "Wrote", s.lines.reason(lines))
	s.end(words.NewError("downstream.stopped", "How", how).Because(ErrStopped))
	s.log.Info("Server ended", "reason", s.Err(), "stray", s.stray.Load())
}

// awaitExit waits a moment for the process to end, and reports whether it did.
func (s *Session) awaitExit() bool {
	timer := time.NewTimer(exitTime)
	defer timer.Stop()
	select {
	case <-s.peer.Done():
		return true
	case <-s.closing:
		return true
	case <-timer.C:
		return false
	}
}

// writeLoop writes what could not be written directly.
func (s *Session) writeLoop() {
	if err := background.Catch(s.out.run); err != nil {
		s.log.Debug("The server cannot be written to", "error", err)
		close(s.writeFailed)
	}
}

// stderrLoop always reads stderr, since a server blocks if nobody does.
func (s *Session) stderrLoop() {
	defer close(s.stderrDone)
	scanner := stderrScanner{bufio.NewReaderSize(s.peer.Stderr(), 2*maxLogLine)}
	for {
		text, err := scanner.next()
		if err != nil {
			return
		}
		if text != "" {
			s.lines.add(SourceStderr, "", text)
		}
	}
}

// readLoop reads messages until stdout ends.
func (s *Session) readLoop() {
	defer close(s.readDone)
	reader := jsonrpc.NewReader(s.peer.Stdout(), s.o.MaxMessage)
	for first := true; ; first = false {
		data, err := reader.Next()
		if first {
			data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // the output of some .NET programs begins with it
		}
		if err == nil {
			s.receive(data)
			continue
		}
		if long, ok := errors.AsType[*jsonrpc.TooLongError](err); ok {
			s.receiveTooLong(long)
			continue
		}
		if !errors.Is(err, io.EOF) {
			s.log.Warn("The server cannot be read from", "error", err)
		}
		return
	}
}
