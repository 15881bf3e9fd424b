package pool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestFolders: apps that work in the same folders share a server that asks for them, and each is told its own. When an
// app works in other folders, its engine connects again after its calls are answered; the other apps notice nothing.
func TestFolders(t *testing.T) {
	h := startTestHost(t, Options{})
	o := h.options(t, fakeserver.Script{AskOnCall: "roots/list"})
	engine := func(roots string) *downstream.Session {
		own := downstream.Sharing{Of: o}
		if roots != "" {
			own.Roots = json.RawMessage(`{"roots":[{"uri":"` + roots + `"}]}`)
		}
		own.Of.OnRequest = func(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
			if roots != "" {
				t.Errorf("the app is asked %s", method)
			}
			return nil, words.New("pool.over").Err()
		}
		s, err := h.share(t.Context(), own)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { leave(t, s) })
		return s
	}
	a, b, other, none := engine("file:///a"), engine("file:///a"), engine("file:///b"), engine("")
	if pid := a.Info().Pid; b.Info().Pid != pid || other.Info().Pid == pid || none.Info().Pid == pid ||
		other.Info().Pid == none.Info().Pid {
		t.Error("the wrong apps share the server")
	}
	sent, ended := hang(t.Context(), a) // two apps have calls in progress, and it is nevertheless known what to answer
	wait(t, "the call", sent)
	for session, want := range map[*downstream.Session]string{b: "file:///a", other: "file:///b"} {
		answer, err := session.Call(t.Context(), downstream.Call{Tool: "echo"})
		if err != nil || !strings.Contains(whole(answer), want) {
			t.Errorf("got %s, %v, want %s", answer, err, want)
		}
	}
	a.Notify("notifications/roots/list_changed", nil)
	b.Notify("notifications/roots/list_changed", nil)
	none.Notify("notifications/roots/list_changed", nil)
	wait(t, "the end of the one that does nothing", b.Done())
	if err := b.Err(); !words.Is(err, "pool.other_folders") {
		t.Errorf("it ended with %v", err)
	}
	select {
	case err := <-ended:
		t.Errorf("the call of the other one ended with %v", err)
	default:
	}
	if _, err := echo(t.Context(), none, `{"a":1}`); err != nil {
		t.Error(err)
	}
}
