package downstream

import (
	"cmp"
	"context"
	"io"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// peer is the other end of a session: a process that we started, or a web address. Its methods are those of
// [process.Process].
type peer interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() io.Reader
	Pid() int
	Done() <-chan struct{}
	ExitError() error
	Stop(ctx context.Context) error
}

// start starts or connects the other end.
func (s *Session) start() error {
	if s.o.Server.Transport == config.TransportHTTP || s.o.Server.Transport == config.TransportSSE {
		r, err := newRemote(s.o, s.unanswered, s.retire, s.mirrored)
		if err != nil {
			return err
		}
		s.connectTo(r)
		return nil
	}
	proc, err := startPeer(s.o.Start, process.Spec{
		Command: s.o.Server.Command,
		Args:    s.o.Server.Args,
		Env:     s.o.environment(),
		Dir:     cmp.Or(s.o.Server.Cwd, paths.WorkFolder()),
		Logger:  s.o.Logger,
	})
	if err != nil {
		return err
	}
	s.log = s.o.Logger.With("pid", proc.Pid())
	s.connectTo(proc)
	return nil
}

func (s *Session) connectTo(p peer) {
	s.peer = p
	s.out = newOutbox(p.Stdin())
	s.info.Pid = p.Pid()
}

// unanswered ends a request that will get no answer.
func (s *Session) unanswered(id int64, err error) {
	if p := s.take(id); p != nil {
		p.answer(outcome{err: s.o.secrets.maskError(err)})
	}
}

// retire makes new requests fail. Those under way may still be answered.
func (s *Session) retire(reason error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = reason
	}
}
