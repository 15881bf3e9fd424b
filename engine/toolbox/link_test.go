package toolbox

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// infoOnly is a session of which only Info may be called.
type infoOnly struct {
	connection
	info downstream.Info
}

func (i infoOnly) Info() downstream.Info { return i.info }

func TestLinkStates(t *testing.T) {
	problem := &status.Problem{Kind: status.KindExited}
	steps := map[string]func(*link){
		"connect": func(l *link) { l.connect(infoOnly{info: downstream.Info{Pid: 7}}) },
		"fail":    func(l *link) { l.fail(problem) },
		"wait":    func(l *link) { l.wait(time.Minute) },
		"hold":    (*link).hold,
		"park":    (*link).park,
		"leave":   func(l *link) { l.leave(errRestarted) },
	}
	for _, walk := range []struct{ steps, states string }{
		{"connect fail wait", "starting connected failed waiting"},
		{"fail wait", "starting failed waiting"},
		{"wait", "starting starting"}, // only what has failed is tried again
		{"connect connect", "starting connected connected"},
		{"connect wait", "starting connected connected"},
		{"fail fail", "starting failed failed"},
		{"fail wait wait", "starting failed waiting waiting"},
		{"hold connect fail", "starting held held held"}, // the server came up as it was stopped
		{"park connect fail", "starting parked parked parked"},
		{"leave connect fail wait", "starting leaving leaving leaving leaving"},
		{"connect hold", "starting connected held"},
		{"connect park", "starting connected parked"},
		{"connect leave", "starting connected leaving"},
		{"fail wait hold leave", "starting failed waiting held leaving"},
		{"fail wait park leave", "starting failed waiting parked leaving"},
	} {
		var log bytes.Buffer
		l := newLink("dev", &config.Server{Name: "s"}, nil,
			slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		states, changes := []string{l.state.name()}, 0
		for step := range strings.FieldsSeq(walk.steps) {
			before := l.state
			steps[step](l)
			states = append(states, l.state.name())
			if l.state.name() != before.name() {
				changes++
			}
		}
		if got := strings.Join(states, " "); got != walk.states {
			t.Errorf("%s: the states are %q, want %q", walk.steps, got, walk.states)
		}
		if lines := strings.Count(log.String(), "\n"); lines != changes {
			t.Errorf("%s: %d lines of log for %d changes:\n%s", walk.steps, lines, changes, log.String())
		}
	}
}

// TestLinkStateData checks that what is asked of a link follows from its state alone.
func TestLinkStateData(t *testing.T) {
	down := time.Now().Add(-time.Hour)
	problem := &status.Problem{Kind: status.KindExited}
	failed := failedState{down, problem}
	for _, c := range []struct {
		state   state
		problem *status.Problem
		why     error
		now     status.State
		usable  bool
	}{
		{startingState{down}, nil, nil, status.Starting, true},
		{failed, problem, nil, status.Failed, false},
		{waitingState{failed, down}, problem, nil, status.Stopped, false},
		{heldState{down}, nil, errHeld, status.NotStarted, false},
		{parkedState{down}, nil, errPaused, status.NotStarted, false},
		{restingState{down}, nil, errResting, status.NotStarted, false},
		{leavingState{errClosed}, nil, errClosed, status.NotStarted, false},
	} {
		l := newLink("dev", &config.Server{Name: "s"}, nil, slog.New(slog.DiscardHandler))
		l.state = c.state
		if c.state.name() != "starting" {
			close(l.attempt.ready)
		}
		var out status.Server
		l.describe(&out)
		if l.problem() != c.problem || l.why() != c.why || out.State != c.now || l.usable() != c.usable {
			t.Errorf("%s: problem %v, why %v, status %v, usable %v", c.state.name(), l.problem(), l.why(), out.State,
				l.usable())
		}
		if _, leaving := c.state.(leavingState); !leaving && !out.Since.Equal(down) {
			t.Errorf("%s: since %v, want %v", c.state.name(), out.Since, down)
		}
	}
}

// TestLinksThatNeverBegin checks that nobody waits for a link without an attempt.
func TestLinksThatNeverBegin(t *testing.T) {
	for want, made := range map[error]func(string, *config.Server, *journal,
		*slog.Logger) *link{errResting: newRestingLink, errPaused: newParkedLink, errHeld: newHeldLink} {
		l := made("dev", &config.Server{Name: "s"}, nil, slog.New(slog.DiscardHandler))
		if !l.settled() || l.connected() || l.usable() || l.why() != want || l.end(t.Context()) {
			t.Errorf("%v: settled %v, connected %v, usable %v, why %v", want, l.settled(), l.connected(), l.usable(), l.why())
		}
	}
}
