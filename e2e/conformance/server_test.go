package conformance

import (
	"bufio"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
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
			engine := serveEngine(t, downstream)
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
