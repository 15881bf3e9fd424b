package ipc

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

// nobody is a listener to which nobody connects.
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

// TestAppThatWasAsleep: an app that was suspended together with the computer has heard from no engine, which
// says nothing about the engines.
func TestAppThatWasAsleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub(HubOptions{}, nobody{make(chan struct{})}, func() {})
		ours, theirs := net.Pipe()
		h.Attach(theirs)
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		_, _ = fmt.Fprintf(ours, "{\"type\":\"hello\",\"version\":%d}\n", Version)
		synctest.Wait()
		h.checkHearts()
		time.Sleep(time.Hour) // nobody checks during this time
		for waited := time.Duration(0); waited < 2*silence; waited += heartbeat {
			h.checkHearts()
			if hangs := h.Engines()[0].Unresponsive; hangs != (waited > silence) {
				t.Errorf("%v after waking up, the engine counts as unresponsive: %v", waited, hangs)
			}
			time.Sleep(heartbeat)
		}
		_ = ours.Close()
		synctest.Wait()
	})
}

// TestAppThatFallsSilent: an app that hangs must not keep an engine paused.
func TestAppThatFallsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			next func(net.Conn) // what replaces the app after it has fallen silent
		}{
			{"it hangs up", func(app net.Conn) { _ = app.Close() }},
			// as with a stopped process, for which the system accepts connections
			{"it takes connections and does not read", func(net.Conn) {}},
			{"it reads and does not greet", func(app net.Conn) { _, _ = io.Copy(io.Discard, app) }},
			{"it is of another version", func(app net.Conn) {
				go func() { _, _ = io.Copy(io.Discard, app) }()
				for say := fmt.Sprintf(`{"type":"hello","version":%d}`, Version+1); ; say = `{"type":"ping"}` {
					if _, err := fmt.Fprintln(app, say); err != nil {
						return
					}
					time.Sleep(heartbeat)
				}
			}},
		} {
			source, apps := newEngine(), make(chan net.Conn, 100)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			agent := NewAgent(AgentOptions{Source: source, Dial: func(context.Context) (net.Conn, error) {
				ours, theirs := net.Pipe()
				apps <- theirs
				return ours, nil
			}})
			go func() { ended <- agent.Run(ctx) }()
			app := <-apps
			go func() { _, _ = io.Copy(io.Discard, app) }()
			_, _ = fmt.Fprintf(app, "{\"type\":\"hello\",\"version\":%d}\n{\"type\":\"pause\",\"paused\":true}\n", Version)
			go func() {
				for app := range apps {
					go c.next(app)
				}
			}()
			time.Sleep(silence + resumeGrace - time.Millisecond)
			synctest.Wait()
			if source.done() != "pause true" {
				t.Errorf("%s: before the time limit, the engine did %s", c.name, source.done())
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if source.done() != "pause true, pause false" {
				t.Errorf("%s: the engine did %s", c.name, source.done())
			}
			time.Sleep(time.Minute)
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			close(apps)
			time.Sleep(heartbeat) // until everything has ended
		}
	})
}
