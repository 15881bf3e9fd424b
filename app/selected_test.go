package app

import (
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TestSelectionAfterARestart checks that the window shows the server again that it showed before the program ended,
// and nothing in place of one that is gone.
func TestSelectionAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "preferences.json")
	start := func(text string) *bench {
		return newBench(t, text, func(o *Options) {
			preferences, err := model.OpenPreferences(path)
			if err != nil {
				t.Fatal(err)
			}
			o.Preferences = preferences
		})
	}
	const two = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}}}`
	b, want := start(two), model.Choice{Toolbox: "dev", Server: "b"}
	b.toolboxes.Select(want)
	b.remember()
	if again := start(two); again.toolboxes.Selected() != want || again.detail.At != want {
		t.Errorf("after a restart, %+v is selected, and %+v is shown", again.toolboxes.Selected(), again.detail.At)
	}
	const one = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}}}}}`
	if again := start(one); again.detail.At.Server == "b" {
		t.Error("a server is shown that is gone")
	}
}
