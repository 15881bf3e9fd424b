package serving

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// Flag makes "serve" end with its standard input, so that it ends with the window, however that ends.
const Flag = "with-input"

// Options configure a [Server].
type Options struct {
	Tokens  *token.Store
	File    string   // see [Announce]
	Program string   // that has the command
	Args    []string // after "serve"
}

// Server is "serve" as a process of the window. It is safe for concurrent use; its methods may be slow.
type Server struct {
	*token.Store
	options Options

	mu  sync.Mutex
	own *process.Process // nil if it does not run
}

// New returns a server that does not run.
func New(o Options) *Server { return &Server{Store: o.Tokens, options: o} }

// Address returns where apps reach "serve", or "" if it does not run. own says that this server is what runs, so that
// it can be stopped.
func (s *Server) Address() (address string, own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := announced(s.options.File)
	if at.Address == "" || !at.answers() {
		return "", false
	}
	return at.Address, s.own != nil && s.own.Pid() == at.Pid
}

// Start starts it, and returns when it listens. ended is closed when it ends.
func (s *Server) Start() (ended <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != nil && s.own.ExitError() == nil {
		return s.own.Done(), nil
	}
	args := append([]string{"serve", "--" + Flag}, s.options.Args...)
	for _, name := range containers() {
		args = append(args, "--host", name)
	}
	s.own, err = process.Start(process.Spec{Command: s.options.Program, Args: args, Env: os.Environ(), StdinGrace: grace})
	if err != nil {
		return nil, err
	}
	said := make(chan string, 1)
	background.Go(func() { said <- lastLine(s.own.Stderr()) })
	out := bufio.NewReader(s.own.Stdout())
	if _, err := out.ReadString('\n'); err == nil {
		background.Go(func() { _, _ = io.Copy(io.Discard, out) }) // it says no more
		return s.own.Done(), nil
	}
	s.stop()
	return nil, errors.New(<-said)
}

// containers returns the names by which programs in containers of Docker and Podman reach this computer. No web page
// can have a name that ends in "internal".
func containers() []string { return []string{"host.docker.internal", "host.containers.internal"} }

// grace is how long it may take to end the sessions.
const grace = 5 * time.Second

// Stop ends it.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}

// stop is Stop for a caller that holds the lock.
func (s *Server) stop() {
	if s.own != nil {
		_ = s.own.Stop(context.Background()) // what cannot be killed is logged nowhere that helps
		s.own = nil
	}
}

// lastLine reads all, and returns the last line without the name of the program: why a command has failed.
func lastLine(from io.Reader) (last string) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			last = line
		}
	}
	_, _ = io.Copy(io.Discard, from) // after a line that is too long
	if _, why, ok := strings.Cut(last, ": "); ok {
		return why
	}
	return last
}
