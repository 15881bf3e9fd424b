package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// appThatAsks starts the endpoint of a desktop app with a user at its window, as engines see it.
func appThatAsks(t *testing.T, at string) (*ipc.Hub, <-chan *ipc.Asked) {
	t.Helper()
	asked := make(chan *ipc.Asked, 100)
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: at, Program: version, OnAsk: func(q *ipc.Asked) { asked <- q }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = hub.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return hub, asked
}

// askingConfig writes a configuration with one toolbox, "dev", that asks first. calls is the file in which its server
// s records its calls.
func askingConfig(t *testing.T, mode, script string) (config, calls string) {
	t.Helper()
	calls = filepath.Join(t.TempDir(), "calls")
	config = configWith(t, map[string]string{"s": fmt.Sprintf(`{"callLog":%q%s}`, calls, script)})
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"mcpServers"`), []byte(`"askFirst":true,"mcpServers"`), 1)
	text = bytes.Replace(text, []byte(`{`), []byte(`{"toolMode":"`+mode+`",`), 1)
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return config, calls
}

// notCalled checks that the server was not called.
func notCalled(t *testing.T, calls string) {
	t.Helper()
	if text, err := os.ReadFile(calls); err == nil {
		t.Errorf("the server was called: %s", text)
	}
}

// message reads the next message of the engine.
func (c *aiClient) message() (m struct {
	ID     int
	Method string
	Params struct {
		ProgressToken any
		Message       string
	}
	Result json.RawMessage
}) {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		c.t.Fatalf("reading from the engine: %v: %s", err, line)
	}
	return m
}

// TestCallsWaitForThePerson checks that every way in which a client can call a tool waits for the user.
func TestCallsWaitForThePerson(t *testing.T) {
	const era = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	withMeta := strings.TrimSuffix(echoCall, "}") + "," + era + "}"
	direct := `{"name":"dev__s__echo","arguments":{"a":1}}`
	for name, about := range map[string]struct {
		script, mode, params string
		modern               bool
	}{
		"use_tool":               {"", "proxy", echoCall, false},
		"the tool itself":        {"", "dynamic", direct, false},
		"use_tool of 2026-07-28": {"", "proxy", withMeta, true},
		"a server of 2026-07-28": {`,"modern":true`, "proxy", withMeta, true},
		"a task": {`,"capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`, "proxy",
			strings.TrimSuffix(echoCall, "}") + `,"task":{}}`, false},
		"a tool that must be tasks": {
			`,"tools":[{"name":"echo","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]`, "proxy",
			echoCall, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := linkEndpoint(t)
			_, asked := appThatAsks(t, at)
			config, calls := askingConfig(t, about.mode, about.script)
			c := startEngine(t, at, config)
			if !about.modern {
				c.initialize()
				c.open()
			}
			id := c.send("tools/call", about.params)
			q := <-asked
			if q.Toolbox != "dev" || q.Server != "s" || q.Tool != "echo" || string(q.Arguments) != `{"a":1}` {
				t.Errorf("%+v", q.Question)
			}
			notCalled(t, calls)
			q.Answer(status.AllowOnce)
			if got, text := c.answer(); got != id {
				t.Errorf("%s", text)
			}
			if text, err := os.ReadFile(calls); err != nil || !strings.Contains(string(text), `"a":1`) {
				t.Errorf("the server got %s, %v", text, err)
			}

			id = c.send("tools/call", about.params)
			q = <-asked
			q.Answer(status.Refuse)
			got, text := c.answer()
			if got != id || !strings.Contains(text, `"isError":true`) ||
				!strings.Contains(text, "the user has refused this call") || !strings.Contains(text, "UNAVAILABLE") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestClientTakesItsCallBack(t *testing.T) {
	at := linkEndpoint(t)
	_, asked := appThatAsks(t, at)
	config, calls := askingConfig(t, "proxy", "")
	c := startEngine(t, at, config)
	c.initialize()
	id := c.send("tools/call", strings.TrimSuffix(echoCall, "}")+`,"_meta":{"progressToken":"p"}}`)
	q := <-asked
	if q.Client != "Some Client" {
		t.Errorf("the question names the client %q", q.Client)
	}
	for {
		if m := c.message(); m.Method == "notifications/progress" {
			if m.Params.ProgressToken != "p" || !strings.Contains(m.Params.Message, "Waiting for the user") {
				t.Errorf("%+v", m)
			}
			break
		}
	}
	fmt.Fprintf(c.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id)
	<-q.Context().Done()
	q.Answer(status.AllowOnce)
	c.ask("ping", "{}")
	notCalled(t, calls)
}

func TestNoWindowRuns(t *testing.T) {
	config, calls := askingConfig(t, "proxy", "")
	for name, more := range map[string][]string{"no app": nil, "an engine that looks for none": {"--link", "off"}} {
		c := startEngine(t, linkEndpoint(t), config, more...)
		c.initialize()
		if text := c.echo(); !strings.Contains(text, `"isError":true`) ||
			!strings.Contains(text, "the user is asked first") {
			t.Errorf("%s: %s", name, text)
		}
	}
	notCalled(t, calls)
}

// TestCallCommandAsks checks that "call" asks at the terminal, and refuses the call if a program runs the command.
func TestCallCommandAsks(t *testing.T) {
	config, calls := askingConfig(t, "proxy", "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"workbench-desktop", "call", "dev", "s", "echo", `{"a":1}`, "--config", config}
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LANG=C")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(in, "y\n")
		_ = in.Close()
	}()
	if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), "nobody can answer here") {
		t.Errorf("%s, %v", said, err)
	}
	notCalled(t, calls)
}

// TestAskFirstIsSwitched checks that a change of the setting applies from the next call on, without a restart of the
// server and while another call is running, and that another program cannot switch it off.
func TestAskFirstIsSwitched(t *testing.T) {
	at := linkEndpoint(t)
	hub, asked := appThatAsks(t, at)
	dir := t.TempDir()
	pids, cancelled := filepath.Join(dir, "pids"), filepath.Join(dir, "cancelled")
	path := configWith(t, map[string]string{"s": fmt.Sprintf(`{"pidFile":%q,"cancelFile":%q}`, pids, cancelled)})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	atServer := bytes.Replace(text, []byte(`"command"`), []byte(`"askFirst":true,"command"`), 1)
	atToolbox := bytes.Replace(text, []byte(`"mcpServers"`), []byte(`"askFirst":true,"mcpServers"`), 1)
	approvals := approval.New(approval.Options{
		Path: filepath.Join(dir, ".local", "state", "workbench", "approvals.json")})
	parsed := func(text []byte) *config.Config { return config.Parse(path, text).Config }
	if err := approvals.Begin(t.Context(), path, parsed(text)); err != nil {
		t.Fatal(err)
	}

	c := startEngineIn(t, dir, at, path)
	c.initialize()
	c.open()
	running := c.send("tools/call", strings.Replace(echoCall, `"a":1`, `"delayMs":600000`, 1))
	asks := func() bool {
		t.Helper()
		id, was := c.send("tools/call", echoCall), false
		answered := make(chan int, 1)
		go func() {
			got, _ := c.answer()
			answered <- got
		}()
		for {
			select {
			case q := <-asked:
				was = true
				q.Answer(status.AllowOnce)
			case got := <-answered:
				if got != id {
					t.Fatalf("the answer is to call %d, not %d", got, id)
				}
				return was
			}
		}
	}
	write := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	waits := func(engines []ipc.Engine) bool { return engines[0].Servers[0].Waits }
	until := func(want bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); asks() != want; {
			if time.Now().After(deadline) {
				t.Fatalf("calls ask the user: %v", !want)
			}
		}
	}
	if asks() {
		t.Error("a call asked before the setting was switched on")
	}
	for _, on := range [][]byte{atServer, atToolbox} {
		if err := approvals.Save(t.Context(), path, parsed(text), parsed(on)); err != nil {
			t.Fatal(err)
		}
		write(on)
		until(true)

		write(text) // as another program does
		see(t, hub, "a change that waits", waits)
		if !asks() {
			t.Error("another program has switched the setting off")
		}

		waiting := approvals.Waiting(path, parsed(text))
		if err := approvals.Approve(t.Context(), path, parsed(text), waiting...); err != nil {
			t.Fatal(err)
		}
		until(false)
	}

	fmt.Fprintf(c.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", running)
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if told, err := os.ReadFile(cancelled); err == nil && len(told) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the server has not received the call that was running from the beginning")
		}
	}
	if text, err := os.ReadFile(pids); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("the server was started again: %s, %v", text, err)
	}
}
