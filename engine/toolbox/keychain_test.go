package toolbox

import (
	"context"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// A keychain that waits for its password must not delay the end of the engine or the closing of a toolbox.
func TestKeychainThatWaits(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	asked := make(chan struct{}, 8)
	server := &config.Server{Name: "s", Transport: config.TransportStdio, Command: "x",
		Env: []config.Variable{{Name: "TOKEN", Value: "${keyring:github}"}}}
	m := NewManager(oneToolbox("dev", server), Options{
		Deadline: time.Millisecond,
		Lookup: config.Lookup{Env: func(string) (string, bool) { return "", false }, Keyring: func(string) (string, error) {
			asked <- struct{}{}
			<-release
			return "", nil
		}},
	})
	opened, err := m.Open(t.Context(), "dev", nil)
	if err != nil || len(opened.Pending) != 1 {
		t.Fatalf("opening gave %+v, %v", opened, err)
	}
	<-asked
	within := func(what string, do func()) {
		t.Helper()
		ended := make(chan struct{})
		go func() { defer close(ended); do() }()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatalf("%s does not end", what)
		}
	}
	within("closing", func() { _, _, _ = m.Close(context.Background(), "dev") })
	if state := m.Status().Servers[0].State; state != status.NotStarted {
		t.Errorf("the server is %s", state)
	}
	_, _ = m.Open(t.Context(), "dev", nil)
	<-asked
	within("the engine", func() { m.Shutdown(context.Background()) })
}
