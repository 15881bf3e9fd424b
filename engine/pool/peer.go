package pool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// peer is a shared server as an engine sees it. It implements [downstream.Peer].
type peer struct {
	conn   net.Conn
	in     *bufio.Reader
	within bool // a part of a message was read, and the next byte belongs to it
	pid    atomic.Int64
	moved  func()                   // called when pid has changed; may be nil
	first  func()                   // called when the server is started for this engine; may be nil
	wrote  func(downstream.LogLine) // called with lines of the server's log; may be nil

	done chan struct{}
	once sync.Once
	err  error // set before done is closed
}

func newPeer(conn net.Conn, sharing downstream.Sharing) *peer {
	return &peer{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), moved: sharing.Moved, first: sharing.First,
		wrote: sharing.Of.OnLog, done: make(chan struct{})}
}

// Stdin accepts messages.
func (p *peer) Stdin() io.WriteCloser { return p.conn }

// Stdout returns the server's messages.
func (p *peer) Stdout() io.Reader { return (*stdout)(p) }

// Stderr has nothing: what the server writes comes as lines of its log.
func (p *peer) Stderr() io.Reader { return strings.NewReader("") }

// Pid returns the process id of the server, 0 while it is not known.
func (p *peer) Pid() int { return int(p.pid.Load()) }

// Done is closed when the connection has ended.
func (p *peer) Done() <-chan struct{} { return p.done }

// ExitError returns why the connection has ended.
func (p *peer) ExitError() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Stop leaves the shared server. If no other engine uses it, Stop returns when its process has ended. When ctx ends,
// it does not wait for that.
func (p *peer) Stop(ctx context.Context) error {
	_ = p.conn.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := p.conn.Write([]byte(lineBye + "\n")); err != nil {
		p.end(downstream.ErrClosed) // the host notices the end of the connection
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		p.end(downstream.ErrClosed)
	}
	return nil
}

// end ends the connection. Only the first reason counts.
func (p *peer) end(why error) {
	p.once.Do(func() {
		p.err = downstream.Lost(why)
		_ = p.conn.Close()
		close(p.done)
	})
}

// stdout reads the lines of the host. It passes on those that are messages, and handles the others.
type stdout peer

// Read reads a part of a message.
func (o *stdout) Read(to []byte) (int, error) {
	p := (*peer)(o)
	for {
		if p.in.Buffered() == 0 {
			_ = p.conn.SetReadDeadline(time.Now().Add(silence)) // reading fails if this does
		}
		first, err := p.in.Peek(1)
		if err != nil {
			p.lost(err)
			return 0, io.EOF
		}
		if !p.within && first[0] == '!' {
			line, err := p.in.ReadString('\n')
			if err != nil {
				p.lost(err)
				return 0, io.EOF
			}
			p.said(strings.TrimSuffix(line, "\n"))
			continue
		}
		ready, _ := p.in.Peek(p.in.Buffered()) // there is as much
		if end := bytes.IndexByte(ready, '\n'); end >= 0 {
			ready = ready[:end+1]
		}
		n := copy(to, ready)
		_, _ = p.in.Discard(n) // there is as much
		p.within = to[n-1] != '\n'
		return n, nil
	}
}

// said handles a line of the host that is no message of the server.
func (p *peer) said(line string) {
	name, value, _ := strings.Cut(line, " ")
	switch name + " " {
	case linePid:
		if pid, err := strconv.Atoi(value); err == nil {
			p.pid.Store(int64(pid))
			if p.moved != nil {
				p.moved()
			}
		}
	case lineWrote:
		var line downstream.LogLine
		if json.Unmarshal([]byte(value), &line) == nil && p.wrote != nil {
			p.wrote(line)
		}
	case lineFirst + " ":
		if p.first != nil {
			p.first()
		}
	case lineEnd:
		p.end(endOf(value))
	}
}

// endOf returns the reason that the host gives for the end of a shared server.
func endOf(value string) error {
	var why words.Text
	if json.Unmarshal([]byte(value), &why) != nil || why.IsZero() {
		return downstream.ErrStopped
	}
	if why.Code == hostEnds {
		return why.Err().Because(downstream.ErrUnknown)
	}
	return why.Err()
}

// lost ends the connection, since nothing is heard of the host any more.
func (p *peer) lost(err error) {
	how := errHostGone.Text()
	if timedOut(err) {
		how = words.New("pool.host_silent", "Time", silence)
	}
	p.end(words.NewError("pool.lost", "How", how).Because(downstream.ErrUnknown))
}

// timedOut reports whether a deadline of a connection has passed. Pipes of Windows have an error of their own for it.
func timedOut(err error) bool {
	late, ok := errors.AsType[net.Error](err)
	return ok && late.Timeout()
}
