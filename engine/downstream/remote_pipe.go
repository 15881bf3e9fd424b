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

// pipe is the session's end of a connection to a remote server: lines in, lines out, as a process has them. It
// implements [peer].
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

// Stdout returns what the server sends, one message a line.
func (p *pipe) Stdout() io.Reader { return p.stdout }

// Stderr is empty: a remote server's log is not visible here.
func (p *pipe) Stderr() io.Reader { return strings.NewReader("") }

// Pid returns 0, since there is no process.
func (p *pipe) Pid() int { return 0 }

// Done is closed when the connection has ended.
func (p *pipe) Done() <-chan struct{} { return p.done }

// ExitError returns why the connection ended.
func (p *pipe) ExitError() error { return context.Cause(p.ctx) }

// Stop ends the connection. It returns when nothing of it is left, or when ctx ends.
func (p *pipe) Stop(ctx context.Context) error {
	p.cancel(ErrClosed)
	select {
	case <-p.done:
	case <-ctx.Done(): // the rest has time limits of its own
	}
	return nil
}

type remoteStdin struct{ p *pipe }

func (in remoteStdin) Write(batch []byte) (int, error) {
	for line := range bytes.Lines(batch) {
		line = bytes.Clone(bytes.TrimSuffix(line, []byte{'\n'})) // copied, since the batch is reused after we return
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
	_, _ = p.lines.Write(line) // fails if the connection ends, and then nobody waits for it
}

// outgoing is a message of the session with its line.
type outgoing struct {
	jsonrpc.Message
	line []byte
}

// maxAsked is how many messages may wait to be posted before the session's writer waits.
const maxAsked = 256
