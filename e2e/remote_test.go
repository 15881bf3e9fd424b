package e2e

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRemoteServers: a server with a web address is used like a server on this computer, over both
// transports.
func TestRemoteServers(t *testing.T) {
	needNPM(t)
	for kind, path := range map[string]string{"streamableHttp": "/mcp", "sse": "/sse"} {
		t.Run(kind, func(t *testing.T) {
			address := startRemote(t, kind) + path
			file := filepath.Join(t.TempDir(), "config.json")
			transport := "http"
			if kind == "sse" {
				transport = "sse"
			}
			text := fmt.Sprintf(`{"toolboxes":{"far":{"mcpServers":{"everything":{"transport":%q,"url":%q}}}}}`, transport, address)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), program, "call", "far", "everything", "echo", `{"message":"from afar"}`, "--config", file).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Echo: from afar") {
				t.Errorf("the call: %v\n%s", err, out)
			}
		})
	}
}

// startRemote starts server-everything on a free port and returns its address without the path.
func startRemote(t *testing.T, kind string) string {
	t.Helper()
	for range 5 { // another program may take the free port before the server does
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := listener.Addr().(*net.TCPAddr).Port
		listener.Close()
		server := exec.CommandContext(t.Context(), "node", npmPath("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), kind)
		server.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
		said, err := server.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for lines := bufio.NewScanner(said); lines.Scan(); {
			}
			_ = server.Wait()
		}()
		t.Cleanup(func() { _ = server.Process.Kill(); <-ended })
		if answers(port, ended) {
			return fmt.Sprintf("http://127.0.0.1:%d", port)
		}
	}
	t.Fatal("the remote server did not start")
	return ""
}

// answers reports whether something listens on the port. It gives up after a minute or when the server has
// ended.
func answers(port int, ended <-chan struct{}) bool {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err == nil {
			conn.Close()
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return false
}
