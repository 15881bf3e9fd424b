package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// fakeConnection is a connection that a test can end.
type fakeConnection struct {
	done chan struct{}
	once sync.Once
	mu   sync.Mutex
	err  error
}

func (p *fakeConnection) die(err error) {
	p.once.Do(func() {
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
		close(p.done)
	})
}

func (p *fakeConnection) Tools() []downstream.Item {
	return []downstream.Item{{Name: "a", Definition: json.RawMessage(`{"name":"a"}`)}, {Name: "b", NoSchema: true}}
}
func (p *fakeConnection) Info() downstream.Info {
	return downstream.Info{Name: "puppet", Version: "1", Pid: 42,
		Diagnostics: []downstream.Diagnostic{{Name: "bad", Message: words.Foreign("it is bad")}}}
}
func (p *fakeConnection) Items(context.Context, downstream.Kind) ([]downstream.Item, error) {
	return nil, nil
}
func (p *fakeConnection) Notify(string, json.RawMessage)            {}
func (p *fakeConnection) Subscribe(context.Context, string) error   { return nil }
func (p *fakeConnection) Unsubscribe(context.Context, string) error { return nil }
func (p *fakeConnection) SetLevel(context.Context, string) error    { return nil }
func (p *fakeConnection) Call(context.Context, downstream.Call) ([]jsonrpc.Member, error) {
	return []jsonrpc.Member{{Name: "content", Value: json.RawMessage("[]")}}, nil
}
func (p *fakeConnection) Mask(text string) string        { return text }
func (p *fakeConnection) MaskCertain(text string) string { return text }
func (p *fakeConnection) Done() <-chan struct{}          { return p.done }
func (p *fakeConnection) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
func (p *fakeConnection) Close(context.Context) error {
	p.die(downstream.ErrClosed)
	return nil
}

// testManager is a manager whose connections are fake.
type testManager struct {
	*Manager
	mu      sync.Mutex
	starts  []time.Time
	current *fakeConnection
	fail    error // the error of starting a server

	killed *atomic.Bool // for owners: set if one was killed before it could end by itself
}

func newTestManager(t *testing.T) *testManager {
	server := &config.Server{Name: "s", Transport: config.TransportStdio, Command: "npx",
		Args: []string{"-y", "thing", "--api-key", "hunter2hunter2"}}
	th := &testManager{Manager: NewManager(oneToolbox("dev", server), Options{})}
	th.super.dialer.connect = func(context.Context, downstream.Options) (connection, error) {
		th.mu.Lock()
		defer th.mu.Unlock()
		th.starts = append(th.starts, time.Now())
		if th.fail != nil {
			return nil, th.fail
		}
		th.current = &fakeConnection{done: make(chan struct{})}
		return th.current, nil
	}
	t.Cleanup(func() { th.Shutdown(context.Background()) })
	return th
}

func (th *testManager) set(fail error) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.fail = fail
}

// die ends the server, and returns when the manager has noticed.
func (th *testManager) die() {
	th.mu.Lock()
	p := th.current
	th.mu.Unlock()
	p.die(&stopped{})
	synctest.Wait()
}

type stopped struct{}

func (*stopped) Error() string { return "the server stopped: exited with status 1" }
func (*stopped) Unwrap() error { return downstream.ErrStopped }
func (*stopped) Text() words.Text {
	return words.New("downstream.stopped", "How", words.New("process.exited", "Status", 1))
}

func (th *testManager) count() int {
	th.mu.Lock()
	defer th.mu.Unlock()
	return len(th.starts)
}

func (th *testManager) server() status.Server { return th.Status().Servers[0] }

func TestServerThatDiesComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		if s := th.server(); s.State != status.NotStarted || !s.Since.IsZero() {
			t.Errorf("before: %+v", s)
		}
		open(t, th.Manager, "dev")
		if s := th.server(); s.State != status.Connected || s.Tools != 2 || s.Process.Pid != 42 || s.Title != "puppet" {
			t.Errorf("open: %+v", s)
		}
		// Each pause has the planned length, or up to a fifth more.
		for i, pause := range []time.Duration{1, 2, 5, 15, 30, 60, 60} {
			pause *= time.Second
			th.die()
			s := th.server()
			if s.State != status.Stopped || s.Problem == nil || s.Problem.Kind != status.KindExited {
				t.Fatalf("death %d: %+v", i, s)
			}
			if wait := time.Until(s.RetryAt); wait < pause || wait > pause+pause/5 {
				t.Errorf("death %d: tried again in %v, want about %v", i, wait, pause)
			}
			time.Sleep(pause - time.Millisecond)
			synctest.Wait()
			if n := th.count(); n != i+1 {
				t.Fatalf("death %d: started %d times, too early", i, n)
			}
			time.Sleep(pause/5 + time.Millisecond)
			synctest.Wait()
			if s := th.server(); s.State != status.Connected || th.count() != i+2 {
				t.Fatalf("death %d: not back: %+v", i, s)
			}
		}
		// After a server has been up for a while, the pauses start again at the first.
		time.Sleep(steady)
		th.die()
		if wait := time.Until(th.server().RetryAt); wait > 1200*time.Millisecond {
			t.Errorf("after a minute without a failure, the next start is in %v", wait)
		}
	})
}

func TestFailedRetriesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		th.set(errors.New("no luck"))
		th.die()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		s := th.server()
		if s.State != status.Stopped || s.Problem.Message.String() != "no luck" || s.RetryAt.IsZero() {
			t.Errorf("%+v", s)
		}
		if n := th.count(); n < 12 || n > 16 {
			t.Errorf("started %d times in ten minutes", n)
		}
		// Opening the toolbox tries at once. The toolbox stays open even if that fails.
		before := th.count()
		if _, err := th.Open(t.Context(), "dev", nil); err == nil {
			t.Error("opened")
		}
		if th.count() != before+1 || len(th.Status().Open) != 1 {
			t.Errorf("started %d times more, open: %v", th.count()-before, th.Status().Open)
		}
		th.set(nil)
		time.Sleep(2 * time.Minute)
		if s := th.server(); s.State != status.Connected {
			t.Errorf("the server was not started again: %+v", s)
		}
	})
}

func TestWhatEndsRetrying(t *testing.T) {
	for name, end := range map[string]func(*testManager){
		"close":    func(th *testManager) { _, _, _ = th.Close(context.Background(), "dev") },
		"shutdown": func(th *testManager) { th.Shutdown(context.Background()) },
		"pause":    func(th *testManager) { th.SetPaused(true) },
		"disabled": func(th *testManager) {
			th.SetConfig(oneToolbox("dev",
				&config.Server{Name: "s", Transport: config.TransportStdio, Command: "npx", Disabled: true}))
		},
		"removed": func(th *testManager) { th.SetConfig(oneToolbox("dev")) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				th := newTestManager(t)
				open(t, th.Manager, "dev")
				th.die()
				end(th)
				before := th.count()
				time.Sleep(time.Hour)
				synctest.Wait()
				if n := th.count(); n != before {
					t.Errorf("the server was started %d more times", n-before)
				}
			})
		})
	}
}

func TestACallBringsAServerBackAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		for range 3 {
			th.die()
			begun := time.Now()
			if _, err := th.Call(t.Context(), ToolID{"dev", "s", "a"}, downstream.Call{}); err != nil {
				t.Fatal(err)
			}
			if time.Since(begun) != 0 {
				t.Errorf("the call waited for %v", time.Since(begun))
			}
		}
		before := th.count()
		time.Sleep(time.Hour)
		synctest.Wait()
		if th.count() != before {
			t.Error("the planned start came although the server was back")
		}
	})
}

func TestFirstStartIsNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		th.set(errors.New("no luck"))
		if _, err := th.Open(t.Context(), "dev", nil); err == nil {
			t.Fatal("opened")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := th.count(); n != 1 {
			t.Errorf("started %d times", n)
		}
		s := th.server()
		if s.State != status.Failed || s.Problem == nil || s.Problem.Message.String() != "no luck" || s.Since.IsZero() ||
			len(th.Status().Open) != 0 {
			t.Errorf("%+v", s)
		}
		// Closing a toolbox that could not be opened forgets it.
		if _, _, err := th.Close(t.Context(), "dev"); err != nil {
			t.Fatal(err)
		}
		if s := th.server(); s.State != status.NotStarted {
			t.Errorf("closed: %+v", s)
		}
	})
}

func TestSignInIsNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		th.current.die(fmt.Errorf("example.com: %w", downstream.ErrSignIn))
		synctest.Wait()
		if s := th.server(); s.State != status.SignIn || !s.RetryAt.IsZero() || s.Problem.Kind != status.KindSignIn {
			t.Errorf("%+v", s)
		}
		time.Sleep(time.Hour)
		if th.count() != 1 {
			t.Error("the server was started again")
		}
		th.set(fmt.Errorf("example.com: %w", downstream.ErrSignIn))
		_, err := th.Open(t.Context(), "dev", nil)
		var failure *Error
		if !errors.As(err, &failure) || failure.Code != "AUTH_REQUIRED" {
			t.Errorf("opening: %v", err)
		}
	})
}

func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		restart := func(what string) {
			t.Helper()
			before := th.count()
			if err := th.Restart(t.Context(), "dev", "s"); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if s := th.server(); s.State != status.Connected || th.count() != before+1 {
				t.Errorf("%s: %+v, started %d times", what, s, th.count()-before)
			}
		}
		restart("not started")
		first := th.current
		restart("connected")
		if first.Err() == nil {
			t.Error("the old server was not ended")
		}
		th.die()
		restart("stopped")
		th.set(errors.New("no luck"))
		if err := th.Restart(t.Context(), "dev", "s"); err == nil || !strings.Contains(err.Error(), "no luck") {
			t.Errorf("got %v", err)
		}
		th.set(nil)
		restart("failed")
		time.Sleep(time.Hour)
		before := th.count()
		time.Sleep(time.Hour)
		if th.count() != before {
			t.Error("the server is restarted again")
		}
		for _, id := range [][2]string{{"other", "s"}, {"dev", "other"}} {
			if err := th.Restart(t.Context(), id[0], id[1]); err == nil {
				t.Errorf("restarted %v", id)
			}
		}
	})
}

func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		th.SetPaused(true)
		synctest.Wait()
		if th.current.Err() == nil {
			t.Error("the server was not ended")
		}
		s := th.Status()
		if !s.Paused || s.Servers[0].State != status.NotStarted {
			t.Errorf("%+v", s)
		}
		if n := len(th.Lists.Tools(NewNamer(th.Config(), 0))); n != 2 {
			t.Errorf("%d tools are registered, want all, so that calling them gives the reason", n)
		}
		for what, try := range map[string]func() error{
			"call":    func() error { _, err := th.Call(t.Context(), ToolID{"dev", "s", "a"}, downstream.Call{}); return err },
			"open":    func() error { _, err := th.Open(t.Context(), "dev", nil); return err },
			"restart": func() error { return th.Restart(t.Context(), "dev", "s") },
		} {
			var failure *Error
			if err := try(); !errors.As(err, &failure) || failure.Code != "UNAVAILABLE" ||
				!strings.Contains(failure.Sentence, "paused") {
				t.Errorf("%s: %v", what, err)
			}
		}
		// A change at this time starts nothing either. It counts later.
		changed := &config.Server{Name: "s", Transport: config.TransportStdio, Command: "uvx"}
		th.SetConfig(oneToolbox("dev", changed))
		time.Sleep(time.Hour)
		synctest.Wait()
		if th.count() != 1 {
			t.Fatal("something was started")
		}
		th.SetPaused(false)
		synctest.Wait()
		if s := th.Status(); s.Paused || s.Servers[0].State != status.Connected || th.count() != 2 {
			t.Errorf("resumed: %+v", s)
		}
	})
}

type notFound struct{}

func (*notFound) Error() string { return "npx was not found (looked in PATH: /usr/bin)" }
func (*notFound) Unwrap() error { return process.ErrNotFound }

func TestTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		th.options.Exposed = func(id ToolID) string { return "x_" + id.Tool }
		if tools := th.Tools("dev", "s"); len(tools) != 0 {
			t.Errorf("before the server was started: %v", tools)
		}
		open(t, th.Manager, "dev")
		filtered := *th.Config().Toolboxes[0].Servers[0]
		filtered.ToolFilters = []string{"b"}
		th.SetConfig(oneToolbox("dev", &filtered))
		tools := th.Tools("dev", "s")
		if len(tools) != 3 || tools[0].Allowed || tools[0].Exposed != "" || !tools[1].Allowed || tools[1].Exposed != "x_b" ||
			tools[1].Problem.Code != noSchema ||
			tools[2].Name != "bad" || tools[2].Problem.String() != "it is bad" {
			t.Errorf("%+v", tools)
		}
		if s := th.server(); s.Tools != 1 || s.AllTools != 2 {
			t.Errorf("%+v", s)
		}
	})
}

func TestSubscribersHearOfEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		changed, cancel := th.Subscribe()
		expect := func(what string, do func()) {
			t.Helper()
			do()
			synctest.Wait()
			select {
			case <-changed:
			default:
				t.Errorf("%s: no signal", what)
			}
		}
		expect("open", func() { open(t, th.Manager, "dev") })
		expect("die", th.die)
		expect("retry", func() { time.Sleep(2 * time.Second) })
		expect("pause", func() { th.SetPaused(true) })
		expect("resume", func() { th.SetPaused(false) })
		expect("configure", func() { th.SetConfig(oneToolbox("dev")) })
		expect("close", func() { _, _, _ = th.Close(t.Context(), "dev") })
		th.Status()
		synctest.Wait()
		select {
		case <-changed:
			t.Error("a signal although nothing happened")
		default:
		}
		cancel()
		th.SetPaused(true)
		select {
		case <-changed:
			t.Error("a signal after cancel")
		default:
		}
	})
}

// Nothing that a restart waits for may delay the end.
func TestShutdownDuringARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		th.boxes.mu.Lock()
		l := th.boxes.open["dev"].links["s"]
		th.boxes.mu.Unlock()
		l.calls.Add(1) // a call without an answer
		ended := make(chan error, 1)
		go func() { ended <- th.Restart(context.Background(), "dev", "s") }()
		synctest.Wait()
		begun := time.Now()
		th.Shutdown(t.Context())
		if took := time.Since(begun); took != 0 {
			t.Errorf("the shutdown took %v", took)
		}
		if err := <-ended; err == nil || th.count() != 1 {
			t.Errorf("restarted: %v", err)
		}
		l.calls.Done()
	})
}

// If a server is still ending when the pause is over, it must not count as running.
func TestResumeWhileServersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		open(t, th.Manager, "dev")
		old := th.current
		th.SetPaused(true)
		th.SetPaused(false)
		synctest.Wait()
		if s := th.server(); s.State != status.Connected || th.count() != 2 || old.Err() == nil || th.current.Err() != nil {
			t.Errorf("%+v, started %d times", s, th.count())
		}
	})
}

func TestCallsInFlightAreToldWhy(t *testing.T) {
	for want, end := range map[string]func(*Manager){
		"the server was restarted by the user": func(m *Manager) { _ = m.Restart(context.Background(), "dev", "s") },
		"the user has paused Workbench":        func(m *Manager) { m.SetPaused(true) },
		"the user has stopped this server":     func(m *Manager) { _ = m.Stop(context.Background(), "dev", "s") },
		"the toolbox was closed":               func(m *Manager) { _, _, _ = m.Close(context.Background(), "dev") },
	} {
		calls := filepath.Join(t.TempDir(), "calls")
		m := newManager(t, oneToolbox("dev", fake("s", fakeserver.Script{CallLog: calls})), Options{})
		open(t, m, "dev")
		failed := make(chan error, 1)
		go func() {
			_, err := m.Call(context.Background(), ToolID{"dev", "s", "echo"},
				downstream.Call{Arguments: json.RawMessage(`{"delayMs":60000}`)})
			failed <- err
		}()
		eventually(t, func() error {
			_, err := os.Stat(calls)
			return err
		})
		end(m)
		if err := <-failed; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
