//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// With the keyboard and two clicks, entries are added to a list in "Try it". Each new entry gets the focus, although
// it was never drawn before.
func TestAddingEntries(t *testing.T) {
	sent := filepath.Join(t.TempDir(), "sent")
	entry := fake(fakeserver.Script{
		Tools: []json.RawMessage{json.RawMessage(`{"name": "order", "description": "Orders something.",
		"inputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "string"}}}, "required": ["items"]}}`)}})
	entry["command"], entry["args"] = "sh", []string{"-c", `tee "$0" | "$1"`, sent, os.Args[0]}
	s := newSession(t, configured(map[string]any{"shop": entry}))
	s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	k := &keyboard{s.display}
	k.press("ctrl+f")
	k.types("shop")
	k.press("Return", "Escape", "Return", "ctrl+shift+Tab")
	left, top, _, _ := s.geometry(t)
	// Try it; nothing is there before the tools are listed
	button := image.Rect(1022, 316, 1062, 336).Add(image.Pt(left, top))
	empty := s.display.pixels(button)
	s.click(t, 1011, 85) // Start
	eventually(t, holds(sent, `"tools/list"`, true))
	eventually(t, func() error {
		if bytes.Equal(s.display.pixels(button), empty) {
			return errors.New("the tool is not drawn")
		}
		return nil
	})
	k.rest()
	s.picture(t, "entries-tools")
	s.click(t, 1042, 326) // Try it
	k.rest()
	s.picture(t, "entries-form")
	k.press("Return") // Add an entry
	k.types("one")
	s.picture(t, "entries-one")
	k.press("Tab", "Tab", "space") // past the button that removes the entry
	k.types("two")
	s.picture(t, "entries-two")
	k.press("ctrl+Return")
	eventually(t, holds(sent, `{"items":["one","two"]}`, true))
}
