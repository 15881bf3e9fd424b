package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInspector runs the command line of the MCP inspector, which makes a new connection for every request.
func TestInspector(t *testing.T) {
	needNPM(t)
	w := newWorkshop(t)
	engine := w.standard()
	raw, err := json.Marshal(object{"mcpServers": object{"workbench": object{
		"type": "stdio", "command": engine.command, "args": engine.args, "env": engine.env,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	servers := filepath.Join(w.home, "mcp.json")
	if err := os.WriteFile(servers, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(t *testing.T, arguments ...string) object {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
		defer cancel()
		base := []string{npmPath("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build",
			"index.js"),
			"--cli", "--config", servers, "--server", "workbench", "--method"}
		cmd := exec.CommandContext(ctx, "node", append(base, arguments...)...)
		cmd.Env = append(os.Environ(), "HOME="+w.home, "NO_COLOR=1")
		out, err := cmd.Output()
		if err != nil {
			stderr := ""
			if exit, ok := err.(*exec.ExitError); ok {
				stderr = string(exit.Stderr)
			}
			t.Fatalf("inspector %q: %v\n%s%s", arguments, err, out, stderr)
		}
		var answer object
		decode(t, out, &answer)
		return answer
	}

	t.Run("tools/list", func(t *testing.T) {
		t.Parallel()
		var tools []object
		for _, tool := range asList(ask(t, "tools/list")["tools"]) {
			tools = append(tools, tool.(object))
		}
		if diff := cmp.Diff([]string{"close_toolbox", "open_toolbox", "use_tool"}, sorted(names(tools))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("open_toolbox", func(t *testing.T) {
		t.Parallel()
		var files opened
		decode(t, []byte(firstText(t, ask(t, "tools/call", "--tool-name", "open_toolbox", "--tool-arg",
			"toolbox_name=files"))), &files)
		if files.ServersConnected != 1 || len(files.Tools) != 2 {
			t.Errorf("open_toolbox answers %+v", files)
		}
	})
	t.Run("use_tool", func(t *testing.T) {
		t.Parallel()
		result := ask(t, "tools/call", "--tool-name", "use_tool",
			"--tool-arg", `tool={"toolbox":"dev","server":"everything","tool":"echo"}`, `arguments={"message":"hello"}`)
		if got := firstText(t, result); got != "Echo: hello" {
			t.Errorf("use_tool answers %q", got)
		}
	})
}
