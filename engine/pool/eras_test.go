package pool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestServerOf2026: a server that speaks only 2026-07-28 is shared, too, whatever the engines prefer. It says for
// which call it asks, so its questions are answered while calls of several apps are in progress.
func TestServerOf2026(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{Modern: true, Echo: true, Tools: []json.RawMessage{fakeserver.Tool("ask")},
		Rounds: map[string][]json.RawMessage{"ask": {json.RawMessage(`{"resultType":"input_required","inputRequests":` +
			`{"q":{"method":"elicitation/create","params":{"message":"Yes?"}}},"requestState":"s"}`),
			json.RawMessage(`{"resultType":"complete","content":[{"type":"text","text":"thanks"}]}`)}}})
	o.Capabilities = json.RawMessage(`{"elicitation":{}}`)
	heard := make(chan string, 10)
	engine := func(name string, modern bool) *downstream.Session {
		own := o
		own.PreferModern = modern
		own.OnRequest = func(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
			heard <- name + " " + method
			return json.RawMessage(`{"action":"accept"}`), nil
		}
		return h.connect(t, own)
	}
	a, b := engine("a", false), engine("b", true)
	if a.Info().Pid != b.Info().Pid || a.Info().Pid == 0 {
		t.Errorf("the processes are %d and %d", a.Info().Pid, b.Info().Pid)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sent, _ := hang(ctx, a)
	wait(t, "the call", sent)
	answer, err := b.Call(t.Context(), downstream.Call{Tool: "ask"})
	if err != nil || !strings.Contains(whole(answer), "thanks") {
		t.Errorf("got %s, %v", answer, err)
	}
	if got := <-heard; got != "b elicitation/create" {
		t.Errorf("asked was %s", got)
	}
	if got, err := echo(t.Context(), b, `{"a":1}`); got != `{"a":1}` || err != nil {
		t.Error(fmt.Sprint(got, err))
	}
}
