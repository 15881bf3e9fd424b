//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SIGTERM ends validate at once, even while it cannot go on: here nobody reads what it says of 2,000 problems.
func TestSignalEndsValidate(t *testing.T) {
	self, err := exec.LookPath("workbench-desktop")
	if err != nil {
		t.Fatal(err)
	}
	var servers []string
	for i := range 2000 {
		servers = append(servers, fmt.Sprintf(`"s%d": {"comand": 5}`, i))
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"toolboxes": {"d": {"mcpServers": {`+strings.Join(servers, ",")+`}}}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "validate", "--json", "--config", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReaderSize(out, 16).Peek(1); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if state, err := cmd.Process.Wait(); err != nil || state.Success() {
		t.Errorf("%v, %v", state, err)
	}
}
