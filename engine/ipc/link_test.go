package ipc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestEngineAndApp(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at, Program: "9"})
	source := newEngine()
	source.snapshot = status.Snapshot{Open: []string{"dev"},
		Servers: []status.Server{{Toolbox: "dev", Name: "s", State: status.Connected, Tools: 3}}}
	agent, stopAgent := startAgent(t, at, source)

	eventually(t, func() error {
		if e := theEngine(t, h); len(e.Servers) != 1 || e.Servers[0].Tools != 3 || e.Pid != 7 || e.Program != "1.2.3" ||
			e.ClientID != "cursor" || !e.Initialized.IsZero() {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})
	agent.SetClient("Claude", "4")
	eventually(t, func() error {
		if e := theEngine(t, h); e.ClientName != "Claude" || e.ClientVersion != "4" || e.Initialized.IsZero() ||
			len(e.Servers) != 1 {
			return fmt.Errorf("%+v", e)
		}
		return nil
	})

	lines, cancel := h.SubscribeLog()
	defer cancel()
	source.say("a line")
	if line := <-lines; line.Text != "a line" || line.Toolbox != "dev" || line.Server != "s" ||
		line.Engine != theEngine(t, h).ID {
		t.Errorf("%+v", line)
	}
	source.tell(status.Call{ID: 1, Tool: "x", Outcome: status.Running})
	source.tell(status.Call{ID: 2, Tool: "y", Outcome: status.Done})
	source.tell(status.Call{ID: 1, Tool: "x", Outcome: status.Done})
	source.tell(status.Call{ID: 3, Tool: "z", Outcome: status.Running})
	eventually(t, func() error {
		calls := h.Calls()
		if len(calls) != 3 || calls[0].Outcome != status.Done || calls[0].Tool != "x" || calls[1].Tool != "y" ||
			calls[2].Outcome != status.Running || calls[0].Client != "Claude" {
			return fmt.Errorf("%+v", calls)
		}
		return nil
	})

	id := theEngine(t, h).ID
	for what, command := range map[string]error{
		"restart dev/s": h.Restart(t.Context(), id, "dev", "s"),
		"stop dev/s":    h.Stop(t.Context(), id, "dev", "s"),
		"open dev":      h.OpenToolbox(t.Context(), id, "dev"),
		"close dev":     h.CloseToolbox(t.Context(), id, "dev"),
	} {
		if command != nil || !strings.Contains(source.done(), what) {
			t.Errorf("%s: %v; done: %s", what, command, source.done())
		}
	}
	if tools, err := h.Tools(t.Context(), id, "dev", "s"); err != nil || len(tools) != 1 ||
		string(tools[0].Definition) != `{"name":"a"}` {
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
	if last := h.Calls()[2]; last.Outcome != status.Error || last.Problem.Code != "ipc.ended_before_answer" {
		t.Errorf("a call of an engine that has ended: %+v", last)
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
				return fmt.Errorf("the engine did %q, want %q", got, want)
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
	stopHub() // nobody else could let them continue
	did(first, "pause true, pause false, pause true, pause false")
	did(second, "pause true, pause false, pause true, pause false")
}

func TestAttachedEngine(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	source := newEngine()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = NewAgent(AgentOptions{Source: source, About: About{Pid: 1}, Dial: func(context.Context) (net.Conn, error) {
			ours, theirs := net.Pipe()
			h.Attach(theirs)
			return ours, nil
		}}).Run(ctx)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	e := theEngine(t, h)
	if !e.Own {
		t.Error("the engine does not count as the app's own")
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
}

func TestSingleInstance(t *testing.T) {
	at := endpoint(t)
	if err := Show(t.Context(), at, ""); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	if _, err := Probe(t.Context(), at); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	shown := make(chan string, 10)
	h, stop := startHub(t, HubOptions{Endpoint: at, Config: "/home/ann/c.json", OnShow: func(open string) {
		shown <- open
	}})
	if _, err := Listen(HubOptions{Endpoint: at}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second app: %v", err)
	}
	for _, open := range []string{"", "/home/ann/office.toolbox.json"} {
		if err := Show(t.Context(), at, open); err != nil {
			t.Error(err)
		}
		if got := <-shown; got != open {
			t.Errorf("opened %q, want %q", got, open)
		}
	}
	if err := Show(t.Context(), at, strings.Repeat("x", maxOpen+1)); err != nil {
		t.Error(err)
	}
	if got := <-shown; got != "" {
		t.Errorf("opened %d bytes", len(got))
	}
	if config, err := Probe(t.Context(), at); err != nil || config != "/home/ann/c.json" {
		t.Errorf("%q, %v", config, err)
	}
	if n := len(h.Engines()); n != 0 {
		t.Errorf("%d engines", n)
	}
	stop()
	if err := Show(t.Context(), at, ""); !errors.Is(err, ErrNotRunning) {
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
		if took := time.Since(begun); took > time.Minute { // it normally takes 0.7 s
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

func BenchmarkSnapshots1000Servers(b *testing.B) {
	at := endpoint(b)
	h, _ := startHub(b, HubOptions{Endpoint: at})
	source := newEngine()
	servers := make([]status.Server, 1000)
	for i := range servers {
		servers[i] = status.Server{Toolbox: fmt.Sprintf("toolbox %d", i/20), Name: fmt.Sprintf("server %d", i),
			State: status.Connected, Since: time.Now(), Tools: 12, AllTools: 14, Title: "A server", Version: "1.2.3",
			Process: status.Process{Pid: i}}
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
