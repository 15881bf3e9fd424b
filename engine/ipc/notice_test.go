package ipc

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestWhatToOpenIsBounded: what the app is asked to open is passed on if it is not too long. Otherwise only
// the window is shown.
func TestWhatToOpenIsBounded(t *testing.T) {
	at := endpoint(t)
	opened := make(chan string, 1)
	startHub(t, HubOptions{Endpoint: at, OnShow: func(open string) { opened <- open }})
	for length, want := range map[int]int{0: 0, 5: 5, maxOpen: maxOpen, maxOpen + 1: 0} {
		if err := show(t.Context(), at, strings.Repeat("x", length), func(int) {}); err != nil {
			t.Fatal(err)
		}
		if got := len(<-opened); got != want {
			t.Errorf("of %d bytes %d were passed on", length, got)
		}
	}
}

// TestShowWithoutAProcess: if an app does not say which process it is, no process is allowed to come to the
// front.
func TestShowWithoutAProcess(t *testing.T) {
	at := endpoint(t)
	conns := deafApp(t, at)
	ended := make(chan error, 1)
	go func() { ended <- show(t.Context(), at, "", func(pid int) { t.Errorf("process %d is let", pid) }) }()
	if _, err := fmt.Fprintf(<-conns, "{\"type\":\"hello\",\"version\":%d}\n{\"type\":\"shown\"}\n",
		Version); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestMostEngines: the number of connections at one time is limited.
func TestMostEngines(t *testing.T) {
	h := newHub(HubOptions{}, nobody{make(chan struct{})}, func() {})
	attach := func() net.Conn {
		ours, theirs := net.Pipe()
		h.Attach(theirs)
		t.Cleanup(func() { _ = ours.Close() })
		return ours
	}
	for range maxEngines - 1 {
		attach()
	}
	for more, want := range []bool{true, false} {
		conn := attach()
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, err := conn.Read(make([]byte, 1)) // the app sends hello first
		if got := err != io.EOF; got != want || got && err != nil {
			t.Errorf("engine %d is connected: %v, %v", maxEngines+more, got, err)
		}
	}
}

// TestCommandsMakeRoom: a command that has ended makes room for another.
func TestCommandsMakeRoom(t *testing.T) {
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	startAgent(t, at, newEngine())
	id := theEngine(t, h).ID
	for i := range 2*maxCommands + 1 {
		if err := h.Stop(t.Context(), id, "dev", "s"); err != nil {
			t.Fatalf("command %d: %v", i+1, err)
		}
	}
}

// TestExactlyTheRoom: what waits for the app may have exactly the maximum size, and a tool's definition may
// fill the remaining room exactly.
func TestExactlyTheRoom(t *testing.T) {
	o := newOutbox()
	const lines = 16
	for range lines {
		o.addLine("dev", "a", status.LogLine{Text: strings.Repeat("x", maxWaitingBytes/lines-200)})
	}
	if o.bytes != maxWaitingBytes || o.missed != 0 {
		t.Errorf("of %d bytes, %d lines are missed", o.bytes, o.missed)
	}
	const room = maxFromEngine / 2
	for more, want := range []bool{true, false} {
		m := shrunk(&message{Tools: []status.Tool{{Name: "a", Definition: make(json.RawMessage, room-200+more)}}})
		if got := m.Tools[0].Problem.IsZero(); got != want {
			t.Errorf("a definition of %d bytes is passed on: %v", room-200+more, got)
		}
	}
}

// TestAnswersWait: a waiting reply is reported.
func TestAnswersWait(t *testing.T) {
	o := newOutbox()
	if o.answers() {
		t.Error("there is an answer to nothing")
	}
	o.addReply(&message{Type: typeReply, ID: 1})
	if !o.answers() {
		t.Error("the answer is forgotten")
	}
	o.take()
	if o.answers() {
		t.Error("an answer that was written still waits")
	}
}

// TestCallsAreForgottenTogether: old calls are removed many at a time.
func TestCallsAreForgottenTogether(t *testing.T) {
	var c callHistory
	for i := range maxCalls + maxCalls/4 {
		c.add(Call{Engine: 1, Call: status.Call{ID: uint64(i), Outcome: status.Done}})
	}
	if len(c.list) != maxCalls+maxCalls/4 {
		t.Errorf("%d are left", len(c.list))
	}
	c.add(Call{Engine: 1, Call: status.Call{ID: maxCalls * 2, Outcome: status.Done}})
	if len(c.list) != maxCalls || c.older() != maxCalls/4+1 {
		t.Errorf("%d are left, %d are older", len(c.list), c.older())
	}
}

// TestEnginesAreNumbered: ids of engines and questions start at one.
func TestEnginesAreNumbered(t *testing.T) {
	h := newHub(HubOptions{}, nobody{make(chan struct{})}, func() {})
	for want := EngineID(1); want <= 3; want++ {
		p := newPeer(h, nil, true)
		h.join(p, &message{Type: typeHello, Version: Version + 1})
		if p.id != want {
			t.Errorf("engine %d has the number %d", want, p.id)
		}
	}
}

// TestOtherVersionStaysConnected: an engine stays connected to an app of another version, and keeps sending
// signs of life.
func TestOtherVersionStaysConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer ours.Close()
		c := &conversation{agent: NewAgent(AgentOptions{}), writer: lineWriter{conn: theirs}}
		beat := time.NewTicker(heartbeat)
		defer beat.Stop()
		ended := make(chan error, 1)
		go func() { ended <- c.keepUp(t.Context(), beat) }()
		reader := newLineReader(ours, maxFromEngine)
		for range 3 {
			if m, err := reader.next(); err != nil || m.Type != typePing {
				t.Fatalf("the engine continues with %+v, %v", m, err)
			}
		}
		_ = ours.Close()
		if err := <-ended; err == nil {
			t.Error("the engine has not noticed that the app has ended")
		}
	})
}
