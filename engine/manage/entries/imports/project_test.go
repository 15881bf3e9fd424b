package imports

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// TestServersOfProjectsKeepTheirFolder: a server of a project starts in its folder, and references to the folder are
// that folder, in Claude Code's own list, in a project's file, and in a file that the user names. Elsewhere the folder
// is not known.
func TestServersOfProjectsKeepTheirFolder(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "work", "some project")
	put := func(path, text string) string {
		t.Helper()
		path = filepath.Join(home, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const servers = `"rel": {"command": "node", "args": ["./tools/mini.js", "here"]},
		"root": {"command": "node", "args": ["${CLAUDE_PROJECT_DIR}/tools/mini.js"]},
		"space": {"command": "node", "args": ["--root=${workspaceFolder}"], "cwd": "./sub"},
		"own": {"command": "node", "cwd": "` + "/elsewhere" + `"},
		"far": {"url": "https://far.example/mcp"}`
	put(".claude.json", `{"projects": {`+string(jsonc.Value(project))+
		`: {"mcpServers": {"mine": {"command": "mine", "args": ["${CLAUDE_PROJECT_DIR:-.}"]}}}}}`)
	shared := put("work/some project/.mcp.json", `{"mcpServers": {`+servers+`}}`)
	vscode := put("work/some project/.vscode/mcp.json", `{"servers": {`+servers+`}}`)
	kiro := put("work/some project/.kiro/settings/mcp.json", `{"mcpServers": {`+servers+`}}`)
	global := put(".cursor/mcp.json", `{"mcpServers": {`+servers+`}}`)
	system := clients.System{OS: "linux", Home: filepath.ToSlash(home), Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	check := func(name string, plan Plan, own int) {
		t.Helper()
		if len(plan.Servers) != own+5 {
			t.Fatalf("%s has %d servers; %s", name, len(plan.Servers), reasons(plan))
		}
		for i := range plan.Servers {
			f := &plan.Servers[i]
			cwd, arg := project, ""
			switch f.As {
			case "mine":
				arg = project
			case "rel":
				arg = "./tools/mini.js"
			case "root":
				arg = project + "/tools/mini.js"
			case "space":
				cwd, arg = filepath.Join(project, "sub"), "--root="+project
			case "own":
				cwd = "/elsewhere"
			case "far":
				cwd = ""
			}
			if f.Entry.Cwd != cwd || len(f.ToFill) > 0 || f.Entry.Disabled || arg != "" && f.Entry.Args[0] != arg {
				t.Errorf("%s, %s: in %q, %q, to fill in %q, off %v", name, f.As, f.Entry.Cwd, f.Entry.Args, f.ToFill,
					f.Entry.Disabled)
			}
		}
	}
	check("Claude Code", Make(Options{System: system, Clients: []string{"claude-code"}, Projects: true}), 1)
	for _, file := range []string{shared, vscode, kiro} {
		check(file, Make(Options{System: system, File: file}), 0)
	}
	for i, f := range Make(Options{System: system, File: global}).Servers {
		if f.As == "rel" && f.Entry.Cwd != "" || f.As == "root" && len(f.ToFill) == 0 {
			t.Errorf("server %d of a file for all projects: in %q, to fill in %q", i, f.Entry.Cwd, f.ToFill)
		}
	}
}
