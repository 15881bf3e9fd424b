//go:build linux

package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// answer is the answer to a request.
type answer struct {
	Result json.RawMessage
	Error  json.RawMessage
}

// client is a client with its engine. It counts how often each of its requests is answered.
type client struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	over  chan struct{} // the engine's output has ended
	said  built.Buffer  // the engine's log
	ended sync.Once
	ears  chan struct{} // has one value; while it is taken, no output is read

	mu       sync.Mutex
	app      map[string]string // what it answers when the engine asks, by method; none: it cannot be asked
	last     int
	waiting  map[int]chan answer
	answered map[int]int
	strange  []string // lines that are not messages, or answer no request
}

// command returns a command that runs the engine for a configuration file, with a home of its own.
func command(t testing.TB, file string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program(), append([]string{"stdio", "--link=off", "--config", file}, args...)...)
	cmd.Env = surroundings(t.TempDir())
	return cmd
}

// surroundings returns an environment with a home of its own.
func surroundings(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8"}
}

// connect starts an engine and greets it.
func connect(t testing.TB, cmd *exec.Cmd) *client {
	t.Helper()
	c := begin(t, cmd)
	c.greet(t)
	return c
}

// begin starts an engine and reads its output.
func begin(t testing.TB, cmd *exec.Cmd) *client {
	t.Helper()
	c := &client{cmd: cmd, over: make(chan struct{}), waiting: map[int]chan answer{}, answered: map[int]int{},
		ears: make(chan struct{}, 1)}
	c.ears <- struct{}{}
	cmd.Stderr = &c.said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.in = in
	go c.read(out)
	t.Cleanup(func() { c.kill(t) })
	return c
}

func (c *client) greet(t testing.TB) {
	t.Helper()
	able := map[string]any{}
	for method := range c.app {
		capability, _, _ := strings.Cut(method, "/")
		able[capability] = map[string]any{}
	}
	c.ask(t, "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": able,
		"clientInfo": map[string]any{"name": "faults", "version": "1"}})
	if _, err := io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
}

// read reads answers until the engine's output ends.
func (c *client) read(out io.Reader) {
	defer close(c.over)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		c.ears <- <-c.ears
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var message struct {
			ID     json.RawMessage
			Method string
			answer
		}
		err = json.Unmarshal(line, &message)
		id, notOurs := strconv.Atoi(string(message.ID))
		c.mu.Lock()
		switch {
		case err != nil:
			c.strange = append(c.strange, fmt.Sprintf("%.200q: %v", line, err))
		case message.Method != "":
			if said := c.app[message.Method]; said != "" { // an error would be one of a call, too
				_, _ = fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", message.ID, said)
			}
		case notOurs != nil:
			c.strange = append(c.strange, fmt.Sprintf("%.200q", line))
		default:
			c.answered[id]++
			if waiting := c.waiting[id]; waiting != nil {
				delete(c.waiting, id)
				waiting <- message.answer
			}
		}
		c.mu.Unlock()
	}
}

// send sends a request, whose answer comes on the channel.
func (c *client) send(method string, params any) (<-chan answer, error) {
	came := make(chan answer, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = came
	c.answered[id] += 0
	c.mu.Unlock()
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err == nil {
		_, err = c.in.Write(append(request, '\n'))
	}
	return came, err
}

// ask sends a request and waits for its answer.
func (c *client) ask(t testing.TB, method string, params any) answer {
	t.Helper()
	came, err := c.send(method, params)
	if err != nil {
		t.Fatalf("%s: %v\n%s", method, err, c.said.String())
	}
	select {
	case a := <-came:
		return a
	case <-c.over:
		t.Fatalf("%s: the engine ended\n%s", method, c.said.String())
	case <-time.After(patience):
		t.Fatalf("%s: no answer\n%s", method, c.said.String())
	}
	return answer{}
}

func toolCall(name string, arguments any) map[string]any {
	return map[string]any{"name": name, "arguments": arguments}
}

// useTool is the call of a tool in proxy mode.
func useTool(server, tool string, arguments any) map[string]any {
	return toolCall("use_tool", map[string]any{"tool": map[string]any{"toolbox": "dev", "server": server, "tool": tool},
		"arguments": arguments})
}

// open opens the toolbox "dev".
func (c *client) open(t testing.TB) {
	t.Helper()
	if a := c.ask(t, "tools/call", toolCall("open_toolbox", map[string]any{"toolbox_name": "dev"})); a.Error != nil ||
		bytes.Contains(a.Result, []byte(`"isError":true`)) {
		t.Fatalf("open_toolbox: %s%.2000s\n%s", a.Error, a.Result, c.said.String())
	}
}

// close closes the toolbox "dev".
func (c *client) close(t testing.TB) {
	t.Helper()
	if a := c.ask(t, "tools/call", toolCall("close_toolbox", map[string]any{"toolbox_name": "dev"})); a.Error != nil {
		t.Fatalf("close_toolbox: %s", a.Error)
	}
}

// kill ends the engine like a crash.
func (c *client) kill(t testing.TB) {
	t.Helper()
	c.ended.Do(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Process.Signal(syscall.SIGCONT)
		<-c.over
		_ = c.cmd.Wait()
	})
}

// leave closes the engine's stdin and returns how it ended.
func (c *client) leave(t testing.TB) error {
	t.Helper()
	var err error
	c.ended.Do(func() {
		_ = c.in.Close()
		select {
		case <-c.over:
		case <-time.After(patience):
			t.Error("the engine still runs after the end of its stdin")
			_ = c.cmd.Process.Kill()
			<-c.over
		}
		err = c.cmd.Wait()
	})
	return err
}

// once checks that each request was answered exactly once. It returns the number of requests.
func (c *client) once(t testing.TB) int {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var wrong []string
	for id, times := range c.answered {
		if times != 1 {
			wrong = append(wrong, fmt.Sprintf("%d: %d times", id, times))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("of %d requests, %d were not answered exactly once: %.500s", len(c.answered), len(wrong),
			strings.Join(wrong, ", "))
	}
	if len(c.strange) > 0 {
		t.Errorf("the engine wrote %.2000q", c.strange)
	}
	return len(c.answered)
}

// servers are entries of the toolbox "dev".
type servers map[string]map[string]any

// save writes a configuration with one toolbox, "dev", with these servers, and returns its path. The environment of
// each server and of its children has the mark of this test.
func (s servers) save(t testing.TB) (file string, run runID) {
	t.Helper()
	run = newRun(t)
	for _, entry := range s {
		env := map[string]string{}
		if own, ok := entry["env"].(map[string]string); ok {
			maps.Copy(env, own)
		}
		env[runVariable] = string(run)
		entry["env"] = env
	}
	text, err := json.Marshal(map[string]any{"toolMode": "proxy",
		"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": s}}})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "workbench-config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, run
}

// fake returns the entry of a server that follows a script: this test binary, started again.
func fake(script fakeserver.Script) map[string]any {
	return map[string]any{"command": os.Args[0],
		"env": map[string]string{fakeserver.Variable: script.String(), "GORACE": "atexit_sleep_ms=0"}}
}

// fakes returns n plain servers.
func fakes(n int) servers {
	s := servers{}
	for i := range n {
		s[fmt.Sprintf("server-%03d", i)] = fake(fakeserver.Script{})
	}
	return s
}

// shell returns the entry of a plain server that a shell script starts after it has run other commands.
func shell(first string) map[string]any {
	entry := fake(fakeserver.Script{})
	entry["command"], entry["args"] = "sh", []string{"-c", first + ` exec "$0"`, os.Args[0]}
	return entry
}
