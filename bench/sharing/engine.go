//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// place is where engines are started.
type place struct{ program, folder string }

// mark is the variable by which the processes of a measurement are found. Its value is the folder.
const mark = "WORKBENCH_BENCH_RUN"

// engine is a running engine with an open toolbox.
type engine struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	number int
}

// start starts an engine and opens its toolbox.
func (p place) start(share bool) (*engine, error) {
	npm, err := filepath.Abs(filepath.Join("e2e", "npm", "node_modules", "@modelcontextprotocol"))
	if err != nil {
		return nil, err
	}
	servers := map[string]any{}
	for name, args := range map[string][]string{"everything": nil, "memory": nil, "filesystem": {p.folder}} {
		program := filepath.Join(npm, "server-"+name, "dist", "index.js")
		if _, err := os.Stat(program); err != nil {
			return nil, fmt.Errorf("%w; run e2e/npm/install", err)
		}
		servers[name] = map[string]any{"command": "node", "args": append([]string{program}, args...), "share": share,
			"env": map[string]string{mark: p.folder, "MEMORY_FILE_PATH": filepath.Join(p.folder, "memory.json")}}
	}
	text, err := json.Marshal(map[string]any{"toolMode": "proxy",
		"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": servers}}})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.folder, fmt.Sprintf("config-%t.json", share))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	e := &engine{cmd: exec.Command(p.program, "stdio", "--link=off", "--log-level=error", "--config", file, "--host",
		filepath.Join(p.folder, "run", "host.sock"))}
	e.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.folder, "LANG=C.UTF-8", mark + "=" + p.folder}
	e.cmd.Stderr = os.Stderr
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReaderSize(out, 1<<20)
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := e.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}}); err != nil {
		return nil, err
	}
	answer, err := e.ask("tools/call", map[string]any{"name": "open_toolbox",
		"arguments": map[string]any{"toolbox_name": "dev"}})
	if err != nil || strings.Contains(answer, `"isError":true`) {
		return nil, fmt.Errorf("opening the toolbox: %s, %w", answer, err)
	}
	return e, nil
}

// ask sends a request and returns the line of the answer.
func (e *engine) ask(method string, params any) (string, error) {
	e.number++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.number, "method": method, "params": params})
	if err != nil {
		return "", err
	}
	if _, err := e.in.Write(append(request, '\n')); err != nil {
		return "", err
	}
	for {
		line, err := e.out.ReadString('\n')
		if err != nil || strings.Contains(line, fmt.Sprintf(`"id":%d,`, e.number)) {
			return line, err
		}
	}
}

// echo calls the tool echo and returns how long that took.
func (e *engine) echo() (time.Duration, error) {
	begun := time.Now()
	answer, err := e.ask("tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
		"tool":      map[string]any{"toolbox": "dev", "server": "everything", "tool": "echo"},
		"arguments": map[string]any{"message": "hello"}}})
	took := time.Since(begun)
	if err == nil && !strings.Contains(answer, "Echo: hello") {
		err = fmt.Errorf("the answer is %s", answer)
	}
	return took, err
}

func (e *engine) end() {
	_ = e.in.Close()
	_ = e.cmd.Wait()
}
