package ipc

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// engine is a Source for tests.
type engine struct {
	mu       sync.Mutex
	snapshot status.Snapshot
	changed  map[chan struct{}]bool
	line     func(string, string, status.LogLine)
	call     func(status.Call)
	did      []string
	fail     error
	block    chan struct{} // Restart waits for it, unless it is nil
}

func newEngine() *engine { return &engine{changed: map[chan struct{}]bool{}} }

func (e *engine) Status() status.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.snapshot
}

func (e *engine) set(s status.Snapshot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.snapshot = s
	for c := range e.changed {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (e *engine) Subscribe() (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changed[c] = true
	return c, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.changed, c)
	}
}

func (e *engine) Watch(line func(string, string, status.LogLine), call func(status.Call)) func() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.line, e.call = line, call
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.line, e.call = nil, nil
	}
}

func (e *engine) say(text string) {
	e.mu.Lock()
	line := e.line
	e.mu.Unlock()
	if line != nil {
		line("dev", "s", status.LogLine{Time: time.Now(), Source: "stderr", Text: text})
	}
}

func (e *engine) tell(call status.Call) {
	e.mu.Lock()
	tell := e.call
	e.mu.Unlock()
	if tell != nil {
		tell(call)
	}
}

func (e *engine) watched() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.line != nil
}

func (e *engine) note(format string, args ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.did = append(e.did, fmt.Sprintf(format, args...))
	return e.fail
}

func (e *engine) done() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.did, ", ")
}

func (e *engine) Restart(ctx context.Context, toolbox, server string) error {
	err := e.note("restart %s/%s", toolbox, server)
	if e.block != nil {
		select {
		case <-e.block:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}
func (e *engine) Stop(_ context.Context, toolbox, server string) error {
	return e.note("stop %s/%s", toolbox, server)
}
func (e *engine) OpenToolbox(_ context.Context, toolbox string) error {
	return e.note("open %s", toolbox)
}
func (e *engine) CloseToolbox(_ context.Context, toolbox string) error {
	return e.note("close %s", toolbox)
}
func (e *engine) Tools(string, string) []status.Tool {
	return []status.Tool{{Name: "a", Definition: []byte(`{"name":"a"}`), Allowed: true}}
}
func (e *engine) Log(string, string) []status.LogLine { return []status.LogLine{{Text: "hello"}} }
func (e *engine) SetPaused(paused bool)               { _ = e.note("pause %v", paused) }

// socketName is the name of the socket of the app.
const socketName = "app.sock"

// endpoint returns an endpoint for a test.
func endpoint(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		return `\\.\pipe\workbench-test-` + rand.Text()
	}
	folder, err := os.MkdirTemp("", "wb") // the path from t.TempDir is too long for a socket on some systems
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, "run", socketName)
}

// takeFirst connects to the first instance of a pipe, which nobody accepts. That instance was made without
// the right to read or write (as go-winio makes it), so on Windows it takes no connections
// (microsoft/go-winio#125). Under Wine it takes the first one. If an agent that looks for the app connects to
// it first, takeFirst returns an error, since there is nothing left to connect to.
func takeFirst(t testing.TB, endpoint string) (release func(), err error) {
	t.Helper()
	if !underwine.Is() {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	conn, err := dial(ctx, endpoint)
	if err != nil {
		return nil, err
	}
	return func() { _ = conn.Close() }, nil
}

// listenFirst is like [Listen]. It tries again until the test itself is connected to the first instance of a
// pipe; see takeFirst.
func listenFirst(t testing.TB, options HubOptions) (h *Hub, release func()) {
	t.Helper()
	eventually(t, func() error {
		var err error
		if h, err = Listen(options); err != nil {
			return err
		}
		if release, err = takeFirst(t, options.Endpoint); err != nil {
			_ = h.listener.Close()
			h.release()
		}
		return err
	})
	return h, release
}

// startHub runs a hub until the end of the test or until the returned function is called.
func startHub(t testing.TB, options HubOptions) (*Hub, func()) {
	t.Helper()
	h, release := listenFirst(t, options)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.Run(ctx)
	}()
	stop := func() {
		cancel()
		release()
		<-ended
	}
	t.Cleanup(stop)
	return h, stop
}

// startAgent runs an agent until the end of the test or until the returned function is called.
func startAgent(t testing.TB, endpoint string, source Source) (*Agent, func()) {
	t.Helper()
	a := NewAgent(AgentOptions{Endpoint: endpoint, Source: source,
		About: About{Pid: 7, Program: "1.2.3", Config: "/c", ClientID: "cursor", Started: time.Now()}})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = a.Run(ctx)
	}()
	stop := func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return a, stop
}

// eventually calls condition until it returns no error. It gives up after half a minute.
func eventually(t testing.TB, condition func() error) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := condition()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func theEngine(t testing.TB, h *Hub) Engine {
	t.Helper()
	var e Engine
	eventually(t, func() error {
		engines := h.Engines()
		if len(engines) != 1 {
			return fmt.Errorf("%d engines", len(engines))
		}
		e = engines[0]
		return nil
	})
	return e
}
