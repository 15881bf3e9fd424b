package clients

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// usual is where each client keeps its file when nothing is said otherwise: on Linux, macOS and Windows. "~" is the home folder, "^" where programs
// keep their data (~/.config, ~/Library/Application Support, %APPDATA%). The table of the clients' documentation is
// written down here a second time, by hand, so that a slip in one of the two shows.
func usual() map[string][3]string {
	same := func(path string) [3]string { return [3]string{path, path, path} }
	return map[string][3]string{
		"claude-desktop":  same("^/Claude/claude_desktop_config.json"),
		"claude-code":     same("~/.claude.json"),
		"cursor":          same("~/.cursor/mcp.json"),
		"vscode":          same("^/Code/User/mcp.json"),
		"vscode-insiders": same("^/Code - Insiders/User/mcp.json"),
		"windsurf":        {"~/.config/devin/mcp_config.json", "~/.config/devin/mcp_config.json", "^/devin/mcp_config.json"},
		"zed":             {"~/.config/zed/settings.json", "~/.config/zed/settings.json", "^/Zed/settings.json"},
		"cline":           same("~/.cline/data/settings/cline_mcp_settings.json"),
		"continue":        same("~/.continue/config.yaml"),
		"codex":           same("~/.codex/config.toml"),
		"gemini":          same("~/.gemini/settings.json"),
		"antigravity":     same("~/.gemini/config/mcp_config.json"),
		"goose":           {"~/.config/goose/config.yaml", "~/.config/goose/config.yaml", "^/Block/goose/config/config.yaml"},
		"lmstudio":        same("~/.lmstudio/mcp.json"),
		"jetbrains":       same("~/.ai/mcp/mcp.json"),
		"junie":           same("~/.junie/mcp/mcp.json"),
		"copilot":         same("~/.copilot/mcp-config.json"),
		"kiro":            same("~/.kiro/settings/mcp.json"),
		"opencode":        same("~/.config/opencode/opencode.json"),
		"warp":            same("~/.warp/.mcp.json"),
	}
}

// TestEveryClientOnEverySystem holds where each client's file is, and that the client is found by that file, by the folder of it, and by nothing else.
func TestEveryClientOnEverySystem(t *testing.T) {
	want := usual()
	for i, one := range []struct{ os, home, data string }{
		{"linux", "/home/ada", "/home/ada/.config"}, {"darwin", "/Users/ada", support}, {"windows", ada, roaming},
	} {
		for _, c := range All() {
			t.Run(c.ID+" "+one.os, func(t *testing.T) {
				path := strings.NewReplacer("~", one.home, "^", one.data).Replace(want[c.ID][i])
				if one.os == "windows" {
					path = strings.ReplaceAll(path, "/", `\`)
				}
				look := func(files ...string) Found { return made(one.os, one.home, nil, files...).Locate(c) }
				if found := look(); found.Installed || len(found.Files) != 1 || found.Files[0].Path != path || found.Files[0].Exists {
					t.Errorf("nothing is here: %+v, want %s", found.Files, path)
				}
				if found := look(path); !found.Installed || len(found.Files) != 1 || found.Files[0].Path != path || !found.Files[0].Exists {
					t.Errorf("its file is here: installed %v, %+v, want %s", found.Installed, found.Files, path)
				}
				// Its folder without the file; Claude Code's is the home, and has a mark of its own.
				folder := path[:strings.LastIndexAny(path, `/\`)+1]
				if c.ID == "claude-code" {
					folder = path[:len(path)-len(".json")] + string(path[len(one.home)])
				}
				if found := look(folder); !found.Installed || len(found.Files) != 1 || found.Files[0].Path != path || found.Files[0].Exists {
					t.Errorf("its folder %s is here: installed %v, %+v", folder, found.Installed, found.Files)
				}
			})
		}
	}
}

// TestOverrides holds the variables by which people say where a client keeps its file: what they say goes before what is there.
func TestOverrides(t *testing.T) {
	for _, test := range []struct{ client, variable, file string }{
		{"claude-code", "CLAUDE_CONFIG_DIR", "/.claude.json"},
		{"codex", "CODEX_HOME", "/config.toml"},
		{"cline", "CLINE_MCP_SETTINGS_PATH", ""},
		{"cline", "CLINE_DIR", "/data/settings/cline_mcp_settings.json"},
		{"goose", "XDG_CONFIG_HOME", "/goose/config.yaml"},
		{"zed", "XDG_CONFIG_HOME", "/zed/settings.json"},
		{"opencode", "XDG_CONFIG_HOME", "/opencode/opencode.json"},
		{"vscode", "XDG_CONFIG_HOME", "/Code/User/mcp.json"},
		{"windsurf", "XDG_CONFIG_HOME", "/devin/mcp_config.json"},
		{"claude-desktop", "XDG_CONFIG_HOME", "/Claude/claude_desktop_config.json"},
	} {
		for said, want := range map[string]string{"/said": "/said" + test.file, "said": ""} { // half a path says nothing
			usually := strings.NewReplacer("~", "/home/ada", "^", "/home/ada/.config").Replace(usual()[test.client][0])
			if want == "" {
				want = usually
			}
			files := []string{usually}
			if test.client == "windsurf" {
				files = nil // all its places are written besides each other
			}
			found := made("linux", "/home/ada", map[string]string{test.variable: said}, files...).Locate(client(t, test.client))
			if test.variable == "XDG_CONFIG_HOME" && len(found.Files) == 1 && said == "/said" && found.Files[0].Exists {
				t.Errorf("%s: %s is taken for the file at another place", test.client, found.Files[0].Path)
			}
			if len(found.Files) != 1 || found.Files[0].Path != want {
				t.Errorf("%s, %s=%s: %+v, want %s", test.client, test.variable, said, found.Files, want)
			}
		}
	}
}

// TestDetectionOpensNothing puts, in place of every client's file, what nobody can open: pipes, which would hold up who tries, and folders without rights.
func TestDetectionOpensNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no pipes in folders on Windows")
	}
	p := newPlace(t)
	var files []string
	for _, c := range All() {
		for _, k := range p.system.candidates(c) {
			if strings.Contains(k.place.Path, "*") || slices.Contains(files, k.path) {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(k.path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := pipe(k.path); err != nil {
				t.Fatal(err)
			}
			files = append(files, k.path)
		}
	}
	if len(files) < len(All()) {
		t.Fatalf("there are only %q", files)
	}
	opened := func(string) ([]byte, error) { t.Error("a file was read"); return nil, fs.ErrPermission }
	p.system.ReadFile = nil
	for _, found := range p.system.Detect() { // hangs where a file is opened
		if !found.Installed || len(found.Files) == 0 || !found.Files[0].Exists {
			t.Errorf("%s was not found", found.Client.ID)
		}
	}
	// Looking at the states opens nothing either but what an organisation has set.
	p.Registrar.system.ReadFile = func(name string) ([]byte, error) {
		if slices.Contains(files, name) || strings.HasPrefix(name, p.home) {
			return opened(name)
		}
		return nil, nil
	}
	if _, err := p.Status(p.launch); err != nil {
		t.Fatal(err)
	}
	// Who connects such a client is told what is wrong instead of being kept waiting.
	for _, c := range All() {
		if c.ByHand != "" {
			continue
		}
		if _, err := p.PlanConnect(c, p.launch); err == nil || !strings.Contains(err.Error(), "a device, a pipe or a socket") {
			t.Errorf("%s: %v", c.ID, err)
		}
	}
	// Without rights for a folder nothing is found, and nothing fails.
	denied := p.system
	denied.Stat = func(string) (fs.FileInfo, error) { return nil, fs.ErrPermission }
	denied.ReadDir = func(string) ([]fs.DirEntry, error) { return nil, errors.New("denied") }
	for _, found := range denied.Detect() {
		if found.Installed || len(found.Files) == 0 {
			t.Errorf("%s: %+v", found.Client.ID, found)
		}
	}
}
