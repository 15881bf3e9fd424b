package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// nobody is a listener that nobody connects to.
type nobody struct{ closed chan struct{} }

func (n nobody) Accept() (net.Conn, error) {
	<-n.closed
	return nil, net.ErrClosed
}
func (n nobody) Close() error   { close(n.closed); return nil }
func (n nobody) Addr() net.Addr { return nil }

func TestEngineThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub(HubOptions{}, nobody{make(chan struct{})}, func() {})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		ours, theirs := net.Pipe()
		h.Attach(theirs)
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		say := func(text string) {
			t.Helper()
			if _, err := io.WriteString(ours, text+"\n"); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		say(fmt.Sprintf(`{"type":"hello","version":%d,"about":{"pid":5}}`, Version))
		for range 5 {
			time.Sleep(heartbeat)
			say(`{"type":"ping"}`)
		}
		if e := h.Engines(); len(e) != 1 || e[0].Unresponsive {
			t.Errorf("%+v", e)
		}
		changed, unsubscribe := h.Subscribe()
		defer unsubscribe()
		time.Sleep(silence + heartbeat)
		synctest.Wait()
		select {
		case <-changed:
		default:
			t.Error("no signal")
		}
		if e := h.Engines(); len(e) != 1 || !e[0].Unresponsive {
			t.Errorf("%+v", e)
		}
		say(`{"type":"ping"}`)
		if e := h.Engines(); len(e) != 1 || e[0].Unresponsive {
			t.Errorf("%+v", e)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// An engine must not stay paused by an app that hangs.
func TestAppThatFallsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		source := newEngine()
		ended := make(chan error, 1)
		go func() { ended <- NewAgent(AgentOptions{Source: source}).Serve(t.Context(), theirs) }()
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		_, _ = fmt.Fprintf(ours, "{\"type\":\"hello\",\"version\":%d}\n{\"type\":\"pause\",\"paused\":true}\n", Version)
		begun := time.Now()
		if err := <-ended; err == nil {
			t.Error("no error")
		}
		if took := time.Since(begun); took != silence || source.done() != "pause true, pause false" {
			t.Errorf("after %v it did %s", took, source.done())
		}
		// Nor may one that never greets hold an engine.
		_, theirs = net.Pipe()
		begun = time.Now()
		err := NewAgent(AgentOptions{Source: source}).Serve(t.Context(), theirs)
		if took := time.Since(begun); err == nil || took != writeLimit {
			t.Errorf("%v after %v", err, took)
		}
	})
}
