package fakeclaude

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Time limits of the SDK in Claude Desktop.
const (
	patience = 60 * time.Second // for an answer
	grace    = 2 * time.Second  // after closing the server's stdin, and again after SIGTERM
)

// session is one copy of a server.
type session struct {
	entry entry
	copy  int

	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{} // closed when the process has ended and its output was read

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	closed  bool // nothing more is read

	protocol string
	tools    []string
	problem  error
	killed   bool
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func newSession(e entry, copy int) *session {
	return &session{entry: e, copy: copy, waiting: map[int]chan message{}, ended: make(chan struct{})}
}

func (s *session) shown() Server {
	shown := Server{Name: s.entry.name, Copy: s.copy, Protocol: s.protocol, Tools: append([]string{}, s.tools...)}
	if s.cmd != nil && s.cmd.Process != nil {
		shown.Pid = s.cmd.Process.Pid
	}
	if s.problem != nil {
		shown.Problem = s.problem.Error()
	}
	return shown
}

// bare returns the environment that Claude Desktop passes to servers, besides the variables in the entry.
func bare() []string {
	names := strings.Fields("HOME LOGNAME PATH SHELL TERM USER")
	if runtime.GOOS == "windows" {
		names = strings.Fields("APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE " +
			"SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES")
	}
	env := []string{}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok && !strings.HasPrefix(value, "()") {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// nowhere returns the folder in which servers are started, which is nobody's home.
func nowhere() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(os.Getenv("SYSTEMROOT"), "System32")
	}
	return "/"
}

// start starts the server and initializes it.
func (s *session) start() {
	if err := s.launch(); err != nil {
		s.problem = err
		close(s.ended)
		return
	}
	if s.problem = s.greet(); s.problem == nil {
		s.tools, s.problem = s.list()
	}
}

// discover starts the server and asks it only which versions it knows, which are then in tools. Many servers cannot
// say it.
func (s *session) discover() {
	if s.problem = s.launch(); s.problem != nil {
		close(s.ended)
		return
	}
	var known struct {
		SupportedVersions []string `json:"supportedVersions"`
	}
	result, _ := s.ask("server/discover", map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "claude-ai", "version": "0.1.0"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}})
	_ = json.Unmarshal(result, &known) // an error leaves it empty
	s.tools = known.SupportedVersions
}

func (s *session) launch() error {
	s.cmd = exec.Command(s.entry.Command, s.entry.Args...)
	s.cmd.Dir, s.cmd.Env = nowhere(), bare()
	for name, value := range s.entry.Env {
		s.cmd.Env = append(s.cmd.Env, name+"="+value)
	}
	s.cmd.Stderr = os.Stderr // its log
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go s.read(stdout)
	return nil
}

// read passes on answers. It ignores notifications, and cannot answer the server's requests.
func (s *session) read(stdout io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		if m.Method != "" {
			s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID,
				"error": map[string]any{"code": -32601, "message": "Method not found"}})
			continue
		}
		var id int
		if json.Unmarshal(m.ID, &id) != nil {
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
	s.closed = true
	for _, answer := range s.waiting {
		close(answer)
	}
	s.mu.Unlock()
	_ = s.cmd.Wait() // its exit status does not matter
}

func (s *session) send(m any) {
	line, err := json.Marshal(m)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.stdin.Write(append(line, '\n')) // a server that is gone does not answer either
}

// ask sends a request and waits for its answer. Its first id is 0.
func (s *session) ask(method string, params any) (json.RawMessage, error) {
	answer := make(chan message, 1)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, errors.New("the server is gone")
	}
	id := s.next
	s.next++
	s.waiting[id] = answer
	s.mu.Unlock()
	s.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return nil, errors.New("the server ended without an answer")
		case m.Error != nil:
			return nil, fmt.Errorf("%d %s", m.Error.Code, m.Error.Message)
		}
		return m.Result, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("no answer to %s", method)
	}
}

// greet initializes the server. It gives up if the server answers with an unknown version.
func (s *session) greet() error {
	result, err := s.ask("initialize", map[string]any{
		"protocolVersion": "2025-11-25",
		"capabilities": map[string]any{
			"extensions": map[string]any{"io.modelcontextprotocol/ui": map[string]any{
				"mimeTypes": []string{"text/html;profile=mcp-app"}}}},
		"clientInfo": map[string]any{"name": "claude-ai", "version": "0.1.0"},
	})
	if err != nil {
		return err
	}
	var greeting struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if err := json.Unmarshal(result, &greeting); err != nil {
		return err
	}
	if !slices.Contains([]string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}, greeting.ProtocolVersion) {
		_ = s.stdin.Close()
		return fmt.Errorf("the version %q is not supported", greeting.ProtocolVersion)
	}
	s.protocol = greeting.ProtocolVersion
	s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return nil
}

// list lists the tools once. One tool with a refused schema removes all others too.
func (s *session) list() ([]string, error) {
	var names []string
	params := map[string]any{}
	for {
		result, err := s.ask("tools/list", params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools []struct {
				Name        string `json:"name"`
				InputSchema struct {
					Type any `json:"type"`
				} `json:"inputSchema"`
			} `json:"tools"`
			NextCursor string `json:"nextCursor"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			if tool.InputSchema.Type != "object" {
				return nil, fmt.Errorf("invalid literal value, expected \"object\" (inputSchema.type of %s)", tool.Name)
			}
			names = append(names, tool.Name)
		}
		if page.NextCursor == "" {
			return names, nil
		}
		params = map[string]any{"cursor": page.NextCursor}
	}
}

func (s *session) call(tool string, arguments json.RawMessage) (json.RawMessage, error) {
	if !slices.Contains(s.tools, tool) {
		return nil, fmt.Errorf("the model knows no tool %q", tool)
	}
	params := map[string]any{"name": tool}
	if arguments != nil {
		params["arguments"] = arguments
	}
	return s.ask("tools/call", params)
}

// end closes the server's stdin, and stops the server if that is not enough.
func (s *session) end() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.stdin.Close()
	for _, last := range []os.Signal{syscall.SIGTERM, os.Kill} {
		select {
		case <-s.ended:
			return
		case <-time.After(grace):
			_ = s.cmd.Process.Signal(last)
			s.killed = true
		}
	}
	<-s.ended
}
