package conformance

import (
	"bufio"
	"fmt"
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
	for range 5 { // another program may take the free port before the server does
		if address, ok := tryReference(t, fmt.Sprintf("-stateless=%v", !sessions)); ok {
			return "http://" + address
		}
	}
	t.Fatal("the reference server did not start")
	return ""
}

// tryReference starts the reference server on a port that is free, and reports whether it runs there.
func tryReference(t *testing.T, stateless string) (address string, ok bool) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = listener.Addr().String()
	_ = listener.Close()
	cmd := exec.Command(everythingServer, "-http", address, stateless)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for said.Scan() {
		}
		_ = cmd.Wait() // it was killed, or could not listen
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	for { // it reports that it listens before it does
		if response, err := http.Get("http://" + address); err == nil {
			_ = response.Body.Close()
			return address, true
		}
		select {
		case <-ended:
			return "", false
		case <-time.After(10 * time.Millisecond):
		}
	}
}
