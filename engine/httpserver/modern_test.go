package httpserver

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// jsonMember returns a member of an object in an object.
func jsonMember(t *testing.T, raw json.RawMessage, path ...string) json.RawMessage {
	t.Helper()
	for _, name := range path {
		raw = jsonrpc.Lookup(raw, name)
	}
	return raw
}

// modern makes a request of 2026-07-28. more are further members of params.
func (r *rig) modern(client, id, method, more string, headers ...string) *http.Request {
	body := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"` + client + `","version":"1"}}` + more + `}}`
	return r.request(http.MethodPost, body,
		append([]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}, headers...)...)
}

// TestNoSessions: in 2026-07-28, requests of one client share an engine and may have the same ids. A client that
// closes its answer cancels the request.
func TestNoSessions(t *testing.T) {
	r := newRig(t, Limits{KeepAlive: time.Millisecond})
	answer := r.do(r.modern("a", "1", "wait", ""))
	engine := <-r.started
	first := <-engine.said
	second := r.events(r.do(r.modern("a", "1", "wait", "")))
	other := <-engine.said
	engine.say(`{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{`+
		`"io.modelcontextprotocol/subscriptionId":%s}}}`, other.ID)
	engine.say(`{"jsonrpc":"2.0","method":"notifications/x"}`) // it belongs to nobody
	engine.say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, other.ID)
	second.want(`{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{`+
		`"io.modelcontextprotocol/subscriptionId":1}}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "")
	_ = answer.Body.Close()
	if got := <-engine.said; got.Method != "notifications/cancelled" ||
		string(jsonMember(t, got.Params, "requestId")) != string(first.ID) {
		t.Errorf("the engine got %s %s", got.Method, got.Params)
	}
	r.events(r.do(r.modern("b", "1", "x", "")))
	if another := <-r.started; another == engine {
		t.Error("two clients share an engine")
	}
	if answer.Header.Get("Mcp-Session-Id") != "" {
		t.Error("there is a session")
	}
}

// TestModernRefusals: what the version of 2026-07-28 asks of HTTP.
func TestModernRefusals(t *testing.T) {
	r := newRig(t, Limits{})
	for name, one := range map[string]struct {
		request *http.Request
		status  int
	}{
		"no method":       {r.modern("a", "1", "x", "", "Mcp-Method", ""), http.StatusBadRequest},
		"another method":  {r.modern("a", "1", "x", "", "Mcp-Method", "y"), http.StatusBadRequest},
		"another version": {r.modern("a", "1", "x", "", "Mcp-Protocol-Version", "2025-11-25"), http.StatusBadRequest},
		"another tool":    {r.modern("a", "1", "tools/call", `,"name":"a"`, "Mcp-Name", "b"), http.StatusBadRequest},
		"not found":       {r.modern("a", "1", "fail", ""), http.StatusNotFound},
		"GET": {r.request(http.MethodGet, "", "Mcp-Protocol-Version", "2026-07-28"),
			http.StatusMethodNotAllowed},
		"DELETE": {r.request(http.MethodDelete, "", "Mcp-Protocol-Version", "2026-07-28"),
			http.StatusMethodNotAllowed},
		"an answer": {r.request(http.MethodPost, `{"jsonrpc":"2.0","id":1,"result":{}}`, "Mcp-Protocol-Version",
			"2026-07-28"), http.StatusBadRequest},
	} {
		if status, body := r.all(one.request); status != one.status {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}
