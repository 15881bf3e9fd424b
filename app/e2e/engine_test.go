//go:build linux

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/guardian"
)

// engine is an engine that an AI app has started. The test speaks to the real program through pipes, as the app would.
type engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// newEngine starts an engine on this desktop, as Claude Desktop does.
func (s *session) newEngine(t *testing.T) *engine {
	t.Helper()
	return s.newEngineOf(t, program, "stdio", "--config", s.config, "--link", s.link, "--client", "claude-desktop")
}

// newEngineOf starts an engine with a command.
func (s *session) newEngineOf(t *testing.T, command string, args ...string) *engine {
	t.Helper()
	e := &engine{cmd: exec.Command(command, args...)}
	e.cmd.Env = s.env
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.out = bufio.NewReader(out)
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.kill)
	e.call(t, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "claude-ai", "version": "0.1.0"},
	})
	return e
}

// kill ends the engine at once, like a crash.
func (e *engine) kill() {
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait()
}

// call sends a request and returns its result.
func (e *engine) call(t *testing.T, method string, params any) json.RawMessage {
	t.Helper()
	e.id++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.id, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.in.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := e.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("waiting for the answer to %s: %v", method, err)
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("the engine wrote %q: %v", line, err)
		}
		if answer.ID != e.id {
			continue // a notification
		}
		if answer.Error != nil {
			t.Fatalf("%s: %s", method, answer.Error)
		}
		return answer.Result
	}
}

// open makes the engine open a toolbox.
func (e *engine) open(t *testing.T, toolbox string) {
	t.Helper()
	result := e.call(t, "tools/call",
		map[string]any{"name": "open_toolbox", "arguments": map[string]any{"toolbox_name": toolbox}})
	if strings.Contains(string(result), `"isError":true`) {
		t.Fatalf("opening %s: %s", toolbox, result)
	}
}

// servers returns the process ids of the engine's servers.
func (e *engine) servers(t *testing.T) []int {
	t.Helper()
	return children(t, e.cmd.Process.Pid)
}

// children returns the child processes of all threads of a process, without the guardian of its servers.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may end meanwhile
		for _, word := range strings.Fields(string(text)) {
			line, _ := os.ReadFile("/proc/" + word + "/cmdline") // it may have ended
			if child, err := strconv.Atoi(word); err == nil &&
				!strings.HasSuffix(string(line), "\x00"+guardian.Command+"\x00") {
				all = append(all, child)
			}
		}
	}
	return all
}

// gone returns an error while a process exists.
func gone(pid int) func() error {
	return func() error {
		if syscall.Kill(pid, 0) == nil {
			return fmt.Errorf("process %d is still there", pid)
		}
		return nil
	}
}

// fake returns the entry of a server that follows a script. The server is this test binary.
func fake(script fakeserver.Script) map[string]any {
	return map[string]any{"command": os.Args[0],
		"env": map[string]string{fakeserver.Variable: script.String(), "GORACE": "atexit_sleep_ms=0"}}
}

// configured returns a configuration with a toolbox "dev" of these servers.
func configured(servers map[string]any) string {
	text, err := json.MarshalIndent(map[string]any{"toolboxes": map[string]any{
		"dev": map[string]any{"description": "Development tools", "mcpServers": servers},
	}}, "", "  ")
	if err != nil {
		panic(err) // cannot fail for strings
	}
	return string(text)
}
