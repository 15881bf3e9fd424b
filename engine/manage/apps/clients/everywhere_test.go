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

	"github.com/rogpeppe/go-internal/txtar"
)

// computers returns the computers for which the golden files have the paths of each client's file.
func computers() []System {
	return []System{made("linux", "/home/ada", nil), made("darwin", "/Users/ada", nil), made("windows", ada, nil)}
}

// usual returns, from the golden file, the path of a client's file on each of the computers when no variable
// changes it.
func usual(t *testing.T, id string) []string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", id+".txtar"))
	if err != nil || len(archive.Files) == 0 || archive.Files[0].Name != placesSection {
		t.Fatalf("%s: no places in its golden file: %v", id, err)
	}
	return strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")
}

// TestEveryClientOnEverySystem checks the path of each client's file, and that the client is detected by that
// file, by its folder, and by nothing else.
func TestEveryClientOnEverySystem(t *testing.T) {
	for _, c := range All() {
		for i, path := range usual(t, c.ID) {
			one := computers()[i]
			t.Run(c.ID+" "+one.OS, func(t *testing.T) {
				look := func(files ...string) Found { return made(one.OS, one.Home, nil, files...).Locate(c) }
				if found := look(); found.Installed || len(found.Files) != 1 || found.Files[0].Path != path ||
					found.Files[0].Exists {
					t.Errorf("before the client is installed: %+v, want %s", found.Files, path)
				}
				if found := look(path); !found.Installed || len(found.Files) != 1 || found.Files[0].Path != path ||
					!found.Files[0].Exists {
					t.Errorf("its file is here: installed %v, %+v, want %s", found.Installed, found.Files, path)
				}
				// The folder alone counts too. For Claude Code that would be the home folder, so it has
				// another mark.
				folder := path[:strings.LastIndexAny(path, `/\`)+1]
				if c.ID == "claude-code" {
					folder = path[:len(path)-len(".json")] + string(path[len(one.Home)])
				}
				if found := look(folder); !found.Installed || len(found.Files) != 1 || found.Files[0].Path != path ||
					found.Files[0].Exists {
					t.Errorf("its folder %s is here: installed %v, %+v", folder, found.Installed, found.Files)
				}
			})
		}
	}
}

// TestOverrides checks the variables that set the path of a client's file. They have precedence over existing
// files.
func TestOverrides(t *testing.T) {
	for _, test := range []struct{ client, variable, file string }{
		{"claude-code", "CLAUDE_CONFIG_DIR", "/.claude.json"},
		{"codex", "CODEX_HOME", "/config.toml"},
		{"cline", "CLINE_MCP_SETTINGS_PATH", ""},
		{"cline", "CLINE_DIR", "/data/settings/cline_mcp_settings.json"},
		{"qwen", "QWEN_HOME", "/settings.json"},
		{"kimi", "KIMI_CODE_HOME", "/mcp.json"},
		{"kilo", "XDG_CONFIG_HOME", "/kilo/kilo.json"},
		{"goose", "XDG_CONFIG_HOME", "/goose/config.yaml"},
		{"zed", "XDG_CONFIG_HOME", "/zed/settings.json"},
		{"opencode", "XDG_CONFIG_HOME", "/opencode/opencode.json"},
		{"vscode", "XDG_CONFIG_HOME", "/Code/User/mcp.json"},
		{"windsurf", "XDG_CONFIG_HOME", "/devin/mcp_config.json"},
		{"claude-desktop", "XDG_CONFIG_HOME", "/Claude/claude_desktop_config.json"},
	} {
		for said, want := range map[string]string{"/said": "/said" + test.file, "said": ""} { // a relative path is ignored
			usually := usual(t, test.client)[0]
			if want == "" {
				want = usually
			}
			files := []string{usually}
			if test.client == "windsurf" {
				files = nil // all its places are marked Also
			}
			found := made("linux", "/home/ada", map[string]string{test.variable: said}, files...).Locate(rowOf(t, test.client))
			if test.variable == "XDG_CONFIG_HOME" && len(found.Files) == 1 && said == "/said" && found.Files[0].Exists {
				t.Errorf("%s: %s counts as the file at another place", test.client, found.Files[0].Path)
			}
			if len(found.Files) != 1 || found.Files[0].Path != want {
				t.Errorf("%s, %s=%s: %+v, want %s", test.client, test.variable, said, found.Files, want)
			}
		}
	}
}

// TestDetectionOpensNothing replaces every client's file by something that cannot be opened: a pipe, which
// would block the reader, or a folder without permissions.
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
	for _, found := range p.system.Detect() { // hangs if a file is opened
		if !found.Installed || len(found.Files) == 0 || !found.Files[0].Exists {
			t.Errorf("%s was not found", found.Client.ID)
		}
	}
	// Reading the states opens nothing either, except the files of an organisation's rules.
	p.Registrar.system.ReadFile = func(name string) ([]byte, error) {
		if slices.Contains(files, name) || strings.HasPrefix(name, p.home) {
			return opened(name)
		}
		return nil, nil
	}
	if _, err := p.Status(p.launch); err != nil {
		t.Fatal(err)
	}
	// Connecting such a client fails with an error instead of blocking.
	for _, c := range All() {
		if c.ByHand != "" {
			continue
		}
		if _, err := p.PlanConnect(c, p.launch); err == nil ||
			!strings.Contains(err.Error(), "a device, a pipe or a socket") {
			t.Errorf("%s: %v", c.ID, err)
		}
	}
	// A folder without permissions is treated as missing.
	denied := p.system
	denied.Stat = func(string) (fs.FileInfo, error) { return nil, fs.ErrPermission }
	denied.ReadDir = func(string) ([]fs.DirEntry, error) { return nil, errors.New("denied") }
	for _, found := range denied.Detect() {
		if found.Installed || len(found.Files) == 0 {
			t.Errorf("%s: %+v", found.Client.ID, found)
		}
	}
}
