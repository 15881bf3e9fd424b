package engines

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// deafHub is a hub that accepts connections but never reads or writes, like an overloaded one.
type deafHub chan net.Conn

func (h deafHub) Attach(conn net.Conn) { h <- conn }

// TestOwnEngineComesBack checks that the window's own engine reconnects: after the hub was silent for too long, as
// after a night's sleep, and after the hub has closed a connection that nobody reads.
func TestOwnEngineComesBack(t *testing.T) {
	for what, lose := range map[string]func(net.Conn){
		"the hub is silent": func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) },
		"the hub hangs up":  func(conn net.Conn) { _ = conn.Close() },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hub := make(deafHub, 10)
				own := NewLocal(LocalOptions{})
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- own.Run(ctx, hub) }()
				for range 3 {
					select {
					case conn := <-hub:
						hello, err := bufio.NewReader(conn).ReadString('\n')
						if err != nil || !strings.Contains(hello, `"hello"`) {
							t.Errorf("the engine says %q, %v", hello, err)
						}
						lose(conn)
					case <-time.After(time.Minute):
						t.Error("the engine did not reconnect")
					}
				}
				cancel()
				begun := time.Now()
				if <-ended; time.Since(begun) > time.Second {
					t.Errorf("the engine took %v to end", time.Since(begun))
				}
			})
		})
	}
}
