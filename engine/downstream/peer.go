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
	if s.wire.o.Server.Transport == config.TransportHTTP || s.wire.o.Server.Transport == config.TransportSSE {
		r, err := newRemote(s.wire.o, s.wire.unanswered, s.wire.retire, s.lists.mirrored)
		if err != nil {
			return err
		}
		s.connectTo(r)
		return nil
	}
	proc, err := startPeer(s.wire.o.Start, process.Spec{
		Command: s.wire.o.Server.Command,
		Args:    s.wire.o.Server.Args,
		Env:     s.wire.o.environment(),
		Dir:     cmp.Or(s.wire.o.Server.Cwd, paths.WorkFolder()),
		Logger:  s.wire.o.Logger,
	})
	if err != nil {
		return err
	}
	s.remarks.log = s.wire.o.Logger.With("pid", proc.Pid())
	s.connectTo(proc)
	return nil
}

func (s *Session) connectTo(p peer) {
	s.wire.peer = p
	s.wire.out = newOutbox(p.Stdin())
	s.greeter.info.Pid = p.Pid()
}
