package pool

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// heard has the lines of a server's log in several engines, each with the name of the engine.
type heard struct {
	mu    sync.Mutex
	lines []string
}

func (h *heard) by(engine string) func(downstream.LogLine) {
	return func(line downstream.LogLine) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if line.Source != downstream.SourceEngine {
			h.lines = append(h.lines, fmt.Sprintf("%s %s %s %s", engine, line.Source, line.Level, line.Text))
		}
	}
}

// saying returns the lines with a text.
func (h *heard) saying(text string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []string
	for _, line := range h.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// TestLoggedOnce: a line of a shared server's log comes once for each configuration that has the server, with its
// source and level, also when the engine has left that had the lines before.
func TestLoggedOnce(t *testing.T) {
	h := startTestHost(t, Options{})
	var log heard
	engine := func(name, config string) *downstream.Session {
		o := h.options(t, fakeserver.Script{Stderr: []string{"it starts"}, StdoutNoise: []string{"noise"}, LogOnCall: "called",
			Capabilities: []byte(`{"tools":{},"logging":{}}`)})
		o.OnLog = log.by(name)
		s, err := h.share(t.Context(), downstream.Sharing{Of: o, App: name, Config: config})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b, other := engine("a", "one"), engine("b", "one"), engine("other", "two")
	defer leave(t, other)
	await(t, "what it wrote", func() bool { return len(log.saying("it starts")) > 0 && len(log.saying("noise")) > 0 })
	call := func(s *downstream.Session, want ...string) {
		t.Helper()
		before := len(log.saying("called"))
		if _, err := echo(t.Context(), s, "{}"); err != nil {
			t.Error(err)
		}
		await(t, "the message", func() bool { return len(log.saying("called")) >= before+len(want) })
		got := log.saying("called")[before:]
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the message is in the logs %q, want %q", got, want)
		}
	}
	call(b, "a message warning called", "other message warning called")
	leave(t, a)
	call(b, "b message warning called", "other message warning called")
	leave(t, b)
	call(other, "other message warning called")
	for _, text := range []string{"it starts", "noise"} {
		if got := log.saying(text); len(got) != 1 {
			t.Errorf("%q is in the logs %q", text, got)
		}
	}
}

// TestWhoUses: the host says which apps use a server, in which process, and in which place of their configuration.
func TestWhoUses(t *testing.T) {
	h := startTestHost(t, Options{})
	at := func(endpoint string) *Client { return NewClient(ClientOptions{Build: "y", Endpoint: endpoint}) }
	if used, err := at(h.endpoint).Used(t.Context()); err != nil || len(used) != 0 {
		t.Errorf("at first it says %v, %v", used, err)
	}
	o := h.options(t, fakeserver.Script{})
	o.Toolbox = "dev"
	for _, app := range []string{"Cursor", "Zed"} {
		s, err := h.share(t.Context(), downstream.Sharing{Of: o, App: app, Config: "/c.json"})
		if err != nil {
			t.Fatal(err)
		}
		defer leave(t, s)
		if s.Info().Pid == 0 {
			t.Error("the process is not known")
		}
		used, err := at(h.endpoint).Used(t.Context())
		want := Use{s.Info().Pid, app, "/c.json", "dev", "fake"}
		if err != nil || len(used) == 0 || used[len(used)-1] != want {
			t.Errorf("with %s it says %v, %v, want %v", app, used, err, want)
		}
	}
	if used, err := at(h.endpoint + "-none").Used(t.Context()); err != nil || len(used) != 0 {
		t.Errorf("without a host there are %v, %v", used, err)
	}
}
