package toolbox

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// stopIt stops the manager's server and checks that the server has ended and stays stopped.
func (th *testManager) stopIt(t *testing.T) {
	t.Helper()
	if err := th.Stop(t.Context(), "dev", "s"); err != nil {
		t.Error(err)
	}
	synctest.Wait()
	if s := th.server(); s.State != status.NotStarted || !s.Held || s.Problem != nil || !s.RetryAt.IsZero() {
		t.Errorf("stopped: %+v", s)
	}
	if th.current.Err() == nil {
		t.Error("the server was not ended")
	}
}

func TestStoppedServerStaysStopped(t *testing.T) {
	for what, again := range map[string]func(*testManager) error{
		"restart": func(th *testManager) error { return th.Restart(context.Background(), "dev", "s") },
		"open":    func(th *testManager) error { return th.OpenToolbox(context.Background(), "dev") },
		"close and open": func(th *testManager) error {
			return errors.Join(th.CloseToolbox(context.Background(), "dev"), th.OpenToolbox(context.Background(), "dev"))
		},
		"close and call": func(th *testManager) error {
			_, err := th.Call(context.Background(), ToolID{"dev", "s", "a"}, downstream.Call{})
			if err == nil {
				return errors.New("the call was not refused")
			}
			err = th.CloseToolbox(context.Background(), "dev")
			_, failed := th.Call(context.Background(), ToolID{"dev", "s", "a"}, downstream.Call{})
			return errors.Join(err, failed)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			th := newTestManager(t)
			open(t, th.Manager, "dev")
			th.stopIt(t)
			var failure *Error
			_, err := th.Call(t.Context(), ToolID{"dev", "s", "a"}, downstream.Call{})
			if !errors.As(err, &failure) || failure.Code != "UNAVAILABLE" ||
				!strings.Contains(failure.Sentence, "stopped this server") {
				t.Errorf("call: %v", err)
			}
			if n := len(th.Lists.Tools(NewNamer(th.Config(), 0))); n != 2 {
				t.Errorf("%d tools are registered, want all, so that calling them gives the reason", n)
			}
			// Neither the end of a pause nor a change of its entry starts it.
			th.SetPaused(true)
			th.SetPaused(false)
			th.SetConfig(oneToolbox("dev", &config.Server{Name: "s", Transport: config.TransportStdio, Command: "uvx"}))
			time.Sleep(time.Hour)
			synctest.Wait()
			if s := th.server(); th.count() != 1 || !s.Held {
				t.Errorf("started %d times: %+v", th.count(), s)
			}
			if err := again(th); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if s := th.server(); s.State != status.Connected || s.Held || th.count() != 2 {
				t.Errorf("%s: %+v, started %d times", what, s, th.count())
			}
		})
	}
}

// Stop also ends automatic restarts. It does nothing to a server that was never started.
func TestStopInEveryState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		if err := th.Stop(t.Context(), "dev", "s"); err != nil || th.server().Held {
			t.Errorf("not started: %v, %+v", err, th.server())
		}
		for _, id := range [][2]string{{"other", "s"}, {"dev", "other"}} {
			if err := th.Stop(t.Context(), id[0], id[1]); err == nil {
				t.Errorf("stopped %v", id)
			}
		}
		open(t, th.Manager, "dev")
		th.die() // it would be restarted after a second
		th.stopIt(t)
		time.Sleep(time.Hour)
		if th.count() != 1 {
			t.Errorf("started %d times", th.count())
		}
		th.stopIt(t) // the second stop has no effect
	})
}

// If a server is stopped while it starts, opening its toolbox fails with that reason. The next call does not
// start the server.
func TestStopWhileStarting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		th.super.dialer.connect = func(ctx context.Context, _ downstream.Options) (connection, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		failed := make(chan error, 1)
		go func() { failed <- th.OpenToolbox(context.Background(), "dev") }()
		synctest.Wait()
		if err := th.Stop(t.Context(), "dev", "s"); err != nil {
			t.Error(err)
		}
		if err := <-failed; err == nil || !strings.Contains(err.Error(), "the user has stopped this server") {
			t.Errorf("opening gave %v", err)
		}
		if _, err := th.Call(t.Context(), ToolID{"dev", "s", "a"}, downstream.Call{}); err == nil || !th.server().Held {
			t.Errorf("call: %v, %+v", err, th.server())
		}
	})
}
