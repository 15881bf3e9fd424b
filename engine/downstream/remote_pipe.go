package downstream

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// pipe is the end of a remote connection that the session uses. It reads and writes lines, as a process does, and
// implements [Peer].
type pipe struct {
	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	queue  chan outgoing
	stdout *io.PipeReader
	lines  *io.PipeWriter
	done   chan struct{}

	writing sync.Mutex // one line at a time on stdout
}

func newPipe() *pipe {
	p := &pipe{queue: make(chan outgoing, maxAsked), done: make(chan struct{})}
	p.stdout, p.lines = io.Pipe()
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	return p
}

// Stdin accepts whole lines. Closing it closes the connection.
func (p *pipe) Stdin() io.WriteCloser { return remoteStdin{p} }

// Stdout returns the server's messages, one on each line.
func (p *pipe) Stdout() io.Reader { return p.stdout }

// Stderr is empty.
func (p *pipe) Stderr() io.Reader { return strings.NewReader("") }

// Pid returns 0, since there is no process.
func (p *pipe) Pid() int { return 0 }

// Done is closed when the connection has ended.
func (p *pipe) Done() <-chan struct{} { return p.done }

// ExitError returns why the connection has ended.
func (p *pipe) ExitError() error { return context.Cause(p.ctx) }

// Stop ends the connection. It returns when the connection is closed or ctx ends.
func (p *pipe) Stop(ctx context.Context) error {
	p.cancel(ErrClosed)
	select {
	case <-p.done:
	case <-ctx.Done(): // closing the connection has time limits of its own
	}
	return nil
}

type remoteStdin struct{ p *pipe }

func (in remoteStdin) Write(batch []byte) (int, error) {
	for line := range bytes.Lines(batch) {
		line = bytes.Clone(bytes.TrimSuffix(line, []byte{'\n'})) // the batch must not be kept
		message, err := jsonrpc.Parse(line)
		if err != nil {
			return 0, words.NewError("downstream.own_message", "Why", err)
		}
		select {
		case in.p.queue <- outgoing{message, line}:
		case <-in.p.ctx.Done():
			return 0, io.ErrClosedPipe
		}
	}
	return len(batch), nil
}

func (in remoteStdin) Close() error {
	in.p.cancel(ErrClosed)
	return nil
}

// emit writes a line to Stdout.
func (p *pipe) emit(line []byte) {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, _ = p.lines.Write(line) // fails only if the connection has ended
}

// outgoing is a message of the session and its line.
type outgoing struct {
	jsonrpc.Message
	line []byte
}

// maxAsked is how many messages may wait to be posted.
const maxAsked = 256
