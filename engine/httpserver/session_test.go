package httpserver

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSession: a session begins with initialize and ends with DELETE. What belongs to a request goes into its answer,
// with the client's own ids.
func TestSession(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	if engine.App != "app" {
		t.Errorf("the app is %q", engine.App)
	}
	call := r.events(r.do(r.request(http.MethodPost, "{\n \"jsonrpc\":\"2.0\",\r\n\"id\":\"x\", \"method\":\"wait\", "+
		`"params":{"_meta":{"progressToken":"mine"},"n":1.0}}`, "Mcp-Session-Id", id)))
	asked := <-engine.said
	token := jsonMember(t, asked.Params, "_meta", "progressToken")
	engine.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token)
	engine.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}`)
	engine.say("{\"jsonrpc\":\"2.0\",\r\"id\":\"ask\",\"method\":\"roots/list\"}")
	engine.say(`{"jsonrpc":"2.0","id":%s,"result":{"n":1.0}}`, asked.ID)
	call.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}`,
		`{"jsonrpc":"2.0","id":"ask","method":"roots/list"}`,
		`{"jsonrpc":"2.0","id":"x","result":{"n":1.0}}`, "")

	status, body := r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":"ask","result":{"roots":[]}}`,
		"Mcp-Session-Id", id))
	if status != http.StatusAccepted || body != "" {
		t.Errorf("an answer of the client: %d %s", status, body)
	}
	if got := <-engine.said; string(got.ID) != `"ask"` || string(got.Result) != `{"roots":[]}` {
		t.Errorf("the engine got %+v", got)
	}

	if status, _ := r.all(r.request(http.MethodDelete, "", "Mcp-Session-Id", id)); status != http.StatusNoContent {
		t.Errorf("DELETE: %d", status)
	}
	<-engine.over
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		status, body := r.all(r.request(method, `{"jsonrpc":"2.0","id":1,"method":"x"}`, "Mcp-Session-Id", id))
		if status != http.StatusNotFound || !strings.Contains(body, "initialize") {
			t.Errorf("%s after the end: %d %s", method, status, body)
		}
	}
	r.begin()
}

// TestCancelled: a request that the client cancels is not answered; its stream ends.
func TestCancelled(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	answer := r.do(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":5,"method":"wait"}`, "Mcp-Session-Id", id))
	asked := <-engine.said
	r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`,
		"Mcp-Session-Id", id))
	if got := <-engine.said; string(jsonMember(t, got.Params, "requestId")) != string(asked.ID) {
		t.Errorf("the engine got %s for %s", got.Params, asked.ID)
	}
	r.events(answer).want("")
}

// TestStreamOfGet: what belongs to no request goes to the newest stream, and waits for one.
func TestStreamOfGet(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	engine.say(changed)
	first := r.events(r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id)))
	first.want(changed)
	var streams []*events
	for range keptStreams {
		streams = append(streams, r.events(r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id))))
	}
	engine.say(changed)
	streams[len(streams)-1].want(changed)
	first.want("") // there are only so many
}

// TestWithoutStreamOfGet: a client that opens no stream gets with its next request what has waited.
func TestWithoutStreamOfGet(t *testing.T) {
	r := newRig(t, Limits{})
	id, engine := r.begin()
	engine.say(`{"jsonrpc":"2.0","id":9,"method":"roots/list"}`)
	for {
		r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/x"}`, "Mcp-Session-Id", id))
		<-engine.said
		answer := r.events(r.do(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"x"}`, "Mcp-Session-Id", id)))
		if answer.next() == `{"jsonrpc":"2.0","id":9,"method":"roots/list"}` {
			answer.want(`{"jsonrpc":"2.0","id":1,"result":{"got":null}}`)
			return
		}
	}
}

// TestBatch: a batch of 2025-03-26 is answered in one stream, and refused in later versions.
func TestBatch(t *testing.T) {
	r := newRig(t, Limits{})
	id, _ := r.begin()
	batch := `[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"notifications/b"},` +
		`{"jsonrpc":"2.0","id":2,"method":"c"}]`
	r.events(r.do(r.request(http.MethodPost, batch, "Mcp-Session-Id", id))).want(
		`{"jsonrpc":"2.0","id":1,"result":{"got":null}}`, `{"jsonrpc":"2.0","id":2,"result":{"got":null}}`, "")
	if status, _ := r.all(r.request(http.MethodPost, batch, "Mcp-Session-Id", id, "Mcp-Protocol-Version",
		"2025-06-18")); status != http.StatusBadRequest {
		t.Errorf("a batch of 2025-06-18: %d", status)
	}
}

// TestIdleSession: a session that nobody uses ends, but not while a stream is open.
func TestIdleSession(t *testing.T) {
	r := newRig(t, Limits{Idle: 20 * time.Millisecond, KeepAlive: time.Millisecond})
	var used *fakeEngine
	var stream *http.Response
	for stream == nil || stream.StatusCode != http.StatusOK { // a slow machine may be too slow for the first one
		var id string
		id, used = r.begin()
		stream = r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id))
	}
	_, unused := r.begin()
	<-unused.over
	select {
	case <-used.over:
		t.Error("a session with a stream has ended")
	default:
	}
	_ = stream.Body.Close()
	<-used.over
}

// TestTooManySessions: the one that was used least recently makes room; if all are in use, there is no new one.
func TestTooManySessions(t *testing.T) {
	r := newRig(t, Limits{Sessions: 2, KeepAlive: time.Millisecond})
	oldest, engine := r.begin()
	used, _ := r.begin()
	r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", used))
	third, _ := r.begin()
	<-engine.over
	if status, _ := r.all(r.request(http.MethodDelete, "", "Mcp-Session-Id", oldest)); status != http.StatusNotFound {
		t.Errorf("the oldest session: %d", status)
	}
	r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", third)) // its headers are here, so it counts
	status, body := r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize"}`))
	if status != http.StatusTooManyRequests {
		t.Errorf("one too many: %d %s", status, body)
	}
}

// TestTooManyRequests: one token cannot have more requests under way than it may.
func TestTooManyRequests(t *testing.T) {
	r := newRig(t, Limits{Requests: 2, KeepAlive: time.Millisecond})
	id, _ := r.begin()
	for open := 0; open < 2; { // a request that was answered still counts for a moment
		if r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id)).StatusCode == http.StatusOK {
			open++
		}
	}
	if status, _ := r.all(r.request(http.MethodGet, "", "Mcp-Session-Id", id)); status != http.StatusTooManyRequests {
		t.Errorf("one too many: %d", status)
	}
}

// TestLargeRequestsAreBounded: requests under way have a limit together, not only each.
func TestLargeRequestsAreBounded(t *testing.T) {
	r := newRig(t, Limits{Unread: 3000, KeepAlive: time.Millisecond})
	id, engine := r.begin()
	large := `{"jsonrpc":"2.0","id":1,"method":"wait","params":"` + strings.Repeat("x", 2000) + `"}`
	first := r.events(r.do(r.request(http.MethodPost, large, "Mcp-Session-Id", id)))
	asked := <-engine.said
	if status, _ := r.all(r.request(http.MethodPost, large, "Mcp-Session-Id", id)); status !=
		http.StatusServiceUnavailable {
		t.Errorf("a second one: %d", status)
	}
	engine.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, asked.ID)
	first.want(`{"jsonrpc":"2.0","id":1,"result":{}}`, "")
	for status := 0; status != http.StatusOK; { // the first one counts until its end is noticed
		status = r.do(r.request(http.MethodPost, large, "Mcp-Session-Id", id)).StatusCode
	}
}

// TestTokenRemoved: what is under way with a token ends when it is removed, and nothing else does.
func TestTokenRemoved(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	id, engine := r.begin()
	stream := r.events(r.do(r.request(http.MethodGet, "", "Mcp-Session-Id", id)))
	answer := r.events(r.do(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"wait"}`, "Mcp-Session-Id", id)))
	removed := r.token
	var err error
	if r.token, err = r.tokens.Add("other"); err != nil {
		t.Fatal(err)
	}
	other, _ := r.begin()
	if status, _ := r.all(r.request(http.MethodDelete, "", "Mcp-Session-Id", id)); status != http.StatusNotFound {
		t.Errorf("the session of another token: %d", status)
	}
	if err := r.tokens.Remove("app"); err != nil {
		t.Fatal(err)
	}
	stream.want("")
	answer.want("")
	<-engine.over
	if status, _ := r.all(r.request(http.MethodDelete, "", "Mcp-Session-Id", other)); status != http.StatusNoContent {
		t.Errorf("the session of the other token: %d", status)
	}
	r.token = removed
	if status, _ := r.all(r.request(http.MethodGet, "", "Mcp-Session-Id", id)); status != http.StatusUnauthorized {
		t.Errorf("the removed token: %d", status)
	}
	for _, secret := range []string{removed, id, other} {
		if strings.Contains(r.log.String(), secret) {
			t.Errorf("the log has %s:\n%s", secret, r.log)
		}
	}
}

// TestEngineEnds: if an engine ends by itself, its session is gone, and requests under way are refused.
func TestEngineEnds(t *testing.T) {
	r := newRig(t, Limits{})
	id, engine := r.begin()
	answered := make(chan int, 1)
	go func() {
		status, _ := r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"wait"}`, "Mcp-Session-Id", id))
		answered <- status
	}()
	<-engine.said
	engine.say("%s", "this is no message") // it is left out
	r.all(r.request(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/end"}`, "Mcp-Session-Id", id))
	if status := <-answered; status != http.StatusNotFound {
		t.Errorf("the request: %d", status)
	}
	<-engine.over
	if status, _ := r.all(r.request(http.MethodGet, "", "Mcp-Session-Id", id)); status != http.StatusNotFound {
		t.Errorf("the session: %d", status)
	}
}

// TestMetrics: the figures need a token, and name none.
func TestMetrics(t *testing.T) {
	r := newRig(t, Limits{})
	r.begin()
	r.all(r.request(http.MethodPut, ""))
	asked := r.request(http.MethodGet, "")
	asked.URL.Path = "/metrics"
	status, text := r.all(asked)
	for strings.Contains(text, "workbench_requests 1") || !strings.Contains(text, "unread_bytes 0") {
		status, text = r.all(asked) // a request that was answered still counts for a moment
	}
	for _, want := range []string{"\nworkbench_sessions 1\n", " counter\nworkbench_sessions_started_total 1\n",
		"\nworkbench_unread_bytes 0\n", `workbench_responses_total{status="405"} 1`} {
		if status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%d: no %q in\n%s", status, want, text)
		}
	}
	if strings.Contains(text, "app") {
		t.Errorf("it names a token:\n%s", text)
	}
	asked.Header.Del("Authorization")
	if status, _ := r.all(asked); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", status)
	}
}
