//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// pictures is a folder for pictures of the window, such as those of the user guide. Without it, none are taken.
var pictures = flag.String("pictures", "", "take pictures of the window into this `folder`")

// TestPictures takes the pictures of the user guide: all screens, light and dark, with the servers that come with us.
func TestPictures(t *testing.T) {
	wantPictures(t)
	own := func(args ...string) map[string]any {
		return map[string]any{"command": "workbench-engine", "args": append([]string{"server"}, args...)}
	}
	for _, look := range []string{"light", "dark"} {
		s := newSessionOf(t, configuredAs(map[string]map[string]any{
			"office":   {"documents": own("files", "${HOME}/Documents"), "notes": own("notes")},
			"research": {"time": own("time"), "web": own("web")},
		}), look)
		s.put(t, filepath.Join(s.folder, "Documents", "Lease Miller.txt"), "The lease ends on 31 December 2026.\n")
		s.put(t, filepath.Join(s.folder, ".config", "workbench", "preferences.json"), `{"firstSteps": "over", "http": true}`)
		s.installConfig(t)
		s.installApps(t)
		s.usedForAMonth(t)
		p := newPanel(t, s)
		app := s.run(t)
		icon := p.icon(t)
		eventually(t, s.hasWindow)
		s.picture(t, look+"-start")
		client := s.newEngine(t)
		client.open(t, "office")
		eventually(t, icon.says("● notes "))
		eventually(t, icon.says("● documents "))
		for tool, arguments := range map[string]any{"list_notes": map[string]any{},
			"search_notes": map[string]any{"query": "Miller"}} {
			client.call(t, "tools/call", map[string]any{"name": "use_tool", "arguments": map[string]any{
				"tool":      map[string]any{"toolbox": "office", "server": "notes", "tool": tool},
				"arguments": arguments,
			}})
		}
		s.click(t, 48, 30) // moves the pointer out of the way
		s.picture(t, look+"-toolboxes")
		at := func(name, label string) {
			documents := icon.find(t, "● documents") // the entry changes with the number of tools
			shown := false
			icon.clickIn(t, documents, label, func() error {
				if !shown {
					shown = true
					return errors.New("not clicked yet")
				}
				return nil
			})
			s.picture(t, look+"-"+name)
		}
		at("tools", "Open settings") // it works, so the first page is what it can do
		s.click(t, 498, 170)
		s.picture(t, look+"-setup")
		s.click(t, 442, 170)
		s.click(t, 744, 219)
		s.typed(t, "read_text")
		s.click(t, 1042, 326)
		s.click(t, 744, 449)
		s.typed(t, "Lease Miller.txt")
		s.click(t, 440, 657)
		if *pictures != "" {
			time.Sleep(10 * time.Second) // the app's own engine has to start the server first
		}
		s.picture(t, look+"-try")
		at("log", "Show log")
		s.keys(t, "ctrl+2")
		s.picture(t, look+"-clients")
		s.usesHTTP(t, "n8n")
		s.usesHTTP(t, "open-webui")
		s.keys(t, "ctrl+3")
		s.keys(t, "ctrl+2")
		if *pictures != "" {
			time.Sleep(2 * time.Second) // until the apps are found
		}
		s.scrolledDown(t)
		s.picture(t, look+"-http")
		s.keys(t, "ctrl+3")
		s.picture(t, look+"-activity")
		s.keys(t, "ctrl+6")
		s.picture(t, look+"-usage")
		s.keys(t, "ctrl+4")
		s.picture(t, look+"-settings")
		s.click(t, 163, 703)
		s.picture(t, look+"-file")
		s.click(t, 48, 30)
		s.click(t, 312, 70)
		s.picture(t, look+"-add")
		s.keys(t, "Escape")
		time.Sleep(time.Second) // a link that arrives while a dialog is open is dropped
		s.run(t, "workbench://add?name=weather&config="+
			url.QueryEscape(`{"command":"npx","args":["-y","weather-server"],"env":{"WEATHER_KEY":""}}`)).endsWell(t)
		time.Sleep(2 * time.Second)
		s.picture(t, look+"-link")
		s.keys(t, "Escape")
		s.click(t, 190, 128)
		s.click(t, 1059, 33)
		s.click(t, 1000, 240)
		time.Sleep(time.Second)
		s.click(t, 530, 490)
		s.keys(t, "ctrl+a")
		s.typed(t, "/home/anna/Documents/office.toolbox.json")
		s.picture(t, look+"-share")
		s.keys(t, "Escape")
		icon.click(t, "Quit", app.hasEnded)
	}
}

// usesHTTP begins a session of an app that uses HTTP.
func (s *session) usesHTTP(t *testing.T, app string) {
	t.Helper()
	cmd := exec.Command(program, "serve", "token", "add", app)
	cmd.Env = s.env
	token, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:7400/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},`+
			`"clientInfo":{"name":"x","version":"1"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
}

// wantPictures skips a test that only takes pictures, unless they are wanted.
func wantPictures(t *testing.T) {
	t.Helper()
	if *pictures == "" {
		t.Skip("no folder for pictures was given")
	}
	folder, err := filepath.Abs(*pictures)
	if err != nil {
		t.Fatal(err)
	}
	*pictures = folder
}

// TestPicturesOfTheFirstSteps takes pictures of the first start on a computer with some apps.
func TestPicturesOfTheFirstSteps(t *testing.T) {
	wantPictures(t)
	t.Chdir(filepath.Join("..", "..", "e2e", "npm")) // npx finds the installed packages there
	for _, look := range []string{"light", "dark"} {
		s := newSessionOf(t, "{}", look)
		if err := os.Remove(s.config); err != nil {
			t.Fatal(err)
		}
		s.put(t, filepath.Join(s.folder, "Documents", "Lease Miller.txt"), "The lease ends on 31 December 2026.\n")
		claude := filepath.Join(s.folder, ".config", "Claude", "claude_desktop_config.json")
		s.put(t, claude, `{"mcpServers": {
			"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${HOME}/Documents"]},
			"search": {"command": "npx", "args": ["-y", "@brave/brave-search-mcp-server"], "env": {"BRAVE_API_KEY": ""}}}}`)
		s.put(t, filepath.Join(s.folder, ".cursor", "mcp.json"), `{"mcpServers": {
			"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${HOME}/Documents"]},
			"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}`)
		s.put(t, filepath.Join(s.folder, ".config", "zed", "settings.json"), "{}")
		s.run(t)
		eventually(t, s.hasWindow)
		s.firstSteps(t, look+"-first", claude)
	}
}

// installConfig moves the configuration to its usual place.
func (s *session) installConfig(t *testing.T) {
	t.Helper()
	path := filepath.Join(s.folder, ".config", "workbench", "workbench-config.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.config, path); err != nil {
		t.Fatal(err)
	}
	s.config = path
}

// usedForAMonth records calls of two apps on the last 30 days.
func (s *session) usedForAMonth(t *testing.T) {
	t.Helper()
	folder := usage.Folder(filepath.Join(s.folder, ".local", "state", "workbench", "usage"))
	for day := range 30 {
		at := time.Now().AddDate(0, 0, day-29)
		for i, app := range []string{"claude-desktop", "cursor"} {
			w := usage.NewWriter(usage.Options{Folder: folder, Config: s.config, App: app, Now: func() time.Time { return at }})
			w.SetOffered(func() []usage.Toolbox {
				return []usage.Toolbox{{Name: "office", Servers: []string{"documents", "notes"}},
					{Name: "research", Servers: []string{"web"}}}
			})
			for call := range 3 + (day*7+i*5)%17 {
				w.Call("office", "documents", "read_text_file", time.Duration(40+call*60)*time.Millisecond, call%13 == 12)
				w.Call("office", "notes", "search_notes", time.Duration(5+call)*time.Millisecond, false)
			}
			if day%5 == 0 {
				w.Opened("research", 6, 9000)
				w.Call("research", "web", "fetch", 3*time.Second, day == 10)
			}
			w.Close(time.Minute)
		}
	}
}

// installApps creates the files of some AI apps and connects one of them.
func (s *session) installApps(t *testing.T) {
	t.Helper()
	for name, text := range map[string]string{
		".config/Claude/claude_desktop_config.json": "{}",
		".cursor/mcp.json":                          `{"mcpServers": {"github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"]}}}`,
		".config/zed/settings.json":                 "{}",
	} {
		path := filepath.Join(s.folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "connect", "claude-desktop", "--yes", "--config", s.config)
	cmd.Env = s.env
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// configuredAs returns a configuration with several toolboxes.
func configuredAs(toolboxes map[string]map[string]any) string {
	descriptions := map[string]string{"dev": "Files, notes and things to try", "office": "Contracts and letters",
		"research": "Read pages of the web"}
	written := map[string]any{}
	for name, servers := range toolboxes {
		written[name] = map[string]any{"description": descriptions[name], "mcpServers": servers}
	}
	text, err := json.MarshalIndent(map[string]any{"toolboxes": written}, "", "  ")
	if err != nil {
		panic(err) // cannot fail for strings
	}
	return string(text)
}

// typed types a text.
func (s *session) typed(t *testing.T, text string) {
	t.Helper()
	time.Sleep(300 * time.Millisecond) // until the clicked field is ready
	cmd := exec.Command("xdotool", "type", "--delay", "20", text)
	cmd.Env = s.env
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// click clicks in the window, in pixels from its upper left corner.
func (s *session) click(t *testing.T, x, y int) {
	t.Helper()
	left, top, _, _ := s.geometry(t)
	cmd := exec.Command("xdotool", "mousemove", strconv.Itoa(left+x), strconv.Itoa(top+y), "click", "1")
	cmd.Env = s.env
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // people click no faster
}

// scrolledDown turns the mouse wheel until the end of the page is shown.
func (s *session) scrolledDown(t *testing.T) {
	t.Helper()
	left, top, width, height := s.geometry(t)
	cmd := exec.Command("xdotool", "mousemove", strconv.Itoa(left+width/2), strconv.Itoa(top+height/2), "click",
		"--repeat", "40", "--delay", "10", "5")
	cmd.Env = s.env
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// picture saves a picture of the window, if pictures are wanted.
func (s *session) picture(t *testing.T, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	time.Sleep(700 * time.Millisecond) // until nothing moves
	img := s.screen()
	// Cut off the frame that the window manager draws.
	x, y, width, height := s.geometry(t)
	if width == 0 { // there is no window
		width, height = img.Bounds().Dx(), img.Bounds().Dy()
	}
	cut := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(cut, cut.Bounds(), img, image.Pt(x, y), draw.Src)
	savePicture(t, filepath.Join(*pictures, name+".png"), cut)
}

// savePicture saves a picture as PNG.
func savePicture(t *testing.T, path string, img image.Image) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, img); err != nil {
		t.Fatal(err)
	}
}
