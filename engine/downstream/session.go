package downstream

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// exitTime is how long a server may take to exit after its stdout has ended, before it is killed.
	exitTime = time.Second
	// drainTime is how long to wait for the last output of a server that has exited.
	drainTime = 5 * time.Second
	// joinTime is how long Close waits for handlers to return.
	joinTime = 5 * time.Second
)

// Session is a connection to one running server. It is safe for concurrent use. [Connect] makes its parts in the order
// of the fields: each part uses only those before it.
type Session struct {
	remarks   *remarks
	conn      *conn
	handshake *handshake
	lists     *listings
	questions *questions
	subs      *subscriptions

	closeOnce   sync.Once
	closing     chan struct{} // closed by Close
	readDone    chan struct{} // closed when stdout has ended
	stderrDone  chan struct{}
	writeFailed chan struct{}
	joined      chan struct{} // closed when all goroutines have returned
}

// newSession returns a session without a server.
func newSession(o Options) *Session {
	s := &Session{
		closing:     make(chan struct{}),
		readDone:    make(chan struct{}),
		stderrDone:  make(chan struct{}),
		writeFailed: make(chan struct{}),
		joined:      make(chan struct{}),
	}
	s.remarks = &remarks{log: o.Logger, lines: newServerLog(o.OnLog, o.secrets.mask), limit: o.MaxMessage}
	s.conn = &conn{o: o, remarks: s.remarks, calls: map[int64]*pending{}, done: make(chan struct{})}
	s.handshake = &handshake{conn: s.conn, remarks: s.remarks}
	s.lists = &listings{conn: s.conn, remarks: s.remarks, handshake: s.handshake, relist: make(chan struct{}, 1),
		waitForLists: waitForLists{hurry: make(chan struct{}, 1), round: make(chan struct{})}}
	s.lists.of[Tools].Store(&itemList{})
	s.questions = &questions{conn: s.conn, remarks: s.remarks, handshake: s.handshake,
		asked: map[string]context.CancelCauseFunc{}}
	s.subs = &subscriptions{conn: s.conn, remarks: s.remarks, handshake: s.handshake, lists: s.lists,
		connected: make(chan bool, 1), streams: map[int64]*stream{}, changes: make(chan subscription)}
	return s
}

// Connect starts a server, does the handshake and requests the list of tools. ctx limits only connecting: the session
// lasts until [Session.Close] or until the server exits. After an error nothing is left running.
func Connect(ctx context.Context, o Options) (*Session, error) {
	if o.Server == nil {
		return nil, words.NewError("downstream.no_server")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	given := o
	o = o.withDefaults()
	s := newSession(o)
	if err := s.start(ctx); err != nil {
		return nil, o.secrets.maskError(err)
	}
	s.conn.group.Go(s.readLoop)
	s.conn.group.Go(s.stderrLoop)
	s.conn.group.Go(s.writeLoop)
	s.conn.group.Go(s.supervise)
	s.conn.group.Go(s.lists.run)
	s.conn.group.Go(s.subs.run)
	background.Go(func() {
		s.conn.group.Wait()
		close(s.joined)
	})
	if err := s.begin(ctx); err != nil {
		// The server may not behave well, so it gets little time to exit.
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), exitTime)
		defer cancel()
		if closeErr := s.Close(stop); closeErr != nil {
			s.remarks.log.Warn("The server was not stopped after a failed connection", "error", closeErr)
		}
		if s.handshake.probing.Load() && errors.Is(err, ErrStopped) && ctx.Err() == nil {
			// Some servers exit if they get a request before initialize.
			given.PreferModern = false
			return Connect(ctx, given)
		}
		if older := olderVersion(err, s.Info().ProtocolVersion); older != "" && given.version == "" && ctx.Err() == nil {
			given.version = older // the server has accepted a version in initialize that it then refuses
			return Connect(ctx, given)
		}
		return nil, o.secrets.maskError(err)
	}
	s.conn.ready.Store(true)
	s.subs.connected <- s.conn.modern()
	hide, info := s.remarks.lines.hide, s.handshake.about() // they may contain secrets
	s.remarks.log.Info("Server connected", "name", hide(info.Name), "version", hide(info.Version), "protocol",
		hide(info.ProtocolVersion), "tools", len(s.Tools()))
	return s, nil
}

// Done returns a channel that is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.conn.done }

// Err returns why the session has ended, or nil. The error wraps [ErrStopped] or [ErrClosed].
func (s *Session) Err() error { return s.conn.failure() }

// Info returns what is known about the server.
func (s *Session) Info() Info {
	info := s.handshake.about()
	if s.conn.peer != nil {
		info.Pid = s.conn.peer.Pid()
	}
	for kind := range s.lists.of {
		if list := s.lists.of[kind].Load(); list != nil {
			info.Diagnostics = append(info.Diagnostics, list.diagnostics...)
		}
	}
	return info
}

// Tools returns the last list of tools, in the server's order. It must not be changed.
func (s *Session) Tools() []Item { return s.lists.tools() }

// Items returns one of the server's lists, in the server's order. The list is requested when Items is first called for
// it, and again when the server says that it has changed. It must not be changed. It is empty if the server has not
// declared the capability. Items waits two seconds for a slow server. After that its error wraps [ErrTimeout], and
// [Options.OnListChanged] is called when the list has arrived.
func (s *Session) Items(ctx context.Context, kind Kind) ([]Item, error) {
	return s.lists.items(ctx, kind)
}

// Notify sends a notification. params is an object, or nil for none. The notification is dropped if the queue is full
// or the session is in the modern era.
func (s *Session) Notify(method string, params json.RawMessage) { s.conn.notify(method, params) }

// Mask masks the server's secrets in a text, in any spelling.
func (s *Session) Mask(text string) string { return s.conn.o.secrets.mask(text) }

// MaskCertain masks secrets in a text about which the person is asked. Unlike [Session.Mask], it masks only values
// that can be nothing else, so that everything that has an effect is shown.
func (s *Session) MaskCertain(text string) string { return s.conn.o.secrets.maskCertain(text) }

// Log returns the last lines of the server's log, at most 64 KiB, the oldest first. It can be called after the session
// has ended.
func (s *Session) Log() []LogLine { return s.remarks.lines.snapshot() }

// Close ends the session and the server with all its processes. They are killed when ctx ends. Calls in flight fail
// with [ErrClosed]. Close returns when all processes have ended. It may be called several times, but not from a
// handler of the session.
func (s *Session) Close(ctx context.Context) error {
	s.end(ErrClosed)
	s.closeOnce.Do(func() { close(s.closing) })
	if err := s.conn.peer.Stop(ctx); err != nil {
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

// end makes all current and later calls fail. Only the first reason is kept.
func (s *Session) end(reason error) {
	s.questions.end(s.conn.end(reason))
}

// supervise waits for the end of the session and cleans up.
func (s *Session) supervise() {
	defer close(s.conn.done)
	defer s.conn.out.close()
	var broken words.Text
	select {
	case <-s.conn.peer.Done():
	case <-s.closing:
	case <-s.readDone:
		broken = words.New("downstream.closed_stdout")
	case <-s.writeFailed:
		broken = words.New("downstream.closed_stdin")
	}
	if !broken.IsZero() && !s.awaitExit() {
		s.remarks.log.Warn("The server broke the connection", "reason", broken)
		stop, cancel := context.WithTimeout(context.Background(), exitTime)
		defer cancel()
		if err := s.conn.peer.Stop(stop); err != nil {
			s.remarks.log.Error("The server was not stopped", "error", err)
		}
	} else {
		broken = words.Text{}
	}
	<-s.conn.peer.Done()
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
	if errors.As(s.conn.peer.ExitError(), &lost) {
		s.end(lost)
		s.remarks.log.Info("Connection ended", "reason", s.Err())
		return
	}
	how := broken
	if how.IsZero() {
		how = words.Of(s.conn.peer.ExitError())
	}
	lines := 1
	var long words.Text
	if !s.conn.ready.Load() {
		lines = 5 // a server rarely explains in one line why it does not start
		long = s.remarks.overlong()
	}
	how = words.New("downstream.how_stopped", "How", how, "Skipped", long, "Wrote", s.remarks.lines.reason(lines))
	s.end(words.NewError("downstream.stopped", "How", how).Because(ErrStopped))
	s.remarks.log.Info("Server ended", "reason", s.Err(), "stray", s.remarks.stray.Load())
}

// awaitExit waits at most exitTime for the process to exit, and reports whether it has.
func (s *Session) awaitExit() bool {
	timer := time.NewTimer(exitTime)
	defer timer.Stop()
	select {
	case <-s.conn.peer.Done():
		return true
	case <-s.closing:
		return true
	case <-timer.C:
		return false
	}
}

// writeLoop writes the lines for the server.
func (s *Session) writeLoop() {
	if err := background.Catch(s.conn.out.run); err != nil {
		s.remarks.log.Debug("The server cannot be written to", "error", err)
		close(s.writeFailed)
	}
}

// stderrLoop reads stderr until its end, since a server blocks if nobody does.
func (s *Session) stderrLoop() {
	defer close(s.stderrDone)
	scanner := stderrScanner{bufio.NewReaderSize(s.conn.peer.Stderr(), 2*maxLogLine)}
	for {
		text, err := scanner.next()
		if err != nil {
			return
		}
		if text != "" {
			s.remarks.lines.add(SourceStderr, "", text)
		}
	}
}

// readLoop reads messages until stdout ends.
func (s *Session) readLoop() {
	defer close(s.readDone)
	reader := jsonrpc.NewReader(s.conn.peer.Stdout(), s.conn.o.MaxMessage)
	for first := true; ; first = false {
		data, err := reader.Next()
		if first {
			data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // some .NET programs begin their output with it
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
			s.remarks.log.Warn("The server cannot be read from", "error", err)
		}
		return
	}
}

// start starts the process or the remote connection, or attaches to a server that runs.
func (s *Session) start(ctx context.Context) error {
	if s.conn.o.Attach != nil {
		attached, err := s.conn.o.Attach(ctx)
		if err == nil {
			s.connectTo(attached)
		}
		return err
	}
	if s.conn.o.remote() {
		r, err := newRemote(s.conn.o, s.conn.unanswered, s.conn.retire, s.lists.mirrored)
		if err != nil {
			return err
		}
		s.connectTo(r.pipe)
		return nil
	}
	proc, err := startPeer(s.conn.o.Start, process.Spec{
		Command: s.conn.o.Server.Command,
		Args:    s.conn.o.Server.Args,
		Env:     s.conn.o.environment(),
		Dir:     cmp.Or(s.conn.o.Server.Cwd, paths.WorkFolder()),
		Logger:  s.conn.o.Logger,
	})
	if err != nil {
		return err
	}
	s.remarks.log = s.conn.o.Logger.With("pid", proc.Pid())
	s.connectTo(proc)
	return nil
}

func (s *Session) connectTo(p Peer) {
	s.conn.peer = p
	s.conn.out = newOutbox(p.Stdin())
}

// begin does the handshake and requests the list of tools.
func (s *Session) begin(ctx context.Context) error {
	result, err := s.handshake.run(ctx)
	if err != nil {
		return err
	}
	limit := s.conn.o.listTimeout()
	list, cancel := withLimit(ctx, limit)
	defer cancel()
	tools, err := s.lists.request(list, Tools, result)
	if err != nil {
		return s.remarks.explain(ctx, err, "tools/list", limit)
	}
	s.lists.of[Tools].Store(tools)
	return nil
}
