//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"net"
	"path/filepath"
	"testing"
	"time"
)

// A session bus that accepts and never answers does not keep the program from starting.
func TestDeafBus(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if conn, err := connect("unix:path="+socket, time.Millisecond); err == nil {
		t.Errorf("it is connected: %v", conn)
	}
}
