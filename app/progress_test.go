package app

import (
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// A tool that reports progress all the time does not fill the queue of a busy window.
func TestTryItWithALotOfProgress(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {Progress: 3000}}), nil)
	b.untilOwn()
	shown, came := 0, false
	b.detail.Run(t.Context(), edit.Target{Toolbox: "dev", Server: "a"}, "echo", json.RawMessage(`{}`),
		func(float64, float64, string) { shown++ }, func(json.RawMessage, error) { came = true })
	b.tasks.Wait() // the window runs nothing meanwhile
	b.until(func() string {
		if !came {
			return "no result"
		}
		return ""
	})
	if shown != 1 {
		t.Errorf("progress is drawn %d times, want 1", shown)
	}
}
