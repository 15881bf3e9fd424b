package toolbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// owner is a server that uses a port or a file exclusively and needs a while to release it.
type owner struct {
	*fakeConnection
	linger time.Duration
	killed *atomic.Bool // set if an owner was killed before its time to end was over
}

func (o *owner) Close(ctx context.Context) error {
	select {
	case <-o.done:
	case <-time.After(o.linger):
	case <-ctx.Done():
		o.killed.Store(true)
	}
	return o.fakeConnection.Close(ctx)
}

// newOwners returns a manager whose server cannot be started while the previous one is still running.
func newOwners(t *testing.T, linger time.Duration) *testManager {
	th := newTestManager(t)
	th.killed = &atomic.Bool{}
	th.super.dialer.connect = func(context.Context, downstream.Options) (connection, error) {
		th.mu.Lock()
		defer th.mu.Unlock()
		th.starts = append(th.starts, time.Now())
		if th.current != nil && th.current.Err() == nil {
			return nil, errors.New("the port is in use")
		}
		th.current = &fakeConnection{done: make(chan struct{})}
		return &owner{th.current, linger, th.killed}, nil
	}
	return th
}

// change gives the server another command.
func (th *testManager) change(command string) {
	th.SetConfig(oneToolbox("dev", &config.Server{Name: "s", Transport: config.TransportStdio, Command: command}))
}

// A server must be gone before it is started again, for whatever reason it was ended: both may need the same
// port or file.
func TestServerIsNotStartedBesideItself(t *testing.T) {
	for what, change := range map[string]func(*testManager){
		"changed":       func(th *testManager) { th.change("uvx") },
		"changed twice": func(th *testManager) { th.change("uvx"); th.change("bunx") },
		"changed twice, one after the other": func(th *testManager) {
			th.change("uvx")
			time.Sleep(time.Second)
			th.change("bunx")
		},
		"changed while paused": func(th *testManager) {
			th.SetPaused(true)
			th.change("uvx")
			th.SetPaused(false)
		},
		"changed twice while paused": func(th *testManager) {
			th.SetPaused(true)
			th.change("uvx")
			th.change("bunx")
			th.SetPaused(false)
		},
		"changed, deleted and put back while paused": func(th *testManager) {
			th.SetPaused(true)
			th.change("uvx")
			th.SetConfig(oneToolbox("dev"))
			synctest.Wait()
			th.change("npx")
			th.SetPaused(false)
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
		"changed and closed while paused": func(th *testManager) {
			th.SetPaused(true)
			th.change("uvx")
			go func() { _, _, _ = th.Close(context.Background(), "dev") }()
			synctest.Wait()
			th.SetPaused(false)
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
		"paused when it had changed": func(th *testManager) {
			th.change("uvx")
			synctest.Wait()
			th.SetPaused(true)
			th.SetPaused(false)
		},
		"changed while it is being stopped": func(th *testManager) {
			go func() { _ = th.Stop(context.Background(), "dev", "s") }()
			synctest.Wait()
			th.change("uvx")
			go func() { _ = th.Restart(context.Background(), "dev", "s") }()
		},
		"closed and opened": func(th *testManager) {
			go func() { _, _, _ = th.Close(context.Background(), "dev") }()
			synctest.Wait()
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
		"switched off and on": func(th *testManager) {
			entry := *th.Config().Toolboxes[0].Servers[0]
			entry.Disabled = true
			th.SetConfig(oneToolbox("dev", &entry))
			th.change("npx")
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
		"deleted and put back": func(th *testManager) {
			th.SetConfig(oneToolbox("dev"))
			th.change("npx")
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
		"deleted with its toolbox and put back": func(th *testManager) {
			th.SetConfig(oneToolbox("other"))
			th.change("npx")
			th.SetPaused(true)
			th.SetPaused(false)
			go func() { _, _ = th.Open(context.Background(), "dev", nil) }()
		},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				th := newOwners(t, 3*time.Second)
				open(t, th.Manager, "dev")
				change(th)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if s := th.server(); s.State != status.Connected || th.count() != 2 || th.killed.Load() {
					t.Errorf("%+v, started %d times, killed: %v", s, th.count(), th.killed.Load())
				}
			})
		})
	}
}

// Calls in flight have as much time as when the user restarts the server. Later calls wait for the new
// server.
func TestChangedEntryDrainsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newOwners(t, 0)
		open(t, th.Manager, "dev")
		th.boxes.mu.Lock()
		l := th.boxes.open["dev"].links["s"]
		th.boxes.mu.Unlock()
		for _, c := range []struct {
			takes, want time.Duration
		}{{time.Second, time.Second}, {time.Hour, restartDrain}} {
			l.calls.Add(1)
			answered := time.AfterFunc(c.takes, l.calls.Done)
			begun, old := time.Now(), th.current
			th.change(c.takes.String())
			synctest.Wait()
			if old.Err() != nil {
				t.Error("the server was ended with a call in flight")
			}
			if _, err := th.Call(t.Context(), ToolID{"dev", "s", "a"}, downstream.Call{}); err != nil {
				t.Error(err)
			}
			if waited := time.Since(begun); waited != c.want || old.Err() == nil {
				t.Errorf("a call that takes %v: the next one waited for %v", c.takes, waited)
			}
			if answered.Stop() {
				l.calls.Done()
			}
			th.boxes.mu.Lock()
			l = th.boxes.open["dev"].links["s"]
			th.boxes.mu.Unlock()
		}
	})
}

// While a server waits for the end of the previous one, nothing that happens to it shortens the time of the
// previous one: not the two seconds for its calls, and not the time to end by itself.
func TestWhatFollowsAChangeCutsNoCallShort(t *testing.T) {
	for what, follow := range map[string]func(*testManager){
		"changed":   func(th *testManager) { th.change("bunx") },
		"stopped":   func(th *testManager) { _ = th.Stop(context.Background(), "dev", "s") },
		"paused":    func(th *testManager) { th.SetPaused(true) },
		"deleted":   func(th *testManager) { th.SetConfig(oneToolbox("dev")) },
		"restarted": func(th *testManager) { _ = th.Restart(context.Background(), "dev", "s") },
	} {
		for takes, lives := range map[time.Duration]time.Duration{1500 * time.Millisecond: 1500 * time.Millisecond,
			time.Hour: restartDrain} {
			t.Run(what+" with a call of "+takes.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					const linger = 3 * time.Second
					th := newOwners(t, linger)
					open(t, th.Manager, "dev")
					th.boxes.mu.Lock()
					l := th.boxes.open["dev"].links["s"]
					th.boxes.mu.Unlock()
					l.calls.Add(1)
					answered := time.AfterFunc(takes, l.calls.Done)
					begun, first := time.Now(), th.current
					th.change("uvx")
					time.Sleep(time.Second)
					go follow(th)
					<-first.Done()
					if lived := time.Since(begun); lived != lives+linger || th.killed.Load() {
						t.Errorf("the server lived for %v, want %v; killed: %v", lived, lives+linger, th.killed.Load())
					}
					if answered.Stop() {
						l.calls.Done()
					}
					synctest.Wait()
					want := 1
					if what == "changed" || what == "restarted" {
						want = 2
					}
					if n := th.count(); n != want {
						t.Errorf("the server was started %d times, want %d", n, want)
					}
				})
			})
		}
	}
}

// Closing the toolbox at this time does not wait for calls, and leaves no server behind.
func TestCloseWhileAChangedServerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newOwners(t, time.Second)
		open(t, th.Manager, "dev")
		th.boxes.mu.Lock()
		l := th.boxes.open["dev"].links["s"]
		th.boxes.mu.Unlock()
		l.calls.Add(1)
		defer l.calls.Done()
		th.change("uvx")
		synctest.Wait()
		if _, _, err := th.Close(t.Context(), "dev"); err != nil {
			t.Error(err)
		}
		if th.current.Err() == nil || th.count() != 1 {
			t.Errorf("the server was started %d times, and has ended with %v", th.count(), th.current.Err())
		}
	})
}

// TestUnapprovedChange: a server whose changed entry is not approved keeps its old entry, even when it ends
// and is restarted. It uses the new entry as soon as that is approved.
func TestUnapprovedChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newOwners(t, 0)
		approved := map[string]bool{"npx": true}
		var mu sync.Mutex
		th.pins.approve = func(_ context.Context, _ string, entry *config.Server) error {
			mu.Lock()
			defer mu.Unlock()
			if approved[entry.Command] {
				return nil
			}
			return errors.New("not approved")
		}
		th.options.Approve = th.pins.approve
		th.change("npx")
		if _, err := th.Open(t.Context(), "dev", nil); err != nil {
			t.Fatal(err)
		}
		th.change("evil")
		synctest.Wait()
		if now := th.Status().Servers[0]; now.State != status.Connected || !now.Waits || len(th.starts) != 1 {
			t.Fatalf("after the change: %+v, %d starts", now, len(th.starts))
		}
		// The server ends, and is restarted with the old entry.
		th.current.die(downstream.ErrStopped)
		time.Sleep(5 * time.Second)
		if now := th.Status().Servers[0]; now.State != status.Connected || !now.Waits || len(th.starts) != 2 {
			t.Fatalf("after its end: %+v, %d starts", now, len(th.starts))
		}
		mu.Lock()
		approved["evil"] = true
		mu.Unlock()
		th.Reconsider()
		time.Sleep(5 * time.Second)
		if now := th.Status().Servers[0]; now.State != status.Connected || now.Waits || len(th.starts) != 3 {
			t.Errorf("once approved: %+v, %d starts", now, len(th.starts))
		}
		th.Shutdown(t.Context())
	})
}

// A server that was not started because it is not approved is started as soon as it is approved, without a
// call.
func TestApprovedServerStarts(t *testing.T) {
	var approved atomic.Bool
	m := newManager(t, oneToolbox("dev", fake("known", fakeserver.Script{}), fake("new", fakeserver.Script{})),
		Options{Approve: func(_ context.Context, _ string, entry *config.Server) error {
			if entry.Name == "known" || approved.Load() {
				return nil
			}
			return errors.New("not approved")
		}})
	if opened := open(t, m, "dev"); len(opened.Servers) != 1 {
		t.Fatalf("opened with %d servers", len(opened.Servers))
	}
	if s := m.Status().Servers[1]; s.State == status.Connected {
		t.Fatalf("before it is approved, the server is %v", s.State)
	}
	approved.Store(true)
	m.Reconsider()
	eventually(t, func() error {
		if s := m.Status().Servers[1]; s.State != status.Connected {
			return fmt.Errorf("after the approval, the server is %v", s.State)
		}
		return nil
	})
}
