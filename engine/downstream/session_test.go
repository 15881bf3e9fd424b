package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// patience is far longer than anything here takes.
const patience = 60 * time.Second

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked()
	os.Exit(m.Run())
}

// options returns the options of a connection to the fake server.
func options(t testing.TB, script fakeserver.Script) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := script.String()
	if len(text) > 30_000 {
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		text = "@" + file
	}
	return Options{
		Toolbox: "box",
		Server: &config.Server{
			Name:      "fake",
			Transport: config.TransportStdio,
			Command:   self,
			Env: []config.Variable{
				{Name: fakeserver.Variable, Value: text},
			},
		},
		HandshakeTimeout: patience,
	}
}

// whole returns the text of a result.
func whole(result []jsonrpc.Member) string { return string(jsonrpc.AppendObject(nil, result)) }

// connect connects, and closes the session at the end of the test.
func connect(t testing.TB, o Options) *Session {
	t.Helper()
	s, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// await polls until the condition is true.
func await(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func awaitDone(t testing.TB, s *Session) {
	t.Helper()
	select {
	case <-s.Done():
	case <-time.After(patience):
		t.Fatal("the session doesn't end")
	}
}

// lines returns the lines of a file to which the fake server appends.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func names(s *Session) string {
	var names []string
	for _, tool := range s.Tools() {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

func TestConnect(t *testing.T) {
	methods := filepath.Join(t.TempDir(), "methods")
	s := connect(t, options(t, fakeserver.Script{
		Name: "some server", Version: "3.4", Instructions: "Use\nit.", MethodLog: methods, Stderr: []string{"hello"},
		Capabilities: json.RawMessage(`{"tools":{},"x":{"n":12345678901234567890}}`),
	}))
	info := s.Info()
	info.Pid = 0
	want := Info{Name: "some server", Version: "3.4", ProtocolVersion: "2025-11-25", Instructions: "Use\nit.",
		Capabilities: json.RawMessage(`{"tools":{},"x":{"n":12345678901234567890}}`)}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Errorf("info (-want +got)\n%s", diff)
	}
	if got := strings.Join(lines(t, methods), " "); got != "initialize notifications/initialized tools/list" {
		t.Errorf("methods sent: %s", got)
	}
	if names(s) != "echo" || s.Err() != nil {
		t.Errorf("tools %q, error %v", names(s), s.Err())
	}
	await(t, "the log", func() bool { return len(s.Log()) == 1 })
	if line := s.Log()[0]; line.Text != "hello" || line.Source != SourceStderr {
		t.Errorf("log line %+v", line)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(s.Err(), ErrClosed) {
		t.Errorf("Err is %v after Close", s.Err())
	}
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after Close: %v", err)
	}
	awaitDone(t, s)
}

func TestConnectErrors(t *testing.T) {
	stack := []string{"node:internal/modules:1", "throw err;", "^", "Error: Cannot find module '/x/y.js'",
		"    at Module._resolve (node:internal:12)", "\x1b[31mred\x1b[0m\x07 words", "}", "", "Node.js v20.1.0"}
	short := func(o *Options) { o.HandshakeTimeout = 300 * time.Millisecond }
	tests := []struct {
		name   string
		script fakeserver.Script
		change func(*Options)
		want   []string
	}{
		{"exits at once", fakeserver.Script{Exit: "start", ExitStatus: 7, Stderr: stack}, nil,
			[]string{"the server stopped: exited with status 7", "Cannot find module '/x/y.js' | red words"}},
		{"exits silently", fakeserver.Script{Exit: "start"}, nil, []string{"the server stopped: exited with status 0"}},
		{"exits on initialize", fakeserver.Script{Exit: "initialize", ExitStatus: 3}, nil, []string{"exited with status 3"}},
		{"exits on tools/list", fakeserver.Script{Exit: "tools/list", ExitStatus: 3}, nil, []string{"exited with status 3"}},
		{"hangs", fakeserver.Script{Hang: "start", Stderr: []string{"waiting for a key"}}, func(o *Options) {
			o.HandshakeTimeout = 10 * time.Second
		}, []string{"the server did not answer 'initialize' within 10s", "it wrote: waiting for a key"}},
		{"hangs in the list", fakeserver.Script{Hang: "tools/list"}, func(o *Options) {
			o.HandshakeTimeout = 10 * time.Second
		}, []string{"the server did not answer 'tools/list' within 10s"}},
		{"hangs for good", fakeserver.Script{Hang: "start", IgnoreEnd: true}, short,
			[]string{"the server did not answer 'initialize' within 300ms"}},
		{"floods and hangs", fakeserver.Script{Hang: "start", StderrFlood: 1 << 20}, func(o *Options) {
			o.HandshakeTimeout = 10 * time.Second
		}, []string{"the server did not answer 'initialize'", "noise noise"}},
		{"startupTimeout", fakeserver.Script{Hang: "start"}, func(o *Options) {
			limit := 200 * time.Millisecond
			o.HandshakeTimeout, o.Server.StartupTimeout = 0, &limit
		}, []string{"within 200ms"}},
		{"no MCP", fakeserver.Script{InitializeError: json.RawMessage(`{"code":-32601,"message":"Method not found"}`)}, nil,
			[]string{"the server doesn't know 'initialize'; it isn't an MCP server or speaks an old dialect",
				"Method not found (code -32601)"}},
		{"refuses", fakeserver.Script{InitializeError: json.RawMessage(`{"code":-32000,"message":"no licence"}`)}, nil,
			[]string{"the server refused 'initialize': no licence (code -32000)"}},
		{"odd error", fakeserver.Script{InitializeError: json.RawMessage(`"just text"`)}, nil,
			[]string{"refused 'initialize': just text"}},
		{"odd result", fakeserver.Script{Initialize: json.RawMessage(`[1]`)}, nil,
			[]string{"the server's answer to 'initialize' cannot be used", "no object: [1]"}},
		{"no version", fakeserver.Script{Initialize: json.RawMessage(`{}`)}, nil, []string{"no protocolVersion"}},
		{"list fails", fakeserver.Script{ListError: json.RawMessage(`{"code":-32603,"message":"database is down"}`)}, nil,
			[]string{"the server refused 'tools/list': database is down"}},
		{"list is none", fakeserver.Script{Initialize: json.RawMessage(`{"protocolVersion":"2025-11-25","tools":[[]]}`),
			Tools: []json.RawMessage{}}, nil, nil},
		{"long lines", fakeserver.Script{Exit: "start", ExitStatus: 1, Stderr: []string{strings.Repeat("é", 5000)}}, nil,
			[]string{"status 1: éé"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pids")
			test.script.PidFile = pids
			test.script.SpawnGrandchild = runtime.GOOS != "windows"
			o := options(t, test.script)
			if test.change != nil {
				test.change(&o)
			}
			s, err := Connect(t.Context(), o)
			if test.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			} else if err == nil {
				s.Close(t.Context())
				t.Fatal("connected")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q", err, want)
				}
			}
			if err != nil && (len(err.Error()) > 800 || strings.ContainsAny(err.Error(), "\x1b\n\x07")) {
				t.Errorf("the error isn't fit to be shown: %q", err)
			}
			checkGone(t, pids)
		})
	}
}

func TestConnectWithoutStarting(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		ctx    context.Context
		server *config.Server
		want   string
	}{
		{t.Context(), nil, "no server is given"},
		{t.Context(), &config.Server{Transport: config.TransportSSE}, "is no web address"},
		{t.Context(), &config.Server{Command: "no-such-program"}, "no-such-program was not found (looked in PATH: "},
		{t.Context(), &config.Server{Command: "sh", Cwd: "/no/such/folder"},
			"the folder /no/such/folder (cwd) does not exist"},
		{ended, &config.Server{Command: "sh"}, "context canceled"},
	}
	for _, test := range tests {
		if _, err := Connect(test.ctx, Options{Server: test.server}); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestConnectCancelled(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := Connect(ctx, options(t, fakeserver.Script{Hang: "initialize", IgnoreEnd: true, PidFile: pids}))
		failed <- err
	}()
	await(t, "the server", func() bool { return lines(t, pids)[0] != "" })
	cancel()
	select {
	case err := <-failed:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(patience):
		t.Fatal("Connect doesn't return")
	}
	checkGone(t, pids)
}

func TestStrayMessages(t *testing.T) {
	noise := []string{
		`{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2024-11-05"}}`,
		`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{}}`,
		`Server listening on stdio`, `[INFO] ready`, `{"jsonrpc":"2.0","id":4711,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}`,
		`{`, `[]`, `"text"`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":{},"result":{}}`, `{"jsonrpc":"2.0","method":5}`,
		"\x00\xff\xfe", `{"jsonrpc":"2.0","method":"notifications/progress"}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":7}`,
		`{"jsonrpc":"2.0","method":"notifications/message"}`,
		strings.Repeat(`[`, 20_000), `{"jsonrpc":"2.0","id":` + strings.Repeat("9", 5000) + `,"method":"ping"}`,
	}
	script := fakeserver.Script{StdoutNoise: noise, StdoutNoiseOnCall: noise}
	o := options(t, script)
	var mu sync.Mutex
	hooked := 0
	o.OnLog = func(LogLine) {
		mu.Lock()
		defer mu.Unlock()
		hooked++
		panic("a handler that fails")
	}
	s := connect(t, o)
	result, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"a":1}`)})
	if err != nil || !strings.Contains(whole(result), `{"a":1}`) {
		t.Errorf("result %s, %v", result, err)
	}
	found := map[string]bool{}
	for _, line := range s.Log() {
		found[line.String()] = true
	}
	if !found["Server listening on stdio"] || !found["[INFO] ready"] {
		t.Errorf("the log lacks the text from stdout: %v", s.Log())
	}
	mu.Lock()
	defer mu.Unlock()
	if hooked < 10 {
		t.Errorf("OnLog was called %d times", hooked)
	}
}

func TestFloodOnStderr(t *testing.T) {
	o := options(t, fakeserver.Script{StderrFlood: 1 << 20})
	var mu sync.Mutex
	hooked, cut := 0, false
	o.OnLog = func(line LogLine) {
		mu.Lock()
		defer mu.Unlock()
		hooked++
		cut = cut || line.Source == SourceEngine && strings.Contains(line.String(), "lines left out here")
	}
	s := connect(t, o)
	for range 3 {
		if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err != nil {
			t.Fatal(err)
		}
	}
	size := 0
	for _, line := range s.Log() {
		size += len(line.Text)
	}
	if size == 0 || size > maxLogBytes {
		t.Errorf("the log holds %d bytes", size)
	}
	mu.Lock()
	defer mu.Unlock()
	if hooked == 0 || hooked > 20_000 {
		t.Errorf("the hook was called %d times", hooked)
	}
}

func TestOddProtocolVersion(t *testing.T) {
	s := connect(t, options(t, fakeserver.Script{ProtocolVersion: "2031-01-01"}))
	if s.Info().ProtocolVersion != "2031-01-01" || names(s) != "echo" {
		t.Errorf("info %+v", s.Info())
	}
}

func TestServerDies(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	s := connect(t, options(t, fakeserver.Script{DieOnCall: "die", ExitStatus: 9,
		Tools: []json.RawMessage{fakeserver.Tool("die")}, Echo: true, Stderr: []string{"first", "out of memory"},
		PidFile: pids}))
	failed := make(chan error, 8)
	for range cap(failed) {
		go func() {
			_, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
			failed <- err
		}()
	}
	await(t, "the calls", func() bool {
		s.conn.mu.Lock()
		defer s.conn.mu.Unlock()
		return len(s.conn.calls) == cap(failed)
	})
	_, err := s.Call(t.Context(), Call{Tool: "die"})
	const want = "the server stopped: exited with status 9: out of memory"
	if err == nil || err.Error() != want || !errors.Is(err, ErrStopped) {
		t.Errorf("the call that killed the server: %v, want %s", err, want)
	}
	for range cap(failed) {
		if err := <-failed; err == nil || err.Error() != want {
			t.Errorf("a call in flight: %v, want %s", err, want)
		}
	}
	awaitDone(t, s)
	if err := s.Err(); err == nil || err.Error() != want {
		t.Errorf("Err is %v", err)
	}
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); err == nil || err.Error() != want {
		t.Errorf("a later call: %v", err)
	}
	checkGone(t, pids)
}

func TestServerClosesStdout(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Wine keeps stdout open for a process that has closed it")
	}
	s := connect(t, options(t, fakeserver.Script{CloseStdout: true, IgnoreEnd: true}))
	if _, err := s.Call(t.Context(), Call{Tool: "echo"}); !errors.Is(err, ErrStopped) ||
		!strings.Contains(err.Error(), "it closed its stdout") {
		t.Errorf("error %v", err)
	}
	awaitDone(t, s)
}

func TestCloseEndsEverything(t *testing.T) {
	for _, ignore := range []bool{false, true} {
		t.Run(fmt.Sprintf("ignoring=%v", ignore), func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pids")
			s := connect(t, options(t, fakeserver.Script{SpawnGrandchild: true, PidFile: pids, IgnoreEnd: ignore}))
			await(t, "the grandchild", func() bool { return len(lines(t, pids)) == 2 })
			failed := make(chan error, 1)
			go func() {
				_, err := s.Call(t.Context(), Call{Tool: "echo", Arguments: json.RawMessage(`{"delayMs":100000}`)})
				failed <- err
			}()
			await(t, "the call", func() bool { s.conn.mu.Lock(); defer s.conn.mu.Unlock(); return len(s.conn.calls) == 1 })
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
					defer cancel()
					if err := s.Close(ctx); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if err := <-failed; !errors.Is(err, ErrClosed) {
				t.Errorf("the call in flight: %v", err)
			}
			awaitDone(t, s)
			checkGone(t, pids)
		})
	}
}
