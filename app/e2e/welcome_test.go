//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// The first start, with the Enter key alone: the servers of Claude Desktop are brought in, and removed from its file
// when Claude Desktop is connected. When the engine in that file is started, the page shows green.
func TestFirstStart(t *testing.T) {
	s := newSession(t, "{}")
	if err := os.Remove(s.config); err != nil {
		t.Fatal(err)
	}
	notes, err := json.Marshal(fake(fakeserver.Script{}))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.folder, ".config", "Claude", "claude_desktop_config.json")
	s.put(t, file, fmt.Sprintf("{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"notes\": %s,\n    \"mail\": "+
		"{\"command\": \"sh\", \"args\": [\"-c\", \"exit 1\"]}\n  }\n}\n", notes))
	program := s.run(t)
	eventually(t, s.hasWindow)
	client := s.firstSteps(t, "", file)

	// The servers that were brought in can be used.
	text, err := os.ReadFile(s.config)
	if err != nil || !strings.Contains(string(text), `"notes"`) || !strings.Contains(string(text), `"mail"`) {
		t.Errorf("the configuration is\n%s, %v", text, err)
	}
	client.open(t, "claude-desktop")
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "notes") ||
		!strings.Contains(string(text), `"theme": "dark"`) {
		t.Errorf("the app still has the servers, or has lost more than them:\n%s, %v", text, err)
	}

	s.keys(t, "Return") // to the toolboxes
	eventually(t, s.shows(map[uint32]int{colorTint: 2000}))
	s.keys(t, "ctrl+q")
	program.endsWell(t)
	if said := program.output.String(); strings.Contains(said, "Failed to focus") {
		t.Errorf("the program said:\n%s", said)
	}
	kept, err := os.ReadFile(filepath.Join(s.folder, ".config", "workbench", "preferences.json"))
	if err != nil || !strings.Contains(string(kept), `"firstSteps": "over"`) {
		t.Errorf("the preferences are %s, %v", kept, err)
	}
}

// More colours of the light theme: behind a selected row, behind chips, and of work in progress.
const (
	colorTint    = 0xE6EDFD
	colorChip    = 0xEEF1F5
	colorWorking = 0xA15C00
)

// inDark returns the colour of the dark theme for one of the light theme.
func inDark(color uint32) uint32 {
	switch color {
	case colorAccent:
		return 0x7BA4FF
	case colorGood:
		return 0x4CC38A
	case colorTint:
		return 0x24304A
	case colorChip:
		return 0x262C35
	case colorWorking:
		return 0xF0A83A
	}
	return color
}

// firstSteps goes through the first start. It returns the engine that the entry in the file of Claude Desktop starts
// at the end. If name is not empty, it takes pictures of the steps.
func (s *session) firstSteps(t *testing.T, name, file string) *engine {
	t.Helper()
	// Each page is recognized by the number of pixels of some colours: finished steps are marked with the tint, and apps
	// with chips.
	const button, mark = 2400, 150
	page := func(which string, colors map[uint32]int) {
		t.Helper()
		eventually(t, s.shows(colors))
		if name != "" {
			s.picture(t, name+"-"+which)
		}
	}
	page("apps", map[uint32]int{colorAccent: 500 + button})
	s.keys(t, "Return")
	page("servers", map[uint32]int{colorAccent: button, colorChip: 2000})
	s.keys(t, "Return")
	page("connect", map[uint32]int{colorAccent: button, colorTint: mark})
	s.keys(t, "Return")
	page("waiting", map[uint32]int{colorAccent: button, colorTint: 2 * mark, colorWorking: 500})
	if err := s.shows(map[uint32]int{colorGood: 100})(); err == nil {
		t.Error("the page is green before the app has started an engine")
	}

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var written struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal(text, &written); err != nil {
		t.Fatal(err)
	}
	entry, ok := written.MCPServers["workbench"]
	if !ok {
		t.Fatalf("the file of Claude Desktop is\n%s", text)
	}
	client := s.newEngineOf(t, entry.Command, append(entry.Args, "--link", s.link)...)
	page("done", map[uint32]int{colorAccent: button, colorGood: 700})
	return client
}

// put writes a file of the user.
func (s *session) put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shows returns an error unless the display has at least this many pixels of each colour.
func (s *session) shows(wanted map[uint32]int) func() error {
	return func() error {
		img := s.screen()
		var errs []error
		for color, least := range wanted {
			if slices.Contains(s.env, "FYNE_THEME=dark") {
				color = inDark(color)
			}
			if got := colours(img)[color]; got < least {
				errs = append(errs, fmt.Errorf("the display has %d pixels of %06X, not %d", got, color, least))
			}
		}
		return errors.Join(errs...)
	}
}
