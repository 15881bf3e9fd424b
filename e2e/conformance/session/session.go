// Package session runs the engine as a client does, and exchanges messages with it as bytes.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const (
	// maxLine is the largest message of the engine, in bytes.
	maxLine = 64 << 20
	// grace is how long the engine may take to end after its input was closed.
	grace = 10 * time.Second
)

// ErrEnded means that the engine has ended.
var ErrEnded = errors.New("the engine has ended")

// Options say how the engine is run.
type Options struct {
	Command []string
	Env     []string  // all variables
	Stderr  io.Writer // receives the log of the engine; may be nil
	// Receive is called for every request and notification of the engine, in order. It owns the message. It
	// must not wait for an answer of the engine, since the same goroutine reads the answers.
	Receive func(jsonrpc.Message)
}

// Session is a running engine. It is safe for concurrent use.
type Session struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	out     *jsonrpc.Writer
	receive func(jsonrpc.Message)
	ended   chan struct{}

	mu      sync.Mutex
	last    int64
	waiting map[int64]chan jsonrpc.Message
}

// Pending is a request that was sent.
type Pending struct {
	ID int64
	// Answer receives the response. It is closed without a response when the engine ends.
	Answer <-chan jsonrpc.Message
}

// Start starts the engine. The caller must call Close.
func Start(o Options) (*Session, error) {
	s := &Session{cmd: exec.Command(o.Command[0], o.Command[1:]...), receive: o.Receive, ended: make(chan struct{}),
		waiting: map[int64]chan jsonrpc.Message{}}
	s.cmd.Env, s.cmd.Stderr = o.Env, o.Stderr
	s.cmd.WaitDelay = grace
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.stdin, s.out = stdin, jsonrpc.NewWriter(stdin)
	go s.read(stdout)
	return s, nil
}

// read passes on messages until the engine ends.
func (s *Session) read(stdout io.Reader) {
	lines := jsonrpc.NewReader(stdout, maxLine)
	for {
		line, err := lines.Next()
		if err != nil {
			break
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			continue // the tests of the engine check that
		}
		if m.Kind() != jsonrpc.Response {
			s.receive(m)
			continue
		}
		id, err := strconv.ParseInt(string(m.ID), 10, 64)
		if err != nil {
			continue
		}
		s.mu.Lock()
		answer := s.waiting[id]
		delete(s.waiting, id)
		s.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
	s.mu.Lock()
	for _, answer := range s.waiting {
		close(answer)
	}
	s.waiting = nil
	s.mu.Unlock()
	_ = s.cmd.Wait() // the exit status is not needed: requests without an answer show that it ended early
	close(s.ended)
}

// Done is closed when the engine has ended.
func (s *Session) Done() <-chan struct{} { return s.ended }

// Begin sends a request. params returns its params, and is called with the id of the request; it may be nil.
func (s *Session) Begin(method string, params func(id int64) json.RawMessage) (Pending, error) {
	answer := make(chan jsonrpc.Message, 1)
	s.mu.Lock()
	if s.waiting == nil {
		s.mu.Unlock()
		return Pending{}, ErrEnded
	}
	s.last++
	id := s.last
	s.waiting[id] = answer
	s.mu.Unlock()
	var raw json.RawMessage
	if params != nil {
		raw = params(id)
	}
	return Pending{id, answer}, s.Send(strconv.AppendInt(nil, id, 10), method, raw)
}

// Ask sends a request and returns its response. If ctx ends first, it cancels the request.
func (s *Session) Ask(ctx context.Context, method string, params json.RawMessage) (jsonrpc.Message, error) {
	pending, err := s.Begin(method, func(int64) json.RawMessage { return params })
	if err != nil {
		return jsonrpc.Message{}, err
	}
	select {
	case m, ok := <-pending.Answer:
		if !ok {
			return m, ErrEnded
		}
		return m, nil
	case <-ctx.Done():
		_ = s.Send(nil, "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d}`, pending.ID))
		return jsonrpc.Message{}, fmt.Errorf("no answer to %s: %w", method, ctx.Err())
	}
}

// Send sends a request, or a notification if id is nil.
func (s *Session) Send(id json.RawMessage, method string, params json.RawMessage) error {
	line := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		line = append(append(line, `,"id":`...), id...)
	}
	line = jsonrpc.AppendString(append(line, `,"method":`...), method)
	if params != nil {
		line = jsonrpc.AppendCompact(append(line, `,"params":`...), params)
	}
	return s.out.WriteLine(append(line, '}'))
}

// Answer sends the response to a request of the engine: the result, or failure if result is nil.
func (s *Session) Answer(id, result, failure json.RawMessage) error {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if result != nil {
		line = jsonrpc.AppendCompact(append(line, `,"result":`...), result)
	} else {
		line = jsonrpc.AppendCompact(append(line, `,"error":`...), failure)
	}
	return s.out.WriteLine(append(line, '}'))
}

// Close ends the engine and waits until it has ended.
func (s *Session) Close() {
	_ = s.stdin.Close() // it may have ended already
	select {
	case <-s.ended:
	case <-time.After(grace):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
}
