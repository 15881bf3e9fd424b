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
			address := startRemote(t, kind).address() + path
			file := filepath.Join(t.TempDir(), "config.json")
			transport := "http"
			if kind == "sse" {
				transport = "sse"
			}
			text := fmt.Sprintf(`{"toolboxes":{"far":{"mcpServers":{"everything":{"transport":%q,"url":%q}}}}}`, transport,
				address)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), program, "call", "far", "everything", "echo",
				`{"message":"from afar"}`, "--config", file).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Echo: from afar") {
				t.Errorf("the call: %v\n%s", err, out)
			}
		})
	}
}

// TestRemoteServerRestarts: when a remote server was restarted and knows no session any more, calls go on as
// if nothing had happened.
func TestRemoteServerRestarts(t *testing.T) {
	needNPM(t)
	for kind, path := range map[string]string{"streamableHttp": "/mcp", "sse": "/sse"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			far := startRemote(t, kind)
			entry := object{"url": far.address() + path}
			if kind == "sse" {
				entry["transport"] = "sse"
			}
			c := libraries()[0].connect(t,
				newWorkshop(t).save(ordered{{"far", object{"mcpServers": object{"everything": entry}}}}))
			c.open("far")
			for _, restart := range []bool{true, false} {
				if got := firstText(t, c.use("far", "everything", "echo",
					object{"message": "from afar"})); got != "Echo: from afar" {
					t.Errorf("the call gave %s", got)
				}
				if restart {
					far.restart(t)
				}
			}
		})
	}
}

// remoteServer is a server-everything with a web address.
type remoteServer struct {
	kind string
	port int
	stop func()
}

func (s *remoteServer) address() string { return fmt.Sprintf("http://127.0.0.1:%d", s.port) }

// startRemote starts server-everything on a free port.
func startRemote(t *testing.T, kind string) *remoteServer {
	t.Helper()
	for range 5 { // another program may take the free port before the server does
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := &remoteServer{kind: kind, port: listener.Addr().(*net.TCPAddr).Port, stop: func() {}}
		listener.Close()
		t.Cleanup(func() { s.stop() })
		if s.start(t) {
			return s
		}
	}
	t.Fatal("the remote server did not start")
	return nil
}

// restart kills the server and starts another one at the same address.
func (s *remoteServer) restart(t *testing.T) {
	t.Helper()
	s.stop()
	if !s.start(t) {
		t.Fatal("the remote server did not start again")
	}
}

func (s *remoteServer) start(t *testing.T) (started bool) {
	t.Helper()
	server := exec.Command("node",
		npmPath("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), s.kind)
	server.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", s.port))
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
	s.stop = func() { _ = server.Process.Kill(); <-ended }
	return answers(s.port, ended)
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
