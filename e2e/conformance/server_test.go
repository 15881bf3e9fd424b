package conformance

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/bridge"
	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
)

// TestServer tests the reference server with the suite, directly and behind the engine.
func TestServer(t *testing.T) {
	needSuite(t)
	for name, s := range suites() {
		version, ok := strings.CutPrefix(name, "server-")
		if !ok {
			continue
		}
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			reference := serveReference(t, version < "2026-07-28")
			downstream := map[string]string{"command": everythingServer}
			if s.http {
				downstream = map[string]string{"url": reference}
			}
			engine := serve(t, engineOptions(t, downstream))
			if *scenario != "" {
				s.only(*scenario).run(t, nil, "--url", engine)
				return
			}
			compare(t, name, func(s suite) (direct, through result) {
				return s.run(t, nil, "--url", reference), s.run(t, nil, "--url", engine)
			})
		})
	}
}

// TestBridge tests the reference server behind the bridge alone. It shows which failures are not caused by the engine.
func TestBridge(t *testing.T) {
	needSuite(t)
	if *scenario != "" {
		t.Skip("with -scenario, only the engine is tested")
	}
	for name, s := range suites() {
		version, ok := strings.CutPrefix(name, "server-")
		if !ok || s.http {
			continue
		}
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			direct := s.run(t, nil, "--url", serveReference(t, version < "2026-07-28"))
			bridged := s.run(t, nil, "--url",
				serve(t, bridge.Options{Engine: session.Options{Command: []string{everythingServer}}}))
			for c, o := range direct {
				if o.status == "pass" && bridged[c].status != "pass" && !overHTTP(c) {
					t.Errorf("%s %s passes directly and has the status %q behind the bridge: %s", c.scenario, c.id, bridged[c].status,
						bridged[c].why)
				}
			}
		})
	}
}

// overHTTP reports whether a check is about requests that the reference server refuses only because of HTTP
// headers. On its standard input, a request without _meta belongs to the era of sessions.
func overHTTP(c check) bool {
	return c.scenario == "server-stateless" && (c.id == "" || c.id == "sep-2575-http-server-meta-invalid-400" ||
		c.id == "sep-2575-request-meta-invalid-missing-meta" ||
		c.id == "sep-2575-request-meta-invalid-missing-protocol-version")
}

// engineOptions returns the options of a bridge with the engine behind it, and one server behind the engine.
func engineOptions(t *testing.T, downstream map[string]string) bridge.Options {
	t.Helper()
	const toolbox, server = "t", "s" // short, so that no name of a prompt is cut
	folder := t.TempDir()
	type object = map[string]any
	config, err := json.Marshal(object{"toolboxes": object{toolbox: object{"mcpServers": object{server: downstream}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "workbench-config.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	return bridge.Options{Toolbox: toolbox, Server: server, Engine: session.Options{
		// The bridge passes as a client that takes tools with any schema.
		Command: []string{program, "stdio", "--client", "claude-code", "--link", "off", "--sign-ins",
			filepath.Join(folder, "sign-ins"), "--config", file},
		Env: append(os.Environ(), "WORKBENCH_TOOL_MODE=dynamic", "HOME="+folder),
	}}
}

// serve starts a bridge and returns its address. With -scenario, the log of the engine goes to the log of the
// test.
func serve(t *testing.T, o bridge.Options) string {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "engine.log"))
	if err != nil {
		t.Fatal(err)
	}
	o.Engine.Stderr = log
	b := bridge.New(o)
	server := httptest.NewServer(b)
	t.Cleanup(func() {
		server.CloseClientConnections()
		b.Close()
		server.Close()
		_ = log.Close()
		if said, err := os.ReadFile(log.Name()); err == nil && *scenario != "" {
			t.Logf("the engine's log:\n%s", said)
		}
	})
	return server.URL
}

// serveReference starts the reference server and returns its address. The server supports only one of the two
// eras of the protocol.
func serveReference(t *testing.T, sessions bool) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	stateless := "-stateless=true"
	if sessions {
		stateless = "-stateless=false"
	}
	cmd := exec.Command(everythingServer, "-http", address, stateless)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for said.Scan() {
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-drained
		_ = cmd.Wait() // it was killed
	})
	waitForHTTP(t, "http://"+address)
	return "http://" + address
}

// waitForHTTP waits until an address answers.
func waitForHTTP(t *testing.T, address string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		response, err := http.Get(address)
		if err == nil {
			_ = response.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // it reports that it listens before it does
	}
}
