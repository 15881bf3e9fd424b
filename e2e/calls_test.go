package e2e

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const longRunning = "trigger-long-running-operation"

// progressed is the driver's answer to a call with progress.
type progressed struct {
	Result    object   `json:"result"`
	Cancelled bool     `json:"cancelled"`
	Progress  []object `json:"progress"`
}

// TestProgress: progress of a downstream server reaches the client with the client's own token.
func TestProgress(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		c := lib.connect(t, newWorkshop(t).standard())
		c.open("dev")
		var got progressed
		c.do("callTool", object{
			"name":      "use_tool",
			"arguments": useTool("dev", "everything", longRunning, object{"duration": 1, "steps": 5}),
			"progress":  true,
		}, &got)
		if text, want := firstText(t, got.Result),
			"Long running operation completed. Duration: 1 seconds, Steps: 5."; text != want {
			t.Errorf("the result is %q, want %q", text, want)
		}
		// The server sends the last notification together with the result, and the libraries drop what comes
		// after the result.
		if len(got.Progress) < 4 {
			t.Fatalf("there were %d progress notifications, want 4 or 5: %v", len(got.Progress), got.Progress)
		}
		for i, progress := range got.Progress {
			want := object{"progress": number(i + 1), "total": number(5)}
			if diff := cmp.Diff(want, progress); diff != "" {
				t.Errorf("progress %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// TestCancellation: if the client cancels a call, the engine cancels it at the downstream server under the id
// that the engine gave it. The session goes on.
func TestCancellation(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		c := lib.connect(t, w.standard())
		c.open("dev")
		var got progressed
		c.do("callTool", object{
			"name":        "use_tool",
			"arguments":   useTool("dev", "everything", longRunning, object{"duration": 600, "steps": 6000}),
			"cancelAfter": 2,
		}, &got)
		if !got.Cancelled {
			t.Fatalf("the call ended with %v", got)
		}
		var cancelled []object
		eventually(t, "the server is told", func() bool {
			cancelled = w.sent("dev", "everything", "notifications/cancelled")
			return len(cancelled) > 0
		})
		var id any
		for _, call := range w.sent("dev", "everything", "tools/call") {
			if params := call["params"].(object); params["name"] == longRunning {
				id = call["id"]
			}
		}
		if got := cancelled[0]["params"].(object)["requestId"]; id == nil || got != id {
			t.Errorf("request %v is cancelled, the call was %v", got, id)
		}
		if got := firstText(t, c.use("dev", "everything", "echo",
			object{"message": "still here"})); got != "Echo: still here" {
			t.Errorf("after the cancellation: %q", got)
		}
	})
}

func number(n int) json.Number { return json.Number(fmt.Sprint(n)) }

// eventually polls until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("this did not happen: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
