package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// count is a [Options.Start] that counts the processes.
type count struct {
	mu   sync.Mutex
	runs []*process.Process
}

func (c *count) start(spec process.Spec) (*process.Process, error) {
	p, err := process.Start(spec)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.runs = append(c.runs, p)
	}
	return p, err
}

// running returns how many processes were started, and how many of them run.
func (c *count) running() (started, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.runs {
		select {
		case <-p.Done():
		default:
			running++
		}
	}
	return len(c.runs), running
}

// fiftyCalls begins 50 calls of two engines that are not answered, and returns a function that checks how each ended.
func fiftyCalls(t *testing.T, a, b *downstream.Session, calls string) (check func(ended func(error) bool)) {
	var answers []<-chan error
	for range 25 {
		for _, s := range []*downstream.Session{a, b} {
			_, answer := hang(t.Context(), s)
			answers = append(answers, answer)
		}
	}
	await(t, "the calls", func() bool { return len(lines(t, calls)) == 50 })
	return func(ended func(error) bool) {
		t.Helper()
		for _, answer := range answers {
			select {
			case err := <-answer:
				if !ended(err) {
					t.Errorf("a call ended with %v", err)
				}
			case <-time.After(patience):
				t.Fatal("a call does not end")
			}
		}
		if n := len(lines(t, calls)); n != 50 {
			t.Errorf("the server got %d calls, want 50", n)
		}
	}
}

// TestServerDies: every engine learns why, and the next one that attaches starts a new process.
func TestServerDies(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{CallLog: calls, Stderr: []string{"something is wrong"}})
	a, b := h.connect(t, o), h.connect(t, o)
	check := fiftyCalls(t, a, b, calls)
	c.runs[0].Stop(canceled())
	check(func(err error) bool {
		return errors.Is(err, downstream.ErrStopped) && !errors.Is(err, downstream.ErrUnknown) &&
			strings.Contains(err.Error(), "something is wrong")
	})
	if got, err := echo(t.Context(), h.connect(t, o), `{"a":1}`); got != `{"a":1}` || err != nil {
		t.Errorf("afterwards, a call gave %s, %v", got, err)
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestHostEnds: each call ends once, and its outcome is not known.
func TestHostEnds(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{CallLog: calls})
	a, b := h.connect(t, o), h.connect(t, o)
	check := fiftyCalls(t, a, b, calls)
	h.stop()
	check(func(err error) bool { return errors.Is(err, downstream.ErrUnknown) })
	wait(t, "the end of the host", h.ended)
	if started, running := c.running(); started != 1 || running != 0 {
		t.Errorf("%d processes were started, and %d run", started, running)
	}
}

// TestLastOneLeaves: the process has ended when the last engine has left, and not before.
func TestLastOneLeaves(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{})
	a, b := h.connect(t, o), h.connect(t, o)
	leave(t, a)
	if _, err := echo(t.Context(), b, "{}"); err != nil {
		t.Errorf("after one has left, the other gets %v", err)
	}
	leave(t, b)
	if started, running := c.running(); started != 1 || running != 0 {
		t.Errorf("%d processes were started, and %d run", started, running)
	}
}

// TestComesAsTheLastLeaves: an engine that attaches while the last one leaves gets the server, or a new one.
func TestComesAsTheLastLeaves(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{})
	last := h.connect(t, o)
	for range 50 {
		left := make(chan error, 1)
		go func(s *downstream.Session) { left <- s.Close(context.WithoutCancel(t.Context())) }(last)
		next, err := h.try(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := echo(t.Context(), next, "{}"); err != nil {
			t.Fatal(err)
		}
		if err := <-left; err != nil {
			t.Fatal(err)
		}
		last = next
	}
	leave(t, last)
}

// TestHostThatNobodyUses ends after a while.
func TestHostThatNobodyUses(t *testing.T) {
	h := startTestHost(t, Options{Linger: 50 * time.Millisecond})
	leave(t, h.connect(t, h.options(t, fakeserver.Script{})))
	wait(t, "the end of the host", h.ended)
	if conn, err := ipc.Reach(t.Context(), h.endpoint); !errors.Is(err, ipc.ErrNotRunning) {
		t.Errorf("it is reached: %v, %v", conn, err)
	}
}

// TestRest: a server that nobody calls ends, although engines are attached, and the next call starts it again.
func TestRest(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start, Idle: 200 * time.Millisecond})
	o := h.options(t, fakeserver.Script{})
	a, b := h.connect(t, o), h.connect(t, o)
	rests := func() bool { _, running := c.running(); return running == 0 }
	await(t, "rest", rests)
	for _, s := range []*downstream.Session{a, b} {
		if got, err := echo(t.Context(), s, `{"a":1}`); got != `{"a":1}` || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
		await(t, "rest again", rests)
	}
	if started, _ := c.running(); started < 3 || a.Err() != nil {
		t.Errorf("%d processes were started, want 3; %v", started, a.Err())
	}
	// It does not rest during a call, however long.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sent, _ := hang(ctx, a)
	wait(t, "the call", sent)
	before := 0
	for _, pause := range []string{"0", "300"} { // the second is longer than Idle
		if _, err := echo(t.Context(), b, `{"delayMs":`+pause+`}`); err != nil {
			t.Error(err)
		}
		if before == 0 {
			before, _ = c.running()
		}
	}
	if started, running := c.running(); started != before || running != 1 {
		t.Errorf("%d processes were started, and %d run", started-before, running)
	}
}

// TestRestsAndChanges: if the server is another one after it has rested, no call reaches it before the engines have
// looked at it again.
func TestRestsAndChanges(t *testing.T) {
	folder := t.TempDir()
	script, calls := filepath.Join(folder, "script"), filepath.Join(folder, "calls")
	write := func(s fakeserver.Script) {
		if err := os.WriteFile(script, []byte(s.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fakeserver.Script{CallLog: calls})
	var c count
	h := startTestHost(t, Options{Start: c.start, Idle: 200 * time.Millisecond})
	o := h.options(t, fakeserver.Script{})
	o.Server.Env[0].Value = "@" + script
	s := h.connect(t, o)
	await(t, "rest", func() bool { _, running := c.running(); return running == 0 })
	write(fakeserver.Script{CallLog: calls, Echo: true, Tools: []json.RawMessage{fakeserver.Tool("other")}})
	if _, err := echo(t.Context(), s, "{}"); !words.Is(err, "pool.has_changed") ||
		!errors.Is(err, downstream.ErrStopped) {
		t.Errorf("got %v", err)
	}
	if got := lines(t, calls); got[0] != "" {
		t.Errorf("the server got %q", got)
	}
	if tools := h.connect(t, o).Tools(); len(tools) != 2 {
		t.Errorf("afterwards there are the tools %v", tools)
	}
}

// TestThatDoesNotStart: the engine learns why, and nothing is left.
func TestThatDoesNotStart(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{Exit: "initialize", Stderr: []string{"no key"}})
	if s, err := h.try(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("got %v, %v", s, err)
	}
	o.Server.Command = "/does/not/exist"
	if s, err := h.try(t.Context(), o); err == nil {
		t.Errorf("got %v", s)
	}
	await(t, "the end", func() bool { _, running := c.running(); return running == 0 })
}

// TestTimeToStart: each engine gives the server the time that its own entry says, whoever has come first.
func TestTimeToStart(t *testing.T) {
	for _, first := range []string{"less time", "more time"} {
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			var c count
			h := startTestHost(t, Options{Start: c.start})
			more := h.options(t, fakeserver.Script{InitializeDelayMs: 1500})
			less := more
			entry := *less.Server
			entry.StartupTimeout = new(100 * time.Millisecond)
			less.Server, less.HandshakeTimeout = &entry, 0
			begin := func(o downstream.Options) <-chan error {
				ended := make(chan error, 1)
				go func() {
					s, err := h.try(t.Context(), o)
					if err == nil {
						leave(t, s)
					}
					ended <- err
				}()
				await(t, "the start", func() bool {
					started, _ := c.running()
					return started > 0
				})
				return ended
			}
			var withLess, withMore <-chan error
			if first == "less time" {
				withLess, withMore = begin(less), begin(more)
			} else {
				withMore, withLess = begin(more), begin(less)
			}
			if err := <-withLess; !errors.Is(err, downstream.ErrTimeout) {
				t.Errorf("the engine with less time says %v", err)
			}
			if err := <-withMore; err != nil {
				t.Errorf("the engine with more time says %v", err)
			}
		})
	}
}

// TestOtherBuild: engines of another build are refused.
func TestOtherBuild(t *testing.T) {
	h := startTestHost(t, Options{})
	client := NewClient(ClientOptions{Build: "y", Endpoint: h.endpoint})
	wanted := downstream.Sharing{Of: h.options(t, fakeserver.Script{})}
	if p, err := client.Attach(t.Context(), wanted); !words.Is(err, "pool.other_build") {
		t.Errorf("got %v, %v", p, err)
	}
}

// TestOneThatHangs: a server that answers nothing delays neither its other engines' leaving nor another server.
func TestOneThatHangs(t *testing.T) {
	h := startTestHost(t, Options{})
	hung := h.options(t, fakeserver.Script{Hang: "tools/call"})
	a, b := h.connect(t, hung), h.connect(t, hung)
	ctx, cancel := context.WithCancel(t.Context())
	sent, answer := hang(ctx, a)
	wait(t, "the call", sent)
	if _, err := echo(t.Context(), h.connect(t, h.options(t, fakeserver.Script{Name: "other"})), "{}"); err != nil {
		t.Error(err)
	}
	if _, err := b.Call(t.Context(), downstream.Call{Method: "ping"}); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFlood: an engine that asks a thousand things and reads no answer costs the others nothing.
func TestFlood(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{Sizes: map[string]int{"big": 1 << 20}, Echo: true,
		Tools: []json.RawMessage{fakeserver.Tool("big")}})
	s := h.connect(t, o)
	conn := h.rawly(t, o)
	line := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"big"}}` + "\n"
	for i := range 3 * maxUnanswered {
		_ = conn.SetWriteDeadline(time.Now().Add(patience))
		if _, err := fmt.Fprintf(conn, line, i); err != nil {
			t.Fatal(err) // the host reads on
		}
	}
	for range 20 {
		if _, err := echo(t.Context(), s, "{}"); err != nil {
			t.Error(err)
		}
	}
	_ = conn.Close()
	if _, err := echo(t.Context(), s, "{}"); err != nil {
		t.Error(err)
	}
}

// rawly attaches an engine that is the test itself.
func (h *testHost) rawly(t *testing.T, o downstream.Options) net.Conn {
	t.Helper()
	client := NewClient(ClientOptions{Build: "x", Endpoint: h.endpoint})
	o.ClientName, o.ClientVersion, o.MaxMessage = "mcp-workbench", "0.0.0", downstream.DefaultMaxMessage
	p, err := client.Attach(t.Context(), downstream.Sharing{Of: o})
	if err != nil {
		t.Fatal(err)
	}
	conn := p.(*peer).conn
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// TestThatAsksNothing: an engine that attaches and asks nothing starts no process and does not keep one that others
// have started.
func TestThatAsksNothing(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start, Idle: 100 * time.Millisecond})
	o := h.options(t, fakeserver.Script{})
	h.rawly(t, o)
	if started, _ := c.running(); started != 0 {
		t.Errorf("%d processes were started", started)
	}
	s := h.connect(t, o)
	if _, err := echo(t.Context(), s, "{}"); err != nil {
		t.Error(err)
	}
	leave(t, s)
	await(t, "the end of the process", func() bool { _, running := c.running(); return running == 0 })
}

// TestStrangers: what no engine sends ends its connection and nothing else.
func TestStrangers(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{})
	s := h.connect(t, o)
	for _, said := range []string{"", "\n", "{}\n", "[]\n", "nonsense\n", `{"Build":"x"}` + "\n",
		`{"Build":"x","Server":{"URL":"http://127.0.0.1"}}` + "\n"} {
		conn, err := ipc.Reach(t.Context(), h.endpoint)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(said))
		if said == "" {
			_ = conn.Close()
			continue
		}
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if n, err := conn.Read(make([]byte, 1000)); err == nil && said != `{}`+"\n" {
			t.Errorf("%q was answered with %d bytes", said, n)
		}
		_ = conn.Close()
	}
	for _, said := range []string{"nonsense\n", `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n[]\n"} {
		conn := h.rawly(t, o)
		if _, err := conn.Write([]byte(said)); err != nil {
			t.Error(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		for buffer := make([]byte, 1000); ; {
			if _, err := conn.Read(buffer); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("after %q the connection stays", said)
			} else if err != nil {
				break
			}
		}
	}
	if _, err := echo(t.Context(), s, "{}"); err != nil {
		t.Error(err)
	}
}

// TestSilentHost: a host that says nothing is given up.
func TestSilentHost(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	wrote := make(chan downstream.LogLine, 1)
	p := newPeer(ours, downstream.Sharing{Of: downstream.Options{OnLog: func(line downstream.LogLine) { wrote <- line }}})
	go func() {
		_, _ = theirs.Write([]byte("!pid 42\n!wrote {\"Source\":\"stdout\",\"Text\":\"hello\"}\n{\"a\":1}\n!beat\n"))
	}()
	buffer := make([]byte, 100)
	if n, err := p.Stdout().Read(buffer); string(buffer[:n]) != "{\"a\":1}\n" || err != nil {
		t.Errorf("got %q, %v", buffer[:n], err)
	}
	if got := <-wrote; got.Text != "hello" || got.Source != downstream.SourceStdout || p.Pid() != 42 {
		t.Errorf("the log has %+v, the process id is %d", got, p.Pid())
	}
	p.lost(os.ErrDeadlineExceeded)
	if err := p.ExitError(); !errors.Is(err, downstream.ErrUnknown) || !errors.Is(err, downstream.ErrStopped) {
		t.Errorf("got %v", err)
	}
}

// TestManySessions: 200 engines share one process.
func TestManySessions(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{})
	h.connect(t, o)
	var all sync.WaitGroup
	for i := range 199 {
		s := h.connect(t, o)
		all.Go(func() {
			want := `{"engine":` + strconv.Itoa(i) + `}`
			if got, err := echo(t.Context(), s, want); got != want || err != nil {
				t.Errorf("engine %d got %s, %v", i, got, err)
			}
		})
	}
	all.Wait()
	if started, running := c.running(); started != 1 || running != 1 {
		t.Errorf("%d processes were started, and %d run", started, running)
	}
}

// TestThousandTimes: a thousand engines that come and go leave nothing behind.
func TestThousandTimes(t *testing.T) {
	var c count
	h := startTestHost(t, Options{Start: c.start})
	o := h.options(t, fakeserver.Script{})
	stays := h.connect(t, o)
	before := runtime.NumGoroutine()
	for range 250 {
		var some sync.WaitGroup
		for range 4 {
			some.Go(func() {
				s, err := h.try(t.Context(), o)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := echo(t.Context(), s, "{}"); err != nil {
					t.Error(err)
				}
				leave(t, s)
			})
		}
		some.Wait()
	}
	await(t, "the goroutines", func() bool { return runtime.NumGoroutine() <= before })
	h.mu.Lock()
	servers := len(h.servers)
	h.mu.Unlock()
	if started, _ := c.running(); started != 1 || servers != 1 || stays.Err() != nil {
		t.Errorf("%d processes were started, %d servers are known; %v", started, servers, stays.Err())
	}
}

// TestWatchedParts: a subscription counts for the parts of a resource.
func TestWatchedParts(t *testing.T) {
	a := &attachment{}
	w := watched{by: map[string]map[*attachment]bool{"file:///a": {a: true}, "x://b/": {a: true}}}
	for uri, want := range map[string]bool{"file:///a": true,
		"file:///a/b": true, "file:///a?q": true, "file:///ab": false,
		"x://b/c": true, "x://b": false, "": false} {
		if got := slices.Contains(w.of(uri), a); got != want {
			t.Errorf("%q: %v, want %v", uri, got, want)
		}
	}
}
