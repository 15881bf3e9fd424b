package toolbox

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
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked()
	os.Exit(m.Run())
}

// fake returns the entry of a server that is the test binary with a script.
func fake(name string, script fakeserver.Script) *config.Server {
	return &config.Server{
		Name:      name,
		Transport: config.TransportStdio,
		Command:   os.Args[0],
		Env:       []config.Variable{{Name: fakeserver.Variable, Value: strings.ReplaceAll(script.String(), "${", "$${")}},
	}
}

// missing returns the entry of a server that cannot be started.
func missing(name string) *config.Server {
	return &config.Server{Name: name, Transport: config.TransportStdio, Command: "no-such-program"}
}

func oneToolbox(name string, servers ...*config.Server) *config.Config {
	return &config.Config{ToolMode: config.ModeAuto, Toolboxes: []*config.Toolbox{{Name: name, Servers: servers}}}
}

func newManager(t *testing.T, cfg *config.Config, options Options) *Manager {
	t.Helper()
	options.Lookup = config.SystemLookup()
	m := NewManager(cfg, options)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // the servers need no time to end by themselves
		m.Shutdown(ctx)
	})
	return m
}

func open(t *testing.T, m *Manager, name string) *Opened {
	t.Helper()
	opened, err := m.Open(t.Context(), name, nil)
	if err != nil {
		t.Fatalf("opening %s: %v", name, err)
	}
	return opened
}

// eventually calls condition until it returns no error. It gives up after a minute.
func eventually(t *testing.T, condition func() error) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		err := condition()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// starts returns how often a fake with this PidFile was started.
func starts(t *testing.T, pidFile string) int {
	t.Helper()
	raw, err := os.ReadFile(pidFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(raw), "\n")
}

func TestDeadlineLeavesSlowServersPending(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	m := newManager(t, oneToolbox("dev",
		fake("slow", fakeserver.Script{InitializeDelayMs: 6000, PidFile: pids}),
		fake("quick", fakeserver.Script{}),
		missing("missing"),
	), Options{Deadline: 400 * time.Millisecond})

	// On a slow computer the quick server may need several deadlines too.
	var opened *Opened
	eventually(t, func() error {
		opened = open(t, m, "dev")
		if diff := cmp.Diff([]string{"slow"}, opened.Pending); diff != "" {
			return fmt.Errorf("pending:\n%s", diff)
		}
		return nil
	})
	if len(opened.Errors) != 1 || opened.Errors[0].Details.Server != "missing" {
		t.Errorf("errors: %v", opened.Errors)
	}

	// A call to the pending server fails and says what to do.
	_, err := m.Call(t.Context(), ToolID{"dev", "slow", "echo"}, downstream.Call{})
	var failure *Error
	if !errors.As(err, &failure) || failure.Code != contract.Unavailable ||
		!strings.Contains(failure.Sentence, "call again") {
		t.Errorf("calling a pending server: %v", err)
	}

	eventually(t, func() error {
		if opened = open(t, m, "dev"); opened.Connected != 2 {
			return errors.New("the slow server never came")
		}
		return nil
	})
	if opened.Servers[0].Name != "slow" || opened.Servers[1].Name != "quick" {
		t.Errorf("servers out of order: %v", opened.Servers)
	}
	if n := starts(t, pids); n != 1 {
		t.Errorf("the slow server was started %d times", n)
	}
}

func TestOpeningAgain(t *testing.T) {
	dir := t.TempDir()
	good, dying := filepath.Join(dir, "good"), filepath.Join(dir, "dying")
	m := newManager(t, oneToolbox("dev",
		fake("good", fakeserver.Script{PidFile: good}),
		fake("dying", fakeserver.Script{PidFile: dying, Tools: []json.RawMessage{fakeserver.Tool("die")}, DieOnCall: "die"}),
	), Options{})

	// Even if many calls come at once, each server is started once.
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if opened, err := m.Open(t.Context(), "dev", nil); err != nil || opened.Connected != 2 {
				t.Errorf("%+v, %v", opened, err)
			}
		})
	}
	wg.Wait()
	if a, b := starts(t, good), starts(t, dying); a != 1 || b != 1 {
		t.Fatalf("servers were started %d and %d times", a, b)
	}

	if _, err := m.Call(t.Context(), ToolID{"dev", "dying", "die"}, downstream.Call{}); err == nil {
		t.Fatal("the call that kills the server succeeded")
	}
	if opened := open(t, m, "dev"); opened.Connected != 2 || len(opened.Errors) != 0 {
		t.Errorf("after a death: %+v", opened)
	}
	if a, b := starts(t, good), starts(t, dying); a != 1 || b != 2 {
		t.Errorf("servers were started %d and %d times, want 1 and 2", a, b)
	}

	if n, was, err := m.Close(t.Context(), "dev"); n != 2 || !was || err != nil {
		t.Errorf("closing: %d, %v, %v", n, was, err)
	}
	if n, was, err := m.Close(t.Context(), "dev"); n != 0 || was || err != nil {
		t.Errorf("closing again: %d, %v, %v", n, was, err)
	}
	if _, _, err := m.Close(t.Context(), "other"); err == nil ||
		err.Error() != "Toolbox 'other' not found in configuration" {
		t.Errorf("closing a toolbox that is not configured: %v", err)
	}
}

func TestFailedServerIsTriedAgain(t *testing.T) {
	program := filepath.Join(t.TempDir(), "later")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	server := fake("later", fakeserver.Script{})
	server.Command = program
	m := newManager(t, oneToolbox("dev", server), Options{})
	if _, err := m.Open(t.Context(), "dev", nil); err == nil {
		t.Fatal("opened with a program that does not exist")
	}
	if names := m.OpenNames(); len(names) != 0 {
		t.Errorf("open after all failed: %v", names)
	}
	provide := os.Symlink
	if runtime.GOOS == "windows" { // where only administrators may make links
		provide = func(from, to string) error {
			source, err := os.ReadFile(from)
			if err != nil {
				return err
			}
			return os.WriteFile(to, source, 0o700)
		}
	}
	if err := provide(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	if opened := open(t, m, "dev"); opened.Connected != 1 {
		t.Errorf("after mending: %+v", opened)
	}
}

func TestCallWaitsForItsOwnServerOnly(t *testing.T) {
	m := newManager(t, oneToolbox("dev",
		fake("hanging", fakeserver.Script{Hang: "initialize"}),
		fake("quick", fakeserver.Script{}),
	), Options{})
	result, err := m.Call(t.Context(), ToolID{"dev", "quick", "echo"},
		downstream.Call{Arguments: json.RawMessage(`{"a":1}`)})
	if err != nil || string(jsonrpc.ValueOf(result, "structuredContent")) != `{"a":1}` {
		t.Errorf("%s, %v", result, err)
	}
}

func TestClosingWhileOpening(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	m := newManager(t, oneToolbox("dev", fake("hanging", fakeserver.Script{Hang: "initialize", PidFile: pids})),
		Options{})
	failed := make(chan error, 1)
	go func() {
		_, err := m.Open(context.Background(), "dev", nil)
		failed <- err
	}()
	eventually(t, func() error {
		if starts(t, pids) == 0 {
			return errors.New("the server was never started")
		}
		return nil
	})
	if _, was, err := m.Close(t.Context(), "dev"); !was || err != nil {
		t.Errorf("closing: %v, %v", was, err)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "closed while") {
		t.Errorf("opening ended with %v", err)
	}
}

func TestShutdownEndsEverything(t *testing.T) {
	m := newManager(t, oneToolbox("dev", fake("s", fakeserver.Script{}),
		fake("hanging", fakeserver.Script{Hang: "initialize"})), Options{Deadline: 300 * time.Millisecond})
	open(t, m, "dev")
	failed := make(chan error, 1)
	go func() {
		_, err := m.Call(context.Background(), ToolID{"dev", "s", "echo"},
			downstream.Call{Arguments: json.RawMessage(`{"delayMs":60000}`)})
		failed <- err
	}()
	m.Shutdown(t.Context())
	if err := <-failed; err == nil {
		t.Error("a call outlived the shutdown")
	}
	if _, err := m.Open(t.Context(), "dev", nil); err == nil {
		t.Error("opened after the shutdown")
	}
}

func TestSetConfigDrainsCalls(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	m := newManager(t, oneToolbox("dev", fake("gone", fakeserver.Script{CallLog: calls}),
		fake("kept", fakeserver.Script{})), Options{})
	open(t, m, "dev")
	done := make(chan error, 1)
	go func() {
		_, err := m.Call(context.Background(), ToolID{"dev", "gone", "echo"},
			downstream.Call{Arguments: json.RawMessage(`{"delayMs":500}`)})
		done <- err
	}()
	eventually(t, func() error {
		_, err := os.Stat(calls)
		return err
	})
	m.SetConfig(oneToolbox("dev", fake("kept", fakeserver.Script{})))
	if _, err := m.Call(t.Context(), ToolID{"dev", "gone", "echo"}, downstream.Call{}); err == nil ||
		!strings.HasPrefix(err.Error(), "Server 'gone' not found") {
		t.Errorf("a removed server answered: %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("the call in flight was not answered: %v", err)
	}
}

func TestEntryChangesWhileItsServerStarts(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	m := newManager(t, oneToolbox("dev", fake("s", fakeserver.Script{Hang: "initialize", PidFile: pids})), Options{})
	type outcome struct {
		opened *Opened
		err    error
	}
	opening, calling := make(chan outcome, 1), make(chan error, 1)
	go func() {
		opened, err := m.Open(context.Background(), "dev", nil)
		opening <- outcome{opened, err}
	}()
	eventually(t, func() error {
		if starts(t, pids) == 0 {
			return errors.New("the server was never started")
		}
		return nil
	})
	go func() {
		_, err := m.Call(context.Background(), ToolID{"dev", "s", "echo"}, downstream.Call{})
		calling <- err
	}()
	m.SetConfig(oneToolbox("dev", fake("s", fakeserver.Script{})))
	if o := <-opening; o.err != nil || o.opened.Connected != 1 {
		t.Errorf("opening ended with %+v, %v; want the result of the new entry", o.opened, o.err)
	}
	if err := <-calling; err != nil {
		t.Errorf("the call ended with %v", err)
	}
}

func TestFiltersAndNamesInDynamicMode(t *testing.T) {
	server := fake("s", fakeserver.Script{
		Tools: []json.RawMessage{fakeserver.Tool("a.b"), fakeserver.Tool("a_b"), fakeserver.Tool("c")}})
	server.ToolFilters = []string{"a.b", "c"}
	cfg := oneToolbox("dev", server)
	m := newManager(t, cfg, Options{})
	open(t, m, "dev")
	var names []string
	for _, r := range m.Lists.Tools(NewNamer(cfg, 0)) {
		names = append(names, r.Name)
	}
	// a_b is filtered out. Even so, "a.b" has the name that it would have if a_b were listed.
	want := NewNamer(cfg, 0).Names("dev", "s", []string{"a.b", "a_b", "c"})
	if diff := cmp.Diff([]string{want[0], want[2]}, names); diff != "" {
		t.Errorf("registered:\n%s", diff)
	}
	_, err := m.Call(t.Context(), ToolID{"dev", "s", "a_b"}, downstream.Call{})
	if err == nil || err.Error() != "Tool 'a_b' not found in server 's' (toolbox 'dev')" {
		t.Errorf("a filtered tool: %v", err)
	}
}

func TestCancelledOpen(t *testing.T) {
	m := newManager(t, oneToolbox("dev", fake("hanging", fakeserver.Script{Hang: "initialize"})), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Open(ctx, "dev", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// manyServers returns a configuration of many servers, with twenty servers in each toolbox.
func manyServers(n int) *config.Config {
	cfg := &config.Config{ToolMode: config.ModeAuto}
	for i := range n {
		if i%20 == 0 {
			cfg.Toolboxes = append(cfg.Toolboxes, &config.Toolbox{Name: fmt.Sprintf("toolbox %d", i/20)})
		}
		last := cfg.Toolboxes[len(cfg.Toolboxes)-1]
		last.Servers = append(last.Servers, missing(fmt.Sprintf("server %d", i)))
	}
	return cfg
}

// A toolbox without servers can be opened.
func TestToolboxWithoutServersIsOpen(t *testing.T) {
	m := newManager(t, oneToolbox("dev"), Options{})
	if len(m.Status().Open) != 0 {
		t.Fatal("the toolbox is open before it was opened")
	}
	open(t, m, "dev")
	if open := m.Status().Open; len(open) != 1 || open[0] != "dev" {
		t.Error("the toolbox is not open")
	}
}
