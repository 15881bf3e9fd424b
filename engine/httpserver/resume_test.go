package httpserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	newest   = "2025-11-25"
	progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":%d}}`
	answered = `{"jsonrpc":"2.0","id":7,"result":{}}`
)

// calling is a call whose connection the test cuts.
type calling struct {
	*events
	cut    func()
	engine *fakeEngine
	id     string // of the engine
	token  string
}

// call begins a call in a session, and returns when the engine has it.
func (r *rig) call(session string, engine *fakeEngine) *calling {
	r.t.Helper()
	ctx, cut := context.WithCancel(r.t.Context())
	answer := r.do(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":7,"method":"wait","params":{"_meta":`+
		`{"progressToken":"p"}}}`, "Mcp-Session-Id", session, "Mcp-Protocol-Version", newest).WithContext(ctx))
	asked := <-engine.said
	return &calling{r.events(answer), cut, engine, string(asked.ID),
		string(jsonMember(r.t, asked.Params, "_meta", "progressToken"))}
}

// progresses says how far a call is.
func (c *calling) progresses(n int) {
	c.engine.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`,
		c.token, n)
}

// resume opens a stream after an event.
func (r *rig) resume(session, event string) *events {
	r.t.Helper()
	return r.events(r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", session, "Mcp-Protocol-Version", newest,
		"Last-Event-ID", event)))
}

// event returns the id and the data of the next event.
func (e *events) event() (id, data string) {
	e.t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			return id, ""
		}
		if value, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSpace(value)
		}
		if value, ok := strings.CutPrefix(line, "data: "); ok {
			return id, strings.TrimSpace(value)
		}
	}
}

// TestResume: a call whose connection is lost goes on, and its client gets the rest of its messages, each once.
func TestResume(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	c := r.call(id, engine)
	first, data := c.event()
	if first == "" || data != "" {
		t.Fatalf("the first event is %q: %q", first, data)
	}
	c.progresses(1)
	second, data := c.event()
	if second == first || data != fmt.Sprintf(progress, 1) {
		t.Fatalf("the second event is %q: %q", second, data)
	}
	c.cut()
	c.progresses(2)
	c.engine.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, c.id)
	r.resume(id, second).want(fmt.Sprintf(progress, 2), answered, "")
	r.resume(id, first).want(fmt.Sprintf(progress, 1), fmt.Sprintf(progress, 2), answered, "") // that was lost, too
}

// TestResumeWhileItIsOpen: a client that notices the loss before we do gets the messages at its new connection.
func TestResumeWhileItIsOpen(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	c := r.call(id, engine)
	first, _ := c.event()
	again := r.resume(id, first)
	c.want("") // the former connection ends
	c.engine.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, c.id)
	again.want(answered, "")
}

// TestResumeGet: what belongs to no request is resumed like a call, and goes on.
func TestResumeGet(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	changed := func(n int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":%d}`, n) }
	ctx, cut := context.WithCancel(t.Context())
	stream := r.events(r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id).WithContext(ctx)))
	engine.say("%s", changed(1))
	event, _ := stream.event()
	engine.say("%s", changed(2))
	stream.want(changed(2))
	cut()
	again := r.resume(id, event)
	again.want(changed(2))
	engine.say("%s", changed(3))
	again.want(changed(3))
}

// TestResumeUnknown: an event that is not there, or of another session, is no error and shows nothing.
func TestResumeUnknown(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	c := r.call(id, engine)
	event, _ := c.event()
	other, otherEngine := r.begin()
	for _, event := range []string{event, "99-1", "-", "1-", "-1", "1-x", "9999999999999999999-1",
		strings.Repeat("1", 1000)} {
		stream := r.resume(other, event)
		otherEngine.say(`{"jsonrpc":"2.0","method":"notifications/x"}`)
		stream.want(`{"jsonrpc":"2.0","method":"notifications/x"}`)
	}
	c.engine.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, c.id)
	c.want(answered, "")
}

// TestResumeIsBounded: what waits for clients is limited for each stream and for each session, and ends with it.
func TestResumeIsBounded(t *testing.T) {
	s := &session{app: &app{most: 1 << 30}, requests: map[int64]*request{}, resuming: resuming{open: map[int64]*stream{}}}
	large := make([]byte, maxLostBytes/2)
	var lost []*stream
	for range maxLost + 5 {
		o := s.newStream(1, true)
		o.send(large)
		s.leave(&response{stream: o, wake: o.writer(), lost: true})
		lost = append(lost, o)
	}
	if len(s.resuming.open) != maxLost || s.app.unread.Load() != int64(maxLost*len(large)) {
		t.Errorf("%d streams wait, with %d bytes", len(s.resuming.open), s.app.unread.Load())
	}
	if o, _ := s.resume("1-0"); o != nil {
		t.Error("the oldest is still there")
	}
	newest := lost[len(lost)-1]
	newest.send(large)
	newest.send(large)
	if newest.lines != nil || !newest.overflow {
		t.Error("a stream has more than it may")
	}
	for range 2 * maxRecord {
		o := s.newStream(1, true)
		o.answer(make([]byte, maxRecordBytes/10), 0)
		o.wrote(o.writer())
	}
	if kept := &s.resuming.record; len(kept.events) != 10 || kept.bytes > maxRecordBytes {
		t.Errorf("%d events are kept, of %d bytes", len(kept.events), kept.bytes)
	}
	s.finish()
	if unread := s.app.unread.Load(); unread != 0 {
		t.Errorf("after the end, %d bytes are unread", unread)
	}
}
