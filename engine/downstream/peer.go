package downstream

import (
	"context"
	"io"
)

// Peer is the other end of a session: a process, the pipe of a remote server, or a server that several engines share.
// Its methods are those of [process.Process].
type Peer interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() io.Reader
	Pid() int
	Done() <-chan struct{}
	ExitError() error
	Stop(ctx context.Context) error
}
