package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

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
	block    chan struct{} // what Restart waits for, nil for nothing
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

// endpoint returns a place to listen at.
func endpoint(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		return fmt.Sprintf(`\\.\pipe\workbench-test-%d-%d`, os.Getpid(), time.Now().UnixNano())
	}
	folder, err := os.MkdirTemp("", "wb") // t.TempDir is too long for a socket on some systems
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, "run", socketName)
}

// startHub runs a hub until the test ends, or the function is called.
func startHub(t testing.TB, options HubOptions) (*Hub, func()) {
	t.Helper()
	h, err := Listen(options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.Run(ctx)
	}()
	stop := func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return h, stop
}

// startAgent runs an agent until the test ends, or the function is called.
func startAgent(t testing.TB, endpoint string, source Source) (*Agent, func()) {
	t.Helper()
	a := NewAgent(AgentOptions{Endpoint: endpoint, Source: source, About: About{Pid: 7, Program: "1.2.3", Config: "/c", ClientID: "cursor", Started: time.Now()}})
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

// eventually asks again until there is no error, or half a minute is over.
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

func TestEngineAndApp(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at, Program: "9"})
	source := newEngine()
	source.snapshot = status.Snapshot{Open: []string{"dev"}, Servers: []status.Server{{Toolbox: "dev", Name: "s", State: status.Connected, Tools: 3}}}
	agent, stopAgent := startAgent(t, at, source)

	eventually(t, func() error {
		if e := theEngine(t, h); len(e.Servers) != 1 || e.Servers[0].Tools != 3 || e.Pid != 7 || e.Program != "1.2.3" || e.ClientID != "cursor" || !e.Initialized.IsZero() {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})
	agent.SetClient("Claude", "4")
	eventually(t, func() error {
		if e := theEngine(t, h); e.ClientName != "Claude" || e.ClientVersion != "4" || e.Initialized.IsZero() || len(e.Servers) != 1 {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})

	lines, cancel := h.SubscribeLog()
	defer cancel()
	source.say("a line")
	if line := <-lines; line.Text != "a line" || line.Toolbox != "dev" || line.Server != "s" || line.Engine != theEngine(t, h).ID {
		t.Errorf("%+v", line)
	}
	source.tell(status.Call{ID: 1, Tool: "x", Outcome: status.Running})
	source.tell(status.Call{ID: 2, Tool: "y", Outcome: status.Done})
	source.tell(status.Call{ID: 1, Tool: "x", Outcome: status.Done})
	source.tell(status.Call{ID: 3, Tool: "z", Outcome: status.Running})
	eventually(t, func() error {
		calls := h.Calls()
		if len(calls) != 3 || calls[0].Outcome != status.Done || calls[0].Tool != "x" || calls[1].Tool != "y" || calls[2].Outcome != status.Running || calls[0].Client != "Claude" {
			return fmt.Errorf("%+v", calls)
		}
		return nil
	})

	id := theEngine(t, h).ID
	for what, command := range map[string]error{
		"restart dev/s": h.Restart(t.Context(), id, "dev", "s"),
		"open dev":      h.OpenToolbox(t.Context(), id, "dev"),
		"close dev":     h.CloseToolbox(t.Context(), id, "dev"),
	} {
		if command != nil || !strings.Contains(source.done(), what) {
			t.Errorf("%s: %v; done: %s", what, command, source.done())
		}
	}
	if tools, err := h.Tools(t.Context(), id, "dev", "s"); err != nil || len(tools) != 1 || string(tools[0].Definition) != `{"name":"a"}` {
		t.Errorf("%v, %v", tools, err)
	}
	if log, err := h.Log(t.Context(), id, "dev", "s"); err != nil || len(log) != 1 || log[0].Text != "hello" {
		t.Errorf("%v, %v", log, err)
	}
	source.mu.Lock()
	source.fail = errors.New("no luck")
	source.mu.Unlock()
	if err := h.Restart(t.Context(), id, "dev", "s"); err == nil || err.Error() != "no luck" {
		t.Errorf("got %v", err)
	}

	stopAgent()
	eventually(t, func() error {
		if n := len(h.Engines()); n != 0 {
			return fmt.Errorf("%d engines", n)
		}
		return nil
	})
	if last := h.Calls()[2]; last.Outcome != status.Error || last.Problem == "" {
		t.Errorf("a call of an engine that is gone: %+v", last)
	}
	if err := h.Restart(t.Context(), id, "dev", "s"); !errors.Is(err, ErrGone) {
		t.Errorf("got %v", err)
	}
}

func TestCommandsEndWithTheEngine(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	source := newEngine()
	source.block = make(chan struct{})
	_, stop := startAgent(t, at, source)
	id := theEngine(t, h).ID
	ended := make(chan error, 1)
	go func() { ended <- h.Restart(context.Background(), id, "dev", "s") }()
	eventually(t, func() error {
		if source.done() == "" {
			return errors.New("nothing was restarted")
		}
		return nil
	})
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := h.Restart(short, id, "dev", "s"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	stop()
	if err := <-ended; !errors.Is(err, ErrGone) {
		t.Errorf("got %v", err)
	}
}

func TestPauseReachesAll(t *testing.T) {
	at := endpoint(t)
	h, stopHub := startHub(t, HubOptions{Endpoint: at})
	first, second := newEngine(), newEngine()
	startAgent(t, at, first)
	theEngine(t, h)
	h.SetPaused(true)
	startAgent(t, at, second)
	did := func(e *engine, want string) {
		t.Helper()
		eventually(t, func() error {
			if got := e.done(); got != want {
				return fmt.Errorf("it did %q, want %q", got, want)
			}
			return nil
		})
	}
	did(first, "pause true")
	did(second, "pause true")
	h.SetPaused(false)
	did(first, "pause true, pause false")
	h.SetPaused(true)
	did(second, "pause true, pause false, pause true")
	stopHub() // and nobody else could let them go on
	did(first, "pause true, pause false, pause true, pause false")
	did(second, "pause true, pause false, pause true, pause false")
}

func TestAttachedEngine(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	ours, theirs := net.Pipe()
	h.Attach(theirs)
	source := newEngine()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = NewAgent(AgentOptions{Source: source, About: About{Pid: 1}}).Serve(ctx, ours)
	}()
	e := theEngine(t, h)
	if !e.Own {
		t.Error("it is not known as the app's own")
	}
	if err := h.OpenToolbox(t.Context(), e.ID, "dev"); err != nil {
		t.Error(err)
	}
	h.SetPaused(true)
	eventually(t, func() error {
		if !strings.HasSuffix(source.done(), "pause true") {
			return errors.New(source.done())
		}
		return nil
	})
	cancel()
	<-ended
	if !strings.HasSuffix(source.done(), "pause false") {
		t.Errorf("it stays paused: %s", source.done())
	}
}

func TestSingleInstance(t *testing.T) {
	at := endpoint(t)
	if err := Show(t.Context(), at); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	if _, err := Probe(t.Context(), at); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	shown := make(chan struct{}, 10)
	h, stop := startHub(t, HubOptions{Endpoint: at, Program: "9", OnShow: func() { shown <- struct{}{} }})
	if _, err := Listen(HubOptions{Endpoint: at}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second app: %v", err)
	}
	if err := Show(t.Context(), at); err != nil {
		t.Error(err)
	}
	<-shown
	if app, err := Probe(t.Context(), at); err != nil || app.Pid != os.Getpid() || app.Program != "9" {
		t.Errorf("%+v, %v", app, err)
	}
	if n := len(h.Engines()); n != 0 {
		t.Errorf("%d engines", n)
	}
	stop()
	if err := Show(t.Context(), at); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	again, stop := startHub(t, HubOptions{Endpoint: at})
	if again == nil {
		t.Error("the endpoint was not given back")
	}
	stop()
}

func TestAppComesAndGoes(t *testing.T) {
	at := endpoint(t)
	source := newEngine()
	startAgent(t, at, source)
	for range 3 {
		begun := time.Now()
		h, stop := startHub(t, HubOptions{Endpoint: at})
		theEngine(t, h)
		if took := time.Since(begun); took > 5*time.Second { // it is 0.7 s; machines are slow
			t.Errorf("the engine came after %v", took)
		}
		stop()
		eventually(t, func() error {
			if source.watched() {
				return errors.New("the engine still looks at calls although nobody listens")
			}
			return nil
		})
	}
}

// listener accepts connections and does nothing with them.
func deafApp(t *testing.T, at string) (accepted <-chan net.Conn) {
	t.Helper()
	l, release, err := listen(at)
	if err != nil {
		t.Fatal(err)
	}
	conns := make(chan net.Conn, 100)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conns <- conn
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		release()
	})
	return conns
}

// An app that says hello and then never reads must not be felt: what is told goes into a queue that is bounded, and the
// agent ends when it is asked to.
func TestAppThatHangs(t *testing.T) {
	at := endpoint(t)
	conns := deafApp(t, at)
	source := newEngine()
	_, stop := startAgent(t, at, source)
	conn := <-conns
	if _, err := fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d}\n", Version); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if !source.watched() {
			return errors.New("the conversation did not begin")
		}
		return nil
	})
	text := strings.Repeat("x", 1000)
	slowest := time.Duration(0)
	for range 20_000 {
		begun := time.Now()
		source.say(text)
		slowest = max(slowest, time.Since(begun))
	}
	if slowest > time.Second {
		t.Errorf("telling took %v", slowest)
	}
	begun := time.Now()
	stop()
	if took := time.Since(begun); took > time.Second {
		t.Errorf("it took %v to end", took)
	}
	t.Logf("slowest telling %v", slowest)
}

func TestOtherVersions(t *testing.T) {
	at := endpoint(t)
	h, stopHub := startHub(t, HubOptions{Endpoint: at})
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// A newer engine, which says much that we don't know.
	if _, err := fmt.Fprintf(conn, `{"type":"hello","version":%d,"about":{"pid":5,"program":"99","new":{}},"more":[1]}
{"type":"weather","snapshot":7}
{"type":"snapshot","snapshot":{"servers":"all well"}}
{"type":"snapshot","snapshot":{"open":["a"],"servers":[]}}
`, Version+1); err != nil {
		t.Fatal(err)
	}
	e := theEngine(t, h)
	if !e.OtherVersion || e.Program != "99" || e.Pid != 5 {
		t.Errorf("%+v", e)
	}
	if err := h.Restart(t.Context(), e.ID, "a", "b"); !errors.Is(err, ErrOtherVersion) {
		t.Errorf("got %v", err)
	}
	stopHub()

	// A newer app.
	at = endpoint(t)
	conns := deafApp(t, at)
	source := newEngine()
	startAgent(t, at, source)
	app := <-conns
	if _, err := fmt.Fprintf(app, "{\"type\":\"hello\",\"version\":%d}\n{\"type\":\"pause\",\"paused\":true}\n{\"type\":\"dance\"}\n", Version+1); err != nil {
		t.Fatal(err)
	}
	reader := newLineReader(app, maxFromEngine)
	if m, err := reader.next(); err != nil || m.Type != typeHello || m.Version != Version || m.About.Pid != 7 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := reader.next(); err != nil || m.Type != typePing {
		t.Errorf("it goes on with %+v, %v", m, err)
	}
	if source.done() != "" || source.watched() {
		t.Errorf("it obeyed: %s", source.done())
	}
}

func TestUnknownMessagesArePassedOver(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	conn, err := dial(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var lines bytes.Buffer
	fmt.Fprintf(&lines, "{\"type\":\"hello\",\"version\":%d,\"about\":{\"pid\":5}}\n", Version)
	lines.WriteString("\n{}\n[]\nnull\n7\nno JSON\n{\"type\":7}\n{\"type\":\"new\",\"id\":{}}\n{\"type\":\"reply\",\"id\":12345}\n{\"type\":\"log\"}\n{\"type\":\"call\"}\n{\"type\":\"snapshot\"}\n")
	lines.WriteString(`{"type":"log","line":{"text":"` + strings.Repeat("x", maxFromEngine) + "\"}}\n")
	lines.WriteString("{\"type\":\"snapshot\",\"snapshot\":{\"open\":[\"dev\"],\"servers\":[]}}\n")
	go func() { _, _ = conn.Write(lines.Bytes()) }()
	eventually(t, func() error {
		if e := theEngine(t, h); len(e.Open) != 1 {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})
}

func TestSlowReaderOfTheLogMissesLines(t *testing.T) {
	h, _ := startHub(t, HubOptions{Endpoint: endpoint(t)})
	lines, cancel := h.SubscribeLog()
	defer cancel()
	pass := func(text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.passLine(LogLine{LogLine: status.LogLine{Text: text}})
	}
	for range logBuffer + 10 {
		pass("x")
	}
	<-lines
	pass("last")
	for range logBuffer - 1 {
		<-lines
	}
	if line := <-lines; line.Text != "last" || line.Missed != 10 {
		t.Errorf("%+v", line)
	}
}

func TestCallsAreBounded(t *testing.T) {
	var c callHistory
	for i := range 3 * maxCalls {
		c.add(Call{Engine: 1, Call: status.Call{ID: uint64(i), Outcome: status.Running}})
	}
	if n := len(c.all()); n != maxCalls || len(c.list) > maxCalls*5/4 || len(c.at) > maxCalls*5/4 {
		t.Errorf("%d calls, %d kept, %d running", n, len(c.list), len(c.at))
	}
	c.add(Call{Engine: 1, Call: status.Call{ID: 0, Outcome: status.Done}}) // it began too long ago
	c.add(Call{Engine: 1, Call: status.Call{ID: 3*maxCalls - 2, Outcome: status.Done}})
	all := c.all()
	if last := all[len(all)-1]; last.ID != 0 || last.Outcome != status.Done {
		t.Errorf("%+v", last)
	}
	if late := all[len(all)-3]; late.ID != 3*maxCalls-2 || late.Outcome != status.Done {
		t.Errorf("%+v", late)
	}
	c.abandon(1)
	for _, call := range c.all() {
		if call.Outcome == status.Running {
			t.Fatalf("%+v still runs", call)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"type\":\"hello\"}\n{}\nx\n{\"type\":\"ping\"}"), 20)
	f.Add([]byte("\n\n\n"), 1)
	f.Add([]byte(`{"type":"snapshot","snapshot":{"servers":[{"since":"x"}]}}`+"\n"), 100)
	f.Add([]byte(strings.Repeat("x", 40_000)+"\n{\"type\":\"a\"}\n"), 100)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = 1 + limit&0xffff
		r := newLineReader(bytes.NewReader(data), limit)
		for n := 0; ; n++ {
			m, err := r.next()
			if err != nil {
				break
			}
			if m.Type == "" || n > len(data) {
				t.Fatalf("%+v", m)
			}
		}
		if cap(r.line) > 2*limit+64<<10 {
			t.Errorf("a buffer of %d bytes for lines of %d", cap(r.line), limit)
		}
	})
}

func BenchmarkSnapshots1000Servers(b *testing.B) {
	at := endpoint(b)
	h, _ := startHub(b, HubOptions{Endpoint: at})
	source := newEngine()
	servers := make([]status.Server, 1000)
	for i := range servers {
		servers[i] = status.Server{Toolbox: fmt.Sprintf("toolbox %d", i/20), Name: fmt.Sprintf("server %d", i), State: status.Connected, Since: time.Now(), Tools: 12, AllTools: 14, Pid: i, Title: "A server", Version: "1.2.3"}
	}
	startAgent(b, at, source)
	theEngine(b, h)
	b.Run("encode", func(b *testing.B) {
		size := 0
		for b.Loop() {
			size = len(snapshotLine(status.Snapshot{Servers: servers}))
		}
		b.ReportMetric(float64(size), "bytes")
	})
	b.Run("until the hub has it", func(b *testing.B) {
		changed, cancel := h.Subscribe()
		defer cancel()
		n := 0
		for b.Loop() {
			n++
			name := fmt.Sprint(n)
			source.set(status.Snapshot{Open: []string{name}, Servers: servers})
			for e := theEngine(b, h); len(e.Open) == 0 || e.Open[0] != name; e = theEngine(b, h) {
				<-changed
			}
		}
	})
}
