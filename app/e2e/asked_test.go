//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
)

// With the keyboard and two clicks, a tool of the reference server is tried. The server asks for a form. Its first
// field has the focus, and Enter sends what was typed there.
func TestAskedWhileATool(t *testing.T) {
	needs(t, "node")
	if _, err := os.Stat(npmServer(t, "everything")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run e2e/npm/install", err)
		}
		t.Skipf("%v; run e2e/npm/install", err)
	}
	folder := t.TempDir()
	sent, got := filepath.Join(folder, "sent"), filepath.Join(folder, "got") // what the server got, and what it sent
	config, err := json.Marshal(map[string]any{
		"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": map[string]any{
			"everything": map[string]any{"command": "sh",
				"args": []string{"-c", `tee "$0" | node "$2" stdio | tee "$1"`, sent, got, npmServer(t, "everything")}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, string(config))
	s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	k := &keyboard{s.display}
	left, top, _, _ := s.geometry(t)
	send := image.Rect(784, 653, 834, 688).Add(image.Pt(left, top)) // the button of the form
	asks := func(wanted bool) func() error {
		return func() error {
			if is := s.display.counts(send, colorAccent) > 500; is != wanted {
				return fmt.Errorf("the form is shown: %t", is)
			}
			return nil
		}
	}
	k.press("ctrl+f")
	k.types("everything")
	k.press("Return", "Escape", "Return", "ctrl+shift+Tab")
	s.click(t, 1011, 85) // Start
	eventually(t, holds(got, `"trigger-elicitation-request"`, true))
	k.press("ctrl+f")
	k.types("trigger-elicitation-request")
	tool := func(row int) int { // how much of the name of a tool is written in a row of the list
		return s.display.counts(image.Rect(470, 304+49*row, 690, 321+49*row).Add(image.Pt(left, top)), colorText)
	}
	eventually(t, func() error {
		if first, second := tool(0), tool(1); first < 100 || second > 0 {
			return fmt.Errorf("the list is not down to one tool: %d and %d pixels", first, second)
		}
		return nil
	})
	s.picture(t, "asked-tool")
	s.click(t, 1042, 326) // Try it
	run := image.Rect(428, 648, 484, 672).Add(image.Pt(left, top))
	eventually(t, func() error {
		if s.display.counts(run, colorAccent) < 300 {
			return errors.New("the page of the tool is not shown")
		}
		return nil
	})
	k.press("ctrl+Return")
	eventually(t, asks(true))
	k.rest()
	s.picture(t, "asked-form")
	k.types("jo")
	s.picture(t, "asked-typed")
	k.press("Return")
	eventually(t, holds(sent, `"action":"accept","content":{"name":"jo",`, true))
	eventually(t, asks(false))
	s.picture(t, "asked-result")

	k.press("ctrl+Return")
	eventually(t, asks(true))
	k.press("Escape")
	eventually(t, holds(sent, `"action":"cancel"`, true))
}
