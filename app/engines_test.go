package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pool"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// openToolbox opens or closes a toolbox in the app's own engine.
func (b *bench) openToolbox(name string, open bool) {
	b.t.Helper()
	id, ok := b.engines.OwnEngine()
	if !ok {
		b.t.Fatal("there is no own engine")
	}
	do := b.engines.Hub.CloseToolbox
	if open {
		do = b.engines.Hub.OpenToolbox
	}
	go do(b.t.Context(), id, name)
}

// The app's own engine opens toolboxes, runs tools and reports when a server dies.
func TestOwnEngine(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"good": {},
		"bad": {InitializeError: json.RawMessage(`{"code": -32601, "message": "no"}`)}}), nil)
	b.untilOwn()
	b.openToolbox("dev", true)
	b.untilWord("good", "Connected")
	b.untilWord("bad", "Can't start")
	b.until(func() string {
		if tools := b.now.view.Toolboxes[0]; tools.Cost.Open == 0 {
			return "what it costs open is not known"
		}
		return ""
	})

	var result json.RawMessage
	var failed error
	b.detail.Run(t.Context(), edit.Target{Toolbox: "dev", Server: "good"}, "echo", json.RawMessage(`{"text": "hello"}`),
		func(float64, float64, string) {}, func(r json.RawMessage, err error) { result, failed = r, err })
	b.until(func() string {
		if result == nil && failed == nil {
			return "no result"
		}
		return ""
	})
	if failed != nil || !strings.Contains(string(result), "hello") {
		t.Errorf("the tool answered %s, %v", result, failed)
	}

	pid := b.now.Live.Server("dev", "good").Process.Pid
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		if now := b.now.Live.Server("dev", "good"); now.State == status.Connected && now.Process.Pid == pid {
			return "that the server has died is not seen"
		}
		return ""
	})
	b.restart(model.Choice{Toolbox: "dev", Server: "good"})
	b.untilWord("good", "Connected")
	b.until(func() string {
		if len(b.now.Tools[model.Choice{Toolbox: "dev", Server: "good"}]) == 0 {
			return "its tools are not known"
		}
		return ""
	})
	b.openToolbox("dev", false)
	b.untilWord("good", "Ready")
}

func (b *bench) untilOwn() {
	b.t.Helper()
	b.until(func() string {
		if _, ok := b.engines.OwnEngine(); !ok {
			return "the own engine is not there"
		}
		return ""
	})
}

// A server can be tried without starting the other servers of its toolbox.
func TestTryItStartsTheServerAlone(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}, "b": {}}), nil)
	b.untilOwn()
	var failed error
	came := false
	b.detail.Run(t.Context(), edit.Target{Toolbox: "dev", Server: "a"}, "echo", json.RawMessage(`{}`),
		func(float64, float64, string) {}, func(_ json.RawMessage, err error) { failed, came = err, true })
	b.until(func() string {
		if !came {
			return "no result"
		}
		return ""
	})
	if failed != nil {
		t.Fatal(failed)
	}
	b.untilWord("a", "Connected")
	if got := b.word("b"); got != "Not started" {
		t.Errorf("the other server is %q", got)
	}
}

// A tool that is tried while its server starts waits for that start and does not cause another, because the first may
// be a download.
func TestTryItTwiceStartsOnce(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {InitializeDelayMs: 500, PidFile: pids}}), nil)
	b.untilOwn()
	var results []error
	try := func() {
		b.detail.Run(t.Context(), edit.Target{Toolbox: "dev", Server: "a"}, "echo", json.RawMessage(`{}`),
			func(float64, float64, string) {}, func(_ json.RawMessage, err error) { results = append(results, err) })
	}
	try()
	b.until(func() string {
		if _, err := os.Stat(pids); err != nil {
			return "the server was not started"
		}
		return ""
	})
	try()
	b.until(func() string {
		if len(results) < 2 {
			return "no result"
		}
		return ""
	})
	if err := errors.Join(results...); err != nil {
		t.Error(err)
	}
	started, err := os.ReadFile(pids)
	if n := strings.Count(string(started), "\n"); err != nil || n != 1 {
		t.Errorf("it was started %d times, %v", n, err)
	}
}

func TestServerTabs(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	b.untilOwn()
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.showTab(at, model.TabTools)
	if b.detail.At != at {
		t.Fatalf("the right side shows %v", b.detail.At)
	}
	b.start(at)
	b.until(func() string {
		if len(b.detail.List()) != 1 || b.detail.List()[0].Name != "echo" {
			return fmt.Sprintf("the tools are %v", b.detail.List())
		}
		return ""
	})
	lines := map[string]int{}
	b.detail.Feed.Screen = counted{b.tasks, lines}
	b.showTab(at, model.TabLog)
	b.until(func() string {
		if len(lines) == 0 {
			return "the log is empty"
		}
		return ""
	})
	before := len(lines)
	b.restart(at)
	b.until(func() string {
		if len(lines) == before {
			return "what comes later is not in the log"
		}
		return ""
	})
	b.toolboxes.Select(model.Choice{Toolbox: "dev"})
	if b.detail.At.Server != "" {
		t.Errorf("with a toolbox chosen the right side still follows %v", b.detail.At)
	}
}

// counted counts the lines of a log by their words, on the goroutine of the window.
type counted struct {
	tasks *task.Tasks
	lines map[string]int
}

func (c counted) SetLines(at model.Choice, all []status.LogLine) {
	c.tasks.Do(func() { clear(c.lines) })
	c.AddLines(at, all)
}

func (c counted) AddLines(_ model.Choice, more []status.LogLine) {
	c.tasks.Do(func() {
		for _, line := range more {
			c.lines[line.Words().String()]++
		}
	})
}

// The log of a server begins with the lines of earlier runs, each once, even if no engine runs the server.
func TestLogOfEarlierRuns(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	b.untilOwn()
	at := model.Choice{Toolbox: "dev", Server: "a"}
	earlier := logs.NewWriter(logs.Options{Folder: b.options.Logs, Config: b.options.Location.Path, Pid: 1,
		Started: time.Now()})
	earlier.Server("dev", "a", status.LogLine{Time: time.Now().Add(-time.Hour), Source: "stderr",
		Text: "from another app"})
	earlier.Close(10 * time.Second)
	lines := map[string]int{}
	b.detail.Feed.Screen = counted{b.tasks, lines}
	b.showTab(at, model.TabLog)
	b.until(func() string {
		if lines["from another app"] != 1 {
			return fmt.Sprintf("the log has %v", lines)
		}
		return ""
	})
	b.start(at)
	b.until(func() string {
		if got := b.options.Logs.Read(
			logs.Selection{Config: b.options.Location.Path, Toolbox: "dev", Server: "a"}); len(got) < 3 {
			return fmt.Sprintf("only %d lines are kept", len(got))
		}
		return ""
	})
	b.showTab(at, model.TabSetup)
	b.drain()
	b.showTab(at, model.TabLog)
	b.until(func() string {
		if lines["from another app"] != 1 || lines["Connected, 1 tool"] != 1 {
			return fmt.Sprintf("the log has %v", lines)
		}
		return ""
	})
}

// If a server changes its tools but not their number, the new ones are shown.
func TestChangedTools(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {
		Tools: []json.RawMessage{fakeserver.Tool("one")}, Tools2: []json.RawMessage{fakeserver.Tool("two")},
		ListChangedAfterCall: true,
	}}), nil)
	b.untilOwn()
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.showTab(at, model.TabTools)
	b.start(at)
	shows := func(name string) {
		t.Helper()
		b.until(func() string {
			if len(b.detail.List()) != 1 || b.detail.List()[0].Name != name {
				return fmt.Sprintf("the tab has %v", b.detail.List())
			}
			return differs(strings.Join(b.now.view.Toolboxes[0].Servers[0].Tools, ", "), name)
		})
	}
	shows("one")
	b.detail.Run(t.Context(), edit.Target{Toolbox: "dev", Server: "a"}, "one", json.RawMessage(`{}`),
		func(float64, float64, string) {}, func(json.RawMessage, error) {})
	shows("two")
}

// client starts something like the engine of another process, which connects to the app by itself.
func (b *bench) client(id, name string) (manager *toolbox.Manager, end func()) {
	b.t.Helper()
	document := config.Parse(b.path, []byte(b.text()))
	manager = toolbox.NewManager(document.Config, toolbox.Options{Lookup: config.Lookup{Env: os.LookupEnv},
		ShareKey: pool.Key})
	agent := ipc.NewAgent(ipc.AgentOptions{
		Endpoint: b.link, Source: manager,
		About: ipc.About{Pid: os.Getpid(), Program: "test", Config: b.path, Started: time.Now(), ClientID: id},
	})
	agent.SetClient(name, "1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = agent.Run(ctx)
	}()
	ended := false
	end = func() {
		if !ended {
			ended = true
			cancel()
			<-done
			manager.Shutdown(context.Background())
		}
	}
	b.t.Cleanup(end)
	return manager, end
}

func TestEnginesOfClients(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	manager, end := b.client("claude-desktop", "claude-ai")
	clients := func(want string) {
		t.Helper()
		b.until(func() string { return differs(b.window.Status.Clients.Text(), want) })
	}
	clients("Claude Desktop: connected")
	begun := time.Now()
	if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
		t.Fatal(err)
	}
	b.untilWord("a", "Connected")
	t.Logf("connected and shown after %v", time.Since(begun))
	b.model.Apps.Known = true // none of them is connected here: somebody has written its entry
	b.until(func() string {
		if text := b.shownText(); !strings.Contains(text, "Claude Desktop can use 1 of 1 server.") {
			return "the window says " + text
		}
		return ""
	})
	if got := b.now.Live.Server("dev", "a").Clients; len(got) != 1 || got[0] != "Claude Desktop" {
		t.Errorf("it is connected by %q", got)
	}

	// A change in an engine is shown within half a second.
	pid := b.now.Live.Server("dev", "a").Process.Pid
	process, _ := os.FindProcess(pid)
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	begun = time.Now()
	b.until(func() string {
		if b.now.Live.Server("dev", "a").Process.Pid == pid {
			return "its death is not seen"
		}
		return ""
	})
	t.Logf("a server's death was seen after %v", time.Since(begun))

	b.pause(true)
	b.until(func() string {
		if !b.now.Live.Paused || !manager.Status().Paused {
			return "the engine is not paused"
		}
		return ""
	})
	b.untilWord("a", "Paused")
	b.until(func() string {
		if !b.window.Paused.Visible() {
			return "the window does not say that it is paused"
		}
		return ""
	})
	for _, object := range test.LaidOutObjects(b.window.Paused) {
		if button, ok := object.(*kit.Button); ok && button.Text == "Resume" {
			test.Tap(button)
		}
	}
	b.until(func() string {
		if manager.Status().Paused {
			return "the engine is still paused"
		}
		if b.window.Paused.Visible() {
			return "the window still says that it is paused"
		}
		return ""
	})
	end()
	b.until(func() string {
		if got := b.window.Status.Clients.Text(); !strings.HasPrefix(got, "Claude Desktop — last seen ") {
			return "it says " + got
		}
		return ""
	})
}

// An engine with another configuration file may have servers with the same names.
func TestEngineElsewhere(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	path := b.path
	b.path += ".other"
	b.write(fakes(map[string]fakeserver.Script{"a": {}}))
	manager, _ := b.client("cursor", "")
	b.path = path
	if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		for _, engine := range b.now.Live.Engines {
			if engine.Elsewhere && len(engine.Open) == 1 {
				return ""
			}
		}
		return "the engine is not seen"
	})
	if got := b.word("a"); got != "Not started" {
		t.Errorf("our server is %q", got)
	}

	// Its calls are of its own servers, so the screen of the calls does not show them.
	ours, _ := b.client("claude-desktop", "claude-ai")
	echo := toolbox.ToolID{Toolbox: "dev", Server: "a", Tool: "echo"}
	for _, manager := range []*toolbox.Manager{manager, ours} {
		if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := manager.Call(t.Context(), echo, downstream.Call{Arguments: []byte(`{}`)}); err != nil {
			t.Fatal(err)
		}
	}
	b.places.Choose(placeActivity)
	b.until(func() string {
		for _, call := range b.now.Calls {
			if call.Client != "Claude Desktop" {
				return "a call of " + call.Client + " is shown"
			}
		}
		return map[bool]string{true: "no call is shown"}[len(b.now.Calls) == 0]
	})
}

// The log of an engine can be read from its card, while it runs and after it was lost.
func TestLogOfAnEngine(t *testing.T) {
	b := newBench(t, fakes(nil), nil)
	started := time.Now()
	writer := logs.NewWriter(logs.Options{Folder: b.options.Logs, Config: b.options.Location.Path, Pid: 7,
		Started: started})
	log := slog.New(logs.Handler(writer))
	log.Info("it has begun")
	serverlog.ShowEngine(model.Engine{Client: "Claude", Pid: 7, Started: started}, b.window, b.tasks, b.options.Logs)
	shows := func(want string) {
		b.until(func() string {
			if top := b.window.Window.Canvas().Overlays().Top(); top == nil ||
				!strings.Contains(test.RenderObjectToMarkup(top), want) {
				return "the log does not show " + want
			}
			return ""
		})
	}
	shows("Log of the engine of Claude")
	shows("it has begun")
	log.Info("it goes on")
	shows("it goes on")
	writer.Close(time.Second)
	b.window.Dismiss()
	if b.window.Window.Canvas().Overlays().Top() != nil {
		t.Error("Esc does not close it")
	}
}
