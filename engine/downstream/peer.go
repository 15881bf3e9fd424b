package downstream

import (
	"context"
	"io"
)

// peer is the other end of a session: a process, or the pipe of a remote server. Its methods are those of
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
