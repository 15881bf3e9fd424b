//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// pictures is a folder for pictures of the window, such as those of the user guide; by default none are taken.
var pictures = flag.String("pictures", "", "take pictures of the window into this `folder`")

// Pictures of all screens, light and dark, for the user guide.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no folder for pictures was given")
	}
	tools := fakeserver.Script{Tools: []json.RawMessage{
		json.RawMessage(`{"name": "create_entities", "description": "Create new entities in the knowledge graph", "inputSchema": {"type": "object", "properties": {"entities": {"type": "array", "items": {"type": "string"}}}, "required": ["entities"]}}`),
		json.RawMessage(`{"name": "search_nodes", "description": "Search for nodes by a query", "inputSchema": {"type": "object", "properties": {"query": {"type": "string", "description": "What to look for"}, "limit": {"type": "integer"}}, "required": ["query"]}}`),
		json.RawMessage(`{"name": "read_graph", "description": "Read the whole knowledge graph", "inputSchema": {"type": "object"}}`),
	}}
	missing := map[string]any{"command": "npx-that-is-missing", "args": []string{"-y", "search-server"}}
	for _, look := range []string{"light", "dark"} {
		s := newSessionOf(t, configured(map[string]any{"filesystem": fake(fakeserver.Script{}), "memory": fake(tools), "search": missing}), look)
		p := newPanel(t, s)
		app := s.run(t)
		icon := p.icon(t)
		eventually(t, s.hasWindow)
		s.picture(t, look+"-start")
		client := s.newEngine(t)
		client.open(t, "dev")
		eventually(t, icon.says("● memory   Connected"))
		client.call(t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
			"tool": map[string]any{"toolbox": "dev", "server": "filesystem", "tool": "echo"}, "arguments": map[string]any{"text": "Hello"},
		}})
		s.picture(t, look+"-toolboxes")
		memory := icon.find(t, "● memory")
		at := func(name, label string) {
			shown := false
			icon.clickIn(t, memory, label, func() error {
				if !shown {
					shown = true
					return errors.New("not clicked yet")
				}
				return nil
			})
			s.picture(t, look+"-"+name)
		}
		at("setup", "Open settings")
		at("log", "Show log")
		for _, screen := range []struct{ key, name string }{{"ctrl+2", "activity"}, {"ctrl+3", "settings"}, {"ctrl+n", "add"}} {
			s.press(t, screen.key)
			s.picture(t, look+"-"+screen.name)
		}
		icon.click(t, "Quit", app.hasEnded)
	}
}

// picture takes a picture of the display, if pictures are wanted.
func (s *session) picture(t *testing.T, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	time.Sleep(700 * time.Millisecond) // what moves has come to rest
	img, err := s.screen()
	if err != nil {
		t.Fatal(err)
	}
	// The window alone, without what the window manager puts around it.
	x, y, width, height := s.geometry(t)
	cut := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(cut, cut.Bounds(), img, image.Pt(x, y), draw.Src)
	file, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, cut); err != nil {
		t.Fatal(err)
	}
}
