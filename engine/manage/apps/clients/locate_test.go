package clients

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// made returns an imitation of a computer whose disk has the given files. Windows paths are below a folder
// for their drive.
func made(os, home string, env map[string]string, files ...string) System {
	disk := fstest.MapFS{}
	s := System{OS: os, Home: home, Getenv: func(name string) string { return env[name] }}
	inside := func(name string) string {
		return strings.TrimPrefix(strings.ReplaceAll(s.slashed(name), ":", ""), "/")
	}
	for _, name := range files {
		mode := fs.FileMode(0o600)
		if strings.HasSuffix(name, "/") || strings.HasSuffix(name, `\`) {
			mode |= fs.ModeDir
		}
		disk[inside(name)] = &fstest.MapFile{Mode: mode}
	}
	s.Stat = func(name string) (fs.FileInfo, error) { return disk.Stat(inside(name)) }
	s.ReadDir = func(name string) ([]fs.DirEntry, error) { return disk.ReadDir(inside(name)) }
	s.Processes = func() ([]Process, error) { return nil, errors.New("not asked for") }
	return s
}

const (
	ada      = `C:\Users\Ada`
	roaming  = ada + `\AppData\Roaming`
	packaged = ada + `\AppData\Local\Packages\Claude_pzs8sxrjxfjjc`
	msix     = packaged + `\LocalCache\Roaming\Claude\claude_desktop_config.json`
	classic  = roaming + `\Claude\claude_desktop_config.json`
	support  = "/Users/ada/Library/Application Support"
)

func TestLocate(t *testing.T) {
	tests := []struct {
		name, client string
		system       System
		installed    bool
		want         []string
	}{
		{"nothing on Windows", "claude-desktop", made("windows", ada, nil), false, []string{classic}},
		{"a package without a file", "claude-desktop", made("windows", ada, nil, packaged+`\`), true, []string{msix}},
		{"a package that still reads the old file", "claude-desktop", made("windows", ada, nil, packaged+`\`, classic), true,
			[]string{classic}},
		{"a package beside the old file", "claude-desktop", made("windows", ada, nil, msix, classic), true,
			[]string{msix, classic}},
		{"a package, in other letters", "claude-desktop",
			made("windows", ada, nil, strings.Replace(msix, "Claude_pzs8", "claude_pzs8", 1)), true,
			[]string{strings.Replace(msix, "Claude_pzs8", "claude_pzs8", 1)}},
		{"only the older installer", "claude-desktop", made("windows", ada, nil, roaming+`\Claude\`), true,
			[]string{classic}},
		{"another drive", "claude-desktop",
			made("windows", ada, map[string]string{"APPDATA": `D:\Roaming`, "LOCALAPPDATA": `D:\Local`},
				`D:\Roaming\Claude\claude_desktop_config.json`), true, []string{`D:\Roaming\Claude\claude_desktop_config.json`}},
		{"a variable that is no path", "claude-desktop",
			made("windows", ada, map[string]string{"APPDATA": `Roaming`}, classic), true, []string{classic}},
		{"the other variant alone", "claude-desktop", made("linux", "/home/ada", nil, "/home/ada/.config/Claude-3p/"), true,
			[]string{"/home/ada/.config/Claude-3p/claude_desktop_config.json"}},
		{"the other variant on Windows", "claude-desktop", made("windows", ada, nil, ada+`\AppData\Local\Claude-3p\`), true,
			[]string{ada + `\AppData\Local\Claude-3p\claude_desktop_config.json`}},
		{"an older version of the other variant", "claude-desktop",
			made("windows", ada, nil, roaming+`\Claude-3p\claude_desktop_config.json`), true,
			[]string{roaming + `\Claude-3p\claude_desktop_config.json`}},
		{"what an older version has left", "claude-desktop",
			made("windows", ada, nil, ada+`\AppData\Local\Claude-3p\`, roaming+`\Claude-3p\`), true,
			[]string{ada + `\AppData\Local\Claude-3p\claude_desktop_config.json`}},
		{"from inside a Flatpak", "claude-desktop",
			made("linux", "/home/ada", map[string]string{"FLATPAK_ID": "x", "XDG_CONFIG_HOME": "/home/ada/.var/app/x/config"},
				"/home/ada/.config/Claude/"), true, []string{"/home/ada/.config/Claude/claude_desktop_config.json"}},
		{"from inside a Flatpak, with a place of its own", "zed",
			made("linux", "/home/ada", map[string]string{"FLATPAK_ID": "x", "XDG_CONFIG_HOME": "/home/ada/.var/app/x/config",
				"HOST_XDG_CONFIG_HOME": "/c"}), false, []string{"/c/zed/settings.json"}},
		{"both variants", "claude-desktop", made("darwin", "/Users/ada", nil, support+"/Claude/x", support+"/Claude-3p/x"),
			true, []string{support + "/Claude/claude_desktop_config.json", support + "/Claude-3p/claude_desktop_config.json"}},
		{"its own place for configuration", "claude-desktop",
			made("linux", "/home/ada", map[string]string{"XDG_CONFIG_HOME": "/c"}), false,
			[]string{"/c/Claude/claude_desktop_config.json"}},
		{"said by the user", "claude-code",
			made("linux", "/home/ada", map[string]string{"CLAUDE_CONFIG_DIR": "/c"}, "/home/ada/.claude.json"), true,
			[]string{"/c/.claude.json"}},
		{"said by the user", "codex", made("windows", ada, map[string]string{"CODEX_HOME": `E:\codex`}), true,
			[]string{`E:\codex\config.toml`}},
		{"said by the user", "cline", made("linux", "/home/ada", map[string]string{"CLINE_MCP_SETTINGS_PATH": `/c/x.json`}),
			true, []string{`/c/x.json`}},
		{"an older version", "cline", made("darwin", "/Users/ada", nil,
			support+"/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"), true,
			[]string{support + "/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"}},
		{"a newer version", "cline", made("linux", "/home/ada", nil,
			"/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
			"/home/ada/.cline/data/settings/cline_mcp_settings.json"), true,
			[]string{"/home/ada/.cline/data/settings/cline_mcp_settings.json"}},
		{"profiles", "vscode", made("windows", ada, nil, roaming+`\Code\User\profiles\-1a\mcp.json`,
			roaming+`\Code\User\profiles\-2b\x`), true,
			[]string{roaming + `\Code\User\mcp.json`, roaming + `\Code\User\profiles\-1a\mcp.json`}},
		{"another edition", "vscode-insiders", made("linux", "/home/ada", nil, "/home/ada/.config/Code - Insiders/User/x"),
			true, []string{"/home/ada/.config/Code - Insiders/User/mcp.json"}},
		{"both names", "windsurf", made("linux", "/home/ada", nil, "/home/ada/.codeium/windsurf/mcp_config.json",
			"/home/ada/.config/devin/x"), true,
			[]string{"/home/ada/.config/devin/mcp_config.json", "/home/ada/.codeium/windsurf/mcp_config.json"}},
		{"nothing", "windsurf", made("linux", "/home/ada", nil), false, []string{"/home/ada/.config/devin/mcp_config.json"}},
		{"with comments", "opencode", made("linux", "/home/ada", nil, "/home/ada/.config/opencode/opencode.jsonc",
			"/home/ada/.config/opencode/opencode.json"), true, []string{"/home/ada/.config/opencode/opencode.jsonc"}},
		{"version 2", "opencode", made("linux", "/home/ada", nil, "/home/ada/.config/opencode2/x"), true,
			[]string{"/home/ada/.config/opencode2/opencode.json"}},
		{"version 2 with comments", "opencode", made("windows", ada, nil, ada+`\.config\opencode2\opencode.jsonc`), true,
			[]string{ada + `\.config\opencode2\opencode.jsonc`}},
		{"both versions", "opencode", made("linux", "/home/ada", nil, "/home/ada/.config/opencode2/opencode.json",
			"/home/ada/.config/opencode/opencode.json"), true,
			[]string{"/home/ada/.config/opencode/opencode.json", "/home/ada/.config/opencode2/opencode.json"}},
		{"version 2, said by the user", "opencode",
			made("linux", "/home/ada", map[string]string{"OPENCODE2_CONFIG_DIR": "/c"}), true, []string{"/c/opencode.json"}},
		{"version 2 with comments, said by the user", "opencode",
			made("linux", "/home/ada", map[string]string{"OPENCODE2_CONFIG_DIR": "/c"}, "/c/opencode.jsonc"), true,
			[]string{"/c/opencode.jsonc"}},
		{"a Flatpak", "vscode", made("linux", "/home/ada", nil, "/home/ada/.var/app/com.visualstudio.code/config/Code/x"),
			true, []string{"/home/ada/.var/app/com.visualstudio.code/config/Code/User/mcp.json"}},
		{"a Flatpak, installed but never started", "vscode",
			made("linux", "/home/ada", nil, "/home/ada/.var/app/com.visualstudio.code/cache/"), false,
			[]string{"/home/ada/.config/Code/User/mcp.json"}},
		{"a Flatpak with a profile, and the usual one", "vscode",
			made("linux", "/home/ada", nil, "/home/ada/.var/app/com.visualstudio.code/config/Code/User/profiles/a/mcp.json",
				"/home/ada/.config/Code/User/x"), true,
			[]string{"/home/ada/.config/Code/User/mcp.json",
				"/home/ada/.var/app/com.visualstudio.code/config/Code/User/mcp.json",
				"/home/ada/.var/app/com.visualstudio.code/config/Code/User/profiles/a/mcp.json"}},
		{"a Flatpak", "zed", made("linux", "/home/ada", map[string]string{"XDG_CONFIG_HOME": "/c"},
			"/home/ada/.var/app/dev.zed.Zed/config/zed/settings.json"), true,
			[]string{"/home/ada/.var/app/dev.zed.Zed/config/zed/settings.json"}},
		{"a Snap", "zed", made("linux", "/home/ada", nil, "/home/ada/snap/zed/current/.config/zed/"), true,
			[]string{"/home/ada/snap/zed/current/.config/zed/settings.json"}},
		{"a Snap", "vscodium", made("linux", "/home/ada", nil,
			"/home/ada/snap/codium/current/.config/VSCodium/User/mcp.json"), true,
			[]string{"/home/ada/snap/codium/current/.config/VSCodium/User/mcp.json"}},
		{"another build", "vscodium", made("linux", "/home/ada", nil, "/home/ada/.config/Code - OSS/User/x"), true,
			[]string{"/home/ada/.config/Code - OSS/User/mcp.json"}},
		{"a Flatpak", "copilot-jetbrains",
			made("linux", "/home/ada", nil, "/home/ada/.var/app/com.jetbrains.IntelliJ-IDEA-Ultimate/config/github-copilot/x"),
			true, []string{"/home/ada/.var/app/com.jetbrains.IntelliJ-IDEA-Ultimate/config/github-copilot/intellij/mcp.json"}},
		{"no Flatpak on macOS", "zed",
			made("darwin", "/Users/ada", nil, "/Users/ada/.var/app/dev.zed.Zed/config/zed/settings.json"), false,
			[]string{"/Users/ada/.config/zed/settings.json"}},
		{"on Windows", "goose", made("windows", ada, nil), false, []string{roaming + `\Block\goose\config\config.yaml`}},
		{"on macOS", "zed", made("darwin", "/Users/ada", map[string]string{"XDG_CONFIG_HOME": "/c"},
			"/Users/ada/.config/zed/x"), true, []string{"/Users/ada/.config/zed/settings.json"}},
		{"before its first start", "continue", made("linux", "/home/ada", nil, "/home/ada/.continue/x"), true,
			[]string{"/home/ada/.continue/config.yaml"}},
		{"said by the user", "continue",
			made("linux", "/home/ada", map[string]string{"CONTINUE_GLOBAL_DIR": "/c"}, "/home/ada/.continue/config.yaml"), true,
			[]string{"/c/config.yaml"}},
	}
	for _, test := range tests {
		t.Run(test.client+" "+test.name, func(t *testing.T) {
			client, ok := ByID(test.client)
			if !ok {
				t.Fatal("no such client")
			}
			found := test.system.Locate(client)
			var paths []string
			for _, file := range found.Files {
				paths = append(paths, file.Path)
			}
			if !slices.Equal(paths, test.want) || found.Installed != test.installed {
				t.Errorf("got %q, installed %v; want %q, %v", paths, found.Installed, test.want, test.installed)
			}
		})
	}
}

// TestEverywhereOneFile: every client has one file on each system.
func TestEverywhereOneFile(t *testing.T) {
	for _, system := range []System{made("windows", ada, nil), made("darwin", "/Users/ada", nil),
		made("linux", "/home/ada", nil), made("freebsd", "/home/ada", nil)} {
		for _, found := range system.Detect() {
			c := found.Client
			if len(found.Files) != 1 || found.Installed || !system.whole(found.Files[0].Path) ||
				path.Clean(system.slashed(found.Files[0].Path)) != system.slashed(found.Files[0].Path) {
				t.Errorf("%s on %s: %+v", c.ID, system.OS, found.Files)
			}
		}
	}
}

func TestRunning(t *testing.T) {
	client, _ := ByID("claude-desktop")
	for _, test := range []struct {
		os, path string
		want     bool
	}{
		{"windows", `C:\Program Files\WindowsApps\Claude_1.0_x64__pzs8sxrjxfjjc\app\claude.exe`, true},
		{"windows", `C:\Users\Ada\AppData\Local\AnthropicClaude\app-1.0\Claude.exe`, true},
		{"windows", `C:\Users\Ada\.local\bin\claude.exe`, false}, // Claude Code
		{"windows", `claude.exe`, true},
		{"darwin", "/Applications/Claude.app/Contents/MacOS/Claude", true},
		{"darwin", "/Users/ada/.local/bin/claude", false},
		{"linux", "/usr/lib/claude-desktop/claude-desktop", true},
		{"linux", "/usr/lib/claude-desktop/node_modules/electron/dist/electron", true},
		{"linux", "/opt/other/electron", false},
		{"linux", "/home/ada/.local/bin/claude", false},
	} {
		system := made(test.os, "/", nil)
		system.Processes = func() ([]Process, error) { return []Process{{1, "init"}, {7, test.path}}, nil }
		running, err := system.Running(client)
		if err != nil || (len(running) == 1) != test.want {
			t.Errorf("%s: %v, %v", test.path, running, err)
		}
	}
	if all, err := processes(); err != nil || len(all) == 0 {
		t.Errorf("nothing runs here? %v", err)
	}
}
