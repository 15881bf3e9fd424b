//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// The calls of an AI app are drawn as a chart while the engine runs.
func TestUsageIsDrawn(t *testing.T) {
	s := newSession(t, configured(map[string]any{"memory": fake(fakeserver.Script{Echo: true})}))
	program := s.run(t)
	eventually(t, s.has(colorAccent, 500))
	s.goesTo(t, "ctrl+6")
	k := &keyboard{s.display}
	k.rest()
	blue := colours(s.screen())[colorAccent]

	e := s.newEngine(t)
	e.open(t, "dev")
	for range 20 {
		e.call(t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
			"tool": map[string]any{"toolbox": "dev", "server": "memory", "tool": "echo"}, "arguments": map[string]any{}}})
	}
	// The bars of the day, of the server and of the time taken have this colour.
	eventually(t, s.has(colorAccent, blue+4000))
	s.picture(t, "usage")
	kept, _ := filepath.Glob(filepath.Join(s.folder, ".local", "state", "workbench", "usage", "*-*-*.jsonl"))
	if len(kept) != 1 {
		t.Errorf("the store is not at its path: %q", kept)
	} else if info, err := os.Stat(kept[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the store is %v, %v", info, err)
	}
	k.press("ctrl+q")
	program.endsWell(t)
}
