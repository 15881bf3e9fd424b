package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/logs"
)

// TestLogsFollow checks that "logs --follow" shows the new lines of an engine that is started later.
func TestLogsFollow(t *testing.T) {
	config := configWith(t, map[string]string{"s": `{"echo": true, "stderr": ["hello from afar"]}`})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	follow := exec.Command(self)
	follow.Args = []string{"workbench-desktop", "logs", "dev", "s", "--follow", "--json", "--config", config}
	follow.Env = inHome(home)
	out, err := follow.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(30*time.Second, func() { _ = follow.Process.Kill() })
	defer func() {
		limit.Stop()
		_ = follow.Process.Kill()
		_ = follow.Wait()
	}()

	engine := startEngineIn(t, home, linkOff, config)
	engine.initialize()
	engine.open()
	var seen []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var line logs.Line
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, line.Text); line.Text == "hello from afar" {
			if line.Client != "Some Client" || line.Server != "s" || line.Pid != engine.cmd.Process.Pid {
				t.Errorf("the line is %+v", line)
			}
			return
		}
	}
	t.Errorf("only %q was shown", seen)
}
