package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// The bodies of requests after the id.
const (
	initializeBody = `,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	openBody       = `,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"bench"}}}`
	initialized    = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	arguments      = `{"path":"/srv/data/notes/2026/november/meeting.md","offset":1024}`
)

// target is one way to the same server.
type target struct {
	name    string
	command []string
	env     []string
	open    bool                     // a toolbox must be opened first
	body    func(tool string) string // of a call of one of the bench server's tools
	echo    string                   // the body of a call of server-everything's echo
	file    string                   // the engine's configuration
}

// targets is every way that is measured.
type targets struct {
	direct, floor, proxy, dynamic *target
	// crowded is the engine with many toolboxes of many servers.
	crowded *target
	// reloading is an engine whose configuration changes.
	reloading *target
	// peer is the command that starts a proxy of others; nil if it is not installed.
	peer []string
	// The same for the real server; nil when it isn't installed.
	realDirect, realFloor, realProxy *target
}

// The size of the crowded configuration.
const (
	crowdedToolboxes = 50
	crowdedServers   = 20
)

func newTargets(dir, root, engine string) (*targets, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	home := filepath.Join(dir, "home") // keeps the user's own configuration out
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, fmt.Errorf("making an empty home: %w", err)
	}
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "USERPROFILE=" + home}
	server := []string{self, roleServer}
	plain := func(tool string) string {
		return `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	}
	engineTarget := func(name, mode string, config map[string]any) (*target, error) {
		file := filepath.Join(dir, name+".json")
		raw, err := json.Marshal(config)
		if err != nil {
			return nil, fmt.Errorf("writing the configuration %s: %w", name, err)
		}
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			return nil, fmt.Errorf("writing the configuration %s: %w", name, err)
		}
		return &target{
			name:    name,
			command: []string{engine, "stdio", "--config", file},
			env:     append([]string{"WORKBENCH_TOOL_MODE=" + mode}, env...),
			open:    true,
			file:    file,
		}, nil
	}
	t := &targets{
		peer:   peerProgram(root),
		direct: &target{name: "direct", command: server, env: env, body: plain},
		floor:  &target{name: "floor", command: append([]string{self, roleFloor}, server...), env: env, body: plain},
	}
	if t.proxy, err = engineTarget("proxy", "proxy", oneToolbox(server)); err != nil {
		return nil, err
	}
	t.proxy.body = func(tool string) string { return useTool(tool, arguments) }
	if t.dynamic, err = engineTarget("dynamic", "dynamic", oneToolbox(server)); err != nil {
		return nil, err
	}
	t.dynamic.body = func(tool string) string { return plain("bench__server__" + tool) }
	if t.reloading, err = engineTarget("reloading", "proxy", oneToolbox(server)); err != nil {
		return nil, err
	}
	t.reloading.open = false
	if t.crowded, err = engineTarget("crowded", "proxy", manyToolboxes(server)); err != nil {
		return nil, err
	}

	everything := filepath.Join(root, "e2e", "npm", "node_modules", "@modelcontextprotocol", "server-everything", "dist",
		"index.js")
	if _, err := os.Stat(everything); err != nil {
		return t, nil
	}
	const message = `{"message":"hello"}`
	echo := `,"method":"tools/call","params":{"name":"echo","arguments":` + message + `}}`
	node := []string{"node", everything}
	t.realDirect = &target{name: "real direct", command: node, env: env, echo: echo}
	t.realFloor = &target{name: "real floor", command: append([]string{self, roleFloor}, node...), env: env, echo: echo}
	if t.realProxy, err = engineTarget("real", "proxy", oneToolbox(node)); err != nil {
		return nil, err
	}
	t.realProxy.echo = useTool("echo", message)
	return t, nil
}

func useTool(tool, arguments string) string {
	return `,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"bench","server":"server","tool":"` + tool +
		`"},"arguments":` + arguments + `}}}`
}

func serverEntry(command []string) map[string]any {
	return map[string]any{"command": command[0], "args": command[1:]}
}

func oneToolbox(command []string) map[string]any {
	return map[string]any{"toolboxes": map[string]any{
		"bench": map[string]any{"description": "What is measured",
			"mcpServers": map[string]any{"server": serverEntry(command)}},
	}}
}

func manyToolboxes(command []string) map[string]any {
	toolboxes := map[string]any{}
	for i := range crowdedToolboxes {
		servers := map[string]any{}
		for k := range crowdedServers {
			entry := serverEntry(command)
			entry["env"] = map[string]any{"TOKEN": "${BENCH_TOKEN:-none}", "LEVEL": "info"}
			servers[fmt.Sprintf("server-%02d", k)] = entry
		}
		toolboxes[fmt.Sprintf("toolbox-%02d", i)] = map[string]any{
			"description": fmt.Sprintf("Toolbox number %d of many", i), "mcpServers": servers}
	}
	return map[string]any{"toolboxes": toolboxes}
}

// connect starts the target and prepares it for calls.
func (t *target) connect() (*client, error) {
	c, err := start(t.command, t.env)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	err = c.call(initializeBody, 0)
	if err == nil {
		err = c.notify(initialized)
	}
	if err == nil && t.open {
		err = c.call(openBody, 0)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	return c, nil
}

// memory returns the current and the peak resident memory of a process, in bytes; ok is false if the system
// does not tell.
func memory(pid int) (now, peak int64, ok bool) {
	if runtime.GOOS != "linux" {
		return 0, 0, false
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, false
	}
	return statusKiB(raw, "VmRSS:") << 10, statusKiB(raw, "VmHWM:") << 10, true
}
