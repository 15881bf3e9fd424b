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

// TestServer has the suite test the reference server, directly and behind the engine.
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

// TestBridge has the suite test the reference server behind the bridge alone: what fails here, the engine cannot be blamed for.
func TestBridge(t *testing.T) {
	needSuite(t)
	if *scenario != "" {
		t.Skip("one scenario is run through the engine")
	}
	for name, s := range suites() {
		version, ok := strings.CutPrefix(name, "server-")
		if !ok || s.http {
			continue
		}
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			direct := s.run(t, nil, "--url", serveReference(t, version < "2026-07-28"))
			bridged := s.run(t, nil, "--url", serve(t, bridge.Options{Engine: session.Options{Command: []string{everythingServer}}}))
			for c, o := range direct {
				if o.status == "pass" && bridged[c].status != "pass" && !overHTTP(c) {
					t.Errorf("%s %s passes directly, and is %q behind the bridge: %s", c.scenario, c.id, bridged[c].status, bridged[c].why)
				}
			}
		})
	}
}

// overHTTP reports whether a check is of what the reference server refuses by the headers of HTTP alone. Over its standard input a request
// without _meta is one of the era of sessions.
func overHTTP(c check) bool {
	return c.scenario == "server-stateless" && (c.id == "" || c.id == "sep-2575-http-server-meta-invalid-400" ||
		c.id == "sep-2575-request-meta-invalid-missing-meta" || c.id == "sep-2575-request-meta-invalid-missing-protocol-version")
}

// engineOptions puts the engine behind a bridge, and one server behind the engine.
func engineOptions(t *testing.T, downstream map[string]string) bridge.Options {
	t.Helper()
	const toolbox, server = "t", "s" // short, so that the names of prompts need not be cut
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
		Command: []string{program, "stdio", "--link", "off", "--sign-ins", filepath.Join(folder, "sign-ins"), "--config", file},
		Env:     append(os.Environ(), "WORKBENCH_TOOL_MODE=dynamic", "HOME="+folder),
	}}
}

// serve starts a bridge and returns its address. What the engine logs goes to the test's log when -scenario is given.
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

// serveReference starts the reference server and returns its address. It speaks only one of the protocol's two eras.
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

// waitForHTTP returns when something answers at an address.
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
		time.Sleep(10 * time.Millisecond) // it says that it listens before it does
	}
}
