package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// promptly is how soon the app must see a change in an engine. It takes milliseconds if the machine is not busy.
// Without a notification, the app would see the change only with the next heartbeat, which comes every 5 s.
const promptly = 4 * time.Second

// aiClient is an AI app that has started an engine.
type aiClient struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr lockedBuffer
	lastID int
	ended  chan struct{}
}

// linkEndpoint returns an endpoint for an app.
func linkEndpoint(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		return `\\.\pipe\workbench-test-` + rand.Text()
	}
	folder, err := os.MkdirTemp("", "wb") // t.TempDir is too long for a socket on some systems
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, "run", "app.sock")
}

// configWith writes a configuration with one toolbox, "dev", with these servers. Each value is the script of a fake
// server.
func configWith(t *testing.T, servers map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "fakeserver")
	if err := os.Symlink(self, program); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	entries := map[string]any{}
	for name, script := range servers {
		file := filepath.Join(dir, name+".json")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		entries[name] = map[string]any{"command": program, "args": []string{file}}
	}
	text, err := json.Marshal(map[string]any{"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": entries}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// inHome returns the environment with another home folder, so that the user's own files do not affect the test.
func inHome(folder string) []string {
	return append(os.Environ(), "HOME="+folder, "USERPROFILE="+folder, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
}

// startEngine starts the program as an AI app does.
func startEngine(t *testing.T, at, config string, more ...string) *aiClient {
	t.Helper()
	return startEngineIn(t, t.TempDir(), at, config, more...)
}

func startEngineIn(t *testing.T, home, at, config string, more ...string) *aiClient {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &aiClient{t: t, cmd: exec.Command(self), ended: make(chan struct{})}
	c.cmd.Args = append([]string{"workbench-desktop", "stdio", "--link", at, "--client", "cursor", "--config", config},
		more...)
	c.cmd.Stderr, c.cmd.Env = &c.stderr, inHome(home)
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(stdout)
	t.Cleanup(func() {
		_ = c.in.Close()
		select {
		case <-c.ended:
			return
		default:
		}
		kill := time.AfterFunc(20*time.Second, func() { _ = c.cmd.Process.Kill() })
		_, _ = io.Copy(io.Discard, c.out)
		_ = c.cmd.Wait()
		kill.Stop()
		if t.Failed() {
			t.Logf("the stderr of the engine:\n%s", c.stderr.String())
		}
	})
	return c
}

// send sends a request and returns its id.
func (c *aiClient) send(method, params string) int {
	c.t.Helper()
	c.lastID++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.lastID, method,
		params); err != nil {
		c.t.Fatal(err)
	}
	return c.lastID
}

// answer reads messages up to the next answer.
func (c *aiClient) answer() (id int, text string) {
	c.t.Helper()
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			c.t.Fatalf("reading from the engine: %v\n%s", err, c.stderr.String())
		}
		var message struct{ ID int }
		if json.Unmarshal([]byte(line), &message) == nil && message.ID != 0 {
			return message.ID, line
		}
	}
}

func (c *aiClient) ask(method, params string) string {
	c.t.Helper()
	want := c.send(method, params)
	for {
		if id, text := c.answer(); id == want {
			return text
		}
	}
}

func (c *aiClient) initialize() {
	c.t.Helper()
	c.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Some Client","version":"4.5"}}`)
}

func (c *aiClient) open() string {
	c.t.Helper()
	return c.ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`)
}

const echoCall = `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"},"arguments":{"a":1}}}`

func (c *aiClient) echo() string {
	c.t.Helper()
	return c.ask("tools/call", echoCall)
}

// startApp opens the endpoint of a desktop app, so that engines connect to it.
func startApp(t *testing.T, at string) (*ipc.Hub, func()) {
	t.Helper()
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: at, Program: version})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = hub.Run(ctx) })
	stop := func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return hub, stop
}

// see waits until the hub's engines satisfy a condition, and returns how long that took.
func see(t *testing.T, hub *ipc.Hub, what string, condition func([]ipc.Engine) bool) time.Duration {
	t.Helper()
	begun := time.Now()
	changed, cancel := hub.Subscribe()
	defer cancel()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for !condition(hub.Engines()) {
		select {
		case <-changed:
		case <-limit.C:
			t.Fatalf("the app does not see %s: %+v", what, hub.Engines())
		}
	}
	return time.Since(begun)
}

// sees waits for a state of the server s of the only engine.
func sees(t *testing.T, hub *ipc.Hub, want status.State) (ipc.Engine, status.Server, time.Duration) {
	t.Helper()
	var engine ipc.Engine
	var server status.Server
	took := see(t, hub, "s "+string(want), func(engines []ipc.Engine) bool {
		if len(engines) != 1 {
			return false
		}
		engine = engines[0]
		for _, server = range engine.Servers {
			if server.Name == "s" && server.State == want {
				return true
			}
		}
		return false
	})
	return engine, server, took
}

func noEngines(engines []ipc.Engine) bool { return len(engines) == 0 }

func TestAppSeesAnEngine(t *testing.T) {
	at := linkEndpoint(t)
	hub, _ := startApp(t, at)
	config := configWith(t, map[string]string{"s": `{"stderr":["hello from the server"]}`})
	c := startEngine(t, at, config)
	engine, _, _ := sees(t, hub, status.NotStarted)
	if engine.Pid != c.cmd.Process.Pid || engine.Config != config || engine.ClientID != "cursor" ||
		engine.Program != version || engine.ClientName != "" || engine.Started.IsZero() {
		t.Errorf("%+v", engine)
	}
	c.initialize()
	see(t, hub, "the client", func(engines []ipc.Engine) bool {
		return engines[0].ClientName == "Some Client" && engines[0].ClientVersion == "4.5" &&
			!engines[0].Initialized.IsZero()
	})
	c.open()
	engine, server, took := sees(t, hub, status.Connected)
	if server.Tools != 1 || server.Process.Pid == 0 || server.Title != "fake" || len(engine.Open) != 1 {
		t.Errorf("%+v", server)
	}
	t.Logf("connected, seen %v after the answer", took)

	c.echo()
	changed, cancel := hub.Subscribe()
	begun := time.Now()
	for len(hub.Calls()) == 0 {
		<-changed
	}
	cancel()
	if took := time.Since(begun); took > promptly {
		t.Errorf("the call was seen after %v", took)
	}
	if call := hub.Calls()[0]; call.Tool != "echo" || call.Outcome != status.Done || call.Arguments != `{"a":1}` ||
		call.Client != "Some Client" {
		t.Errorf("%+v", call)
	}
	tools, err := hub.Tools(t.Context(), engine.ID, "dev", "s")
	if err != nil || len(tools) != 1 || !tools[0].Allowed {
		t.Errorf("%+v, %v", tools, err)
	}
	lines, err := hub.Log(t.Context(), engine.ID, "dev", "s")
	var log strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&log, "%s: %s\n", line.Source, line.Words())
	}
	if err != nil || !strings.Contains(log.String(), "stderr: hello from the server") ||
		!strings.Contains(log.String(), "engine: Connected, 1 tool") {
		t.Errorf("the log is %s, %v", log.String(), err)
	}

	// The server is killed. The app sees this at once, and the server is restarted.
	process, err := os.FindProcess(server.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	begun = time.Now()
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, dead, _ := sees(t, hub, status.Stopped)
	took = time.Since(begun)
	if took > promptly || dead.RetryAt.IsZero() || dead.Problem == nil {
		t.Errorf("the death was seen after %v: %+v", took, dead)
	}
	_, back, again := sees(t, hub, status.Connected)
	if back.Process.Pid == server.Process.Pid {
		t.Error("the server was not started again")
	}
	t.Logf("a server's death was seen after %v, its return after %v more", took, again)

	if err := hub.Restart(t.Context(), engine.ID, "dev", "s"); err != nil {
		t.Error(err)
	}
	if _, restarted, _ := sees(t, hub, status.Connected); restarted.Process.Pid == back.Process.Pid {
		t.Error("the server was not restarted")
	}
	if err := hub.CloseToolbox(t.Context(), engine.ID, "dev"); err != nil {
		t.Error(err)
	}
	sees(t, hub, status.NotStarted)
	if err := hub.OpenToolbox(t.Context(), engine.ID, "dev"); err != nil {
		t.Error(err)
	}
	sees(t, hub, status.Connected)

	begun = time.Now()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	see(t, hub, "the end of the engine", noEngines)
	if took := time.Since(begun); took > promptly {
		t.Errorf("a killed engine was still shown after %v", took)
	} else {
		t.Logf("a killed engine was gone after %v", took)
	}
	_ = c.cmd.Wait()
	close(c.ended)
}

func TestAppAfterEnginesAndAgain(t *testing.T) {
	at := linkEndpoint(t)
	config := configWith(t, map[string]string{"s": `{}`})
	first, second := startEngine(t, at, config), startEngine(t, at, config)
	first.initialize()
	second.initialize()
	first.open()
	for round := range 2 {
		hub, stop := startApp(t, at)
		took := see(t, hub, "both engines", func(engines []ipc.Engine) bool {
			return len(engines) == 2 && len(engines[0].Servers) == 1 && len(engines[1].Servers) == 1 &&
				len(engines[0].Open)+len(engines[1].Open) == 1 &&
				engines[0].ClientName != "" && engines[1].ClientName != ""
		})
		t.Logf("round %d: both engines were seen after %v", round+1, took)
		if took > patience {
			t.Error("the engines were seen too late")
		}
		stop()
	}
	if answer := first.echo(); !strings.Contains(answer, `"structuredContent":{"a":1}`) {
		t.Errorf("the engine answers %s", answer)
	}
}

// TestCallsUnderAnAppThatHangs checks that an app that accepts connections, sends hello and never reads does not
// affect clients.
func TestCallsUnderAnAppThatHangs(t *testing.T) {
	at := linkEndpoint(t)
	if runtime.GOOS == "windows" {
		t.Skip("the pipe has no listener of ours here")
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", at)
	if err != nil {
		t.Fatal(err)
	}
	conns := make(chan net.Conn, 10)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = fmt.Fprintf(conn, "{\"type\":\"hello\",\"version\":%d}\n", ipc.Version)
			conns <- conn
		}
	}()
	defer listener.Close()
	c := startEngine(t, at, configWith(t, map[string]string{"s": `{"stderrFlood":20000}`}))
	c.initialize()
	c.open()
	<-conns
	const calls = 3000
	begun := time.Now()
	seen := map[int]bool{}
	for range calls / 30 {
		for range 30 {
			c.send("tools/call", echoCall)
		}
		for range 30 {
			id, text := c.answer()
			if seen[id] = true; !strings.Contains(text, `"structuredContent":{"a":1}`) {
				t.Fatalf("the answer is %s", text)
			}
		}
	}
	if len(seen) != calls {
		t.Errorf("%d of %d calls were answered", len(seen), calls)
	}
	t.Logf("%d calls in %v", calls, time.Since(begun))
	begun = time.Now()
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c.out)
	_ = c.cmd.Wait()
	close(c.ended)
	if took := time.Since(begun); took > patience {
		t.Errorf("the engine took %v to end", took)
	}
}

func TestPauseAndResume(t *testing.T) {
	at := linkEndpoint(t)
	hub, stop := startApp(t, at)
	c := startEngine(t, at, configWith(t, map[string]string{"s": `{}`}))
	c.initialize()
	c.open()
	_, server, _ := sees(t, hub, status.Connected)
	hub.SetPaused(true)
	see(t, hub, "the pause", func(engines []ipc.Engine) bool { return engines[0].Paused })
	if answer := c.echo(); !strings.Contains(answer, "paused Workbench") || !strings.Contains(answer, "UNAVAILABLE") {
		t.Errorf("a call: %s", answer)
	}
	if answer := c.open(); !strings.Contains(answer, "Toolbox 'dev' cannot be opened: the user has paused Workbench") {
		t.Errorf("opening: %s", answer)
	}
	if err := poll(func() error {
		if processExists(server.Process.Pid) {
			return errors.New("the server is still there")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	hub.SetPaused(false)
	sees(t, hub, status.Connected)
	if answer := c.echo(); !strings.Contains(answer, `"structuredContent":{"a":1}`) {
		t.Errorf("resumed: %s", answer)
	}

	hub.SetPaused(true)
	see(t, hub, "the pause", func(engines []ipc.Engine) bool { return engines[0].Paused })
	begun := time.Now()
	stop() // only the app could end the pause, so the engine ends it by itself
	if err := poll(func() error {
		if answer := c.echo(); !strings.Contains(answer, `"structuredContent":{"a":1}`) {
			return errors.New(answer)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	t.Logf("without its app the engine went on after %v", time.Since(begun))
}

// processExists reports whether a process exists, as far as the system shows it.
func processExists(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}
