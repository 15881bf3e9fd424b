package imports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// TestMoves removes the servers of apps from their files, and puts them back. Each file of testdata/move
// begins with the apps, followed by the files of the home, the files afterwards ("after/…"), and the
// messages. go test -update writes those.
func TestMoves(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden files have the paths of other systems")
	}
	files, err := filepath.Glob("testdata/move/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("only %d files in testdata/move: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			var given []txtar.File
			for _, file := range archive.Files {
				if file.Name == "said" || strings.HasPrefix(file.Name, "after/") {
					want[file.Name] = string(file.Data)
				} else {
					given = append(given, file)
				}
			}
			folder, system := home(t, given)
			registrar := clients.New(system, filepath.Join(folder, "state"))
			_, ids, _ := strings.Cut(strings.TrimSpace(string(archive.Comment)), "clients: ")
			plan := Make(Options{System: system, Clients: strings.Fields(ids), Projects: true})
			var said strings.Builder
			leaving := plan.Leave(system)
			var moved []clients.Move
			for _, out := range leaving.Out {
				moving, err := registrar.PlanMove(out.Client, out.File, out.Source, out.Names)
				if err != nil {
					fmt.Fprintln(&said, err)
					continue
				}
				fmt.Fprintf(&said, "%s: %s\n", out.Client.Name, strings.Join(out.Names, ", "))
				done, err := registrar.Move(moving)
				if err != nil {
					t.Fatal(err)
				}
				moved = append(moved, done)
			}
			for _, command := range leaving.Commands {
				fmt.Fprintln(&said, command)
			}
			for _, s := range leaving.Stay {
				fmt.Fprintf(&said, "%s, %s: %s\n", s.App, s.Name, s.Reason)
			}
			if connected, err := registrar.Connected(); err != nil || len(connected) > 0 {
				t.Errorf("these apps count as connected: %q, %v", connected, err)
			}

			got := map[string]string{"said": strings.ReplaceAll(said.String(), folder, "~")}
			for _, file := range given {
				data, err := os.ReadFile(filepath.Join(folder, file.Name))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(data, given[slices.IndexFunc(given, func(f txtar.File) bool {
					return f.Name == file.Name
				})].Data) {
					got["after/"+file.Name] = string(data)
				}
			}
			if *update {
				archive.Files = given
				for _, file := range given {
					if text, changed := got["after/"+file.Name]; changed {
						archive.Files = append(archive.Files, txtar.File{Name: "after/" + file.Name, Data: []byte(text)})
					}
				}
				archive.Files = append(archive.Files, txtar.File{Name: "said", Data: []byte(got["said"])})
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}

			for _, m := range slices.Backward(moved) {
				if err := registrar.GiveBack(m); err != nil {
					t.Error(err)
				}
			}
			for _, file := range given {
				if data, err := os.ReadFile(filepath.Join(folder, file.Name)); err != nil || !bytes.Equal(data, file.Data) {
					t.Errorf("%s did not come back: %v\n%s", file.Name, err, data)
				}
			}
			if left, err := registrar.Moves(); err != nil || len(left) > 0 {
				t.Errorf("still known as moved: %v, %v", left, err)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, "state", "*.backup")); len(left) > 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
}

// TestLeaveProjects checks that an entry of Claude Code for a project is removed by a command in the
// project's folder, and that an entry in a file which others may share stays.
func TestLeaveProjects(t *testing.T) {
	folder, system := home(t, []txtar.File{
		{Name: ".claude.json", Data: []byte(`{"projects": {"$HOME/work": {"mcpServers": {"own": {"command": "own"}}}}}`)},
		{Name: "work/.mcp.json", Data: []byte(`{"mcpServers": {"shared": {"command": "shared"}}}`)},
	})
	plan := Make(Options{System: system, Clients: []string{"claude-code"}, Projects: true})
	leaving := plan.Leave(system)
	if want := []string{"cd " + filepath.ToSlash(folder) +
		"/work\nclaude mcp remove -s local own"}; len(plan.Servers) != 2 || !slices.Equal(leaving.Commands, want) {
		t.Errorf("the commands are %q, want %q", leaving.Commands, want)
	}
	if len(leaving.Out) > 0 || len(leaving.Stay) != 1 || leaving.Stay[0].Name != "shared" {
		t.Errorf("leaving are %+v", leaving)
	}
}

// TestLeaveWhatIsHere checks which entries can be removed although they are not imported. A key in the keychain is
// taken for the one of the app if the servers have the same name.
func TestLeaveWhatIsHere(t *testing.T) {
	_, system := home(t, []txtar.File{{Name: ".cursor/mcp.json", Data: []byte(`{"mcpServers": {
		"same": {"command": "same"}, "kept": {"command": "kept", "env": {"TOKEN": "made-up"}},
		"second": {"command": "other", "env": {"TOKEN": "made-up"}}, "off": {"command": "off"}, "asks": {"command": "asks", "args": ["<x>"]},
		"workbench": {"command": "/opt/workbench-desktop", "args": ["stdio"]}}}`)}})
	document := config.Parse("workbench.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {
		"same": {"command": "same"}, "kept": {"command": "kept", "env": {"TOKEN": "${keyring:kept}"}},
		"first": {"command": "other", "env": {"TOKEN": "${keyring:first}"}}, "off": {"command": "off", "disabled": true}, "asks": {"command": "asks", "args": ["<x>"]}}}}}`))
	plan := Make(Options{System: system, Clients: []string{"cursor"}, Existing: document.Config})
	leaving := plan.Leave(system)
	if len(plan.Servers) > 0 || len(leaving.Out) != 1 || !slices.Equal(leaving.Out[0].Names, []string{"same", "kept", "asks"}) {
		t.Errorf("leaving are %+v of %+v", leaving, plan)
	}
}

// TestFilledInLater: an entry with a blank, and one that could not start as it was, are no longer needed in the app
// once the server of this name is complete and repaired in a toolbox.
func TestFilledInLater(t *testing.T) {
	_, system := home(t, []txtar.File{{Name: ".cursor/mcp.json", Data: []byte(`{"mcpServers": {
		"empty": {"command": "a", "env": {"API_KEY": "", "REGION": "eu"}}, "marked": {"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer <your-token>"}},
		"asked": {"command": "b", "args": ["--key", "${input:key}"]}, "added": {"command": "c"},
		"path": {"command": "/gone/clio", "args": ["--x"]}, "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]},
		"still": {"command": "d", "env": {"API_KEY": ""}}, "off": {"command": "e", "env": {"API_KEY": ""}}, "other": {"command": "f", "args": ["1"]}}}`)}})
	document := config.Parse("workbench.json", []byte(`{"toolboxes": {"dev": {"mcpServers": {
		"empty": {"command": "a", "env": {"REGION": "eu", "API_KEY": "${keyring:empty-api-key}"}}, "marked": {"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer made-up"}},
		"asked": {"command": "b", "args": ["--key", "made-up"]}, "added": {"command": "c", "env": {"TOKEN": "made-up"}},
		"path": {"command": "/opt/clio", "args": ["--x"]}, "files": {"command": "workbench-engine", "args": ["server", "files", "/data"]},
		"still": {"command": "d", "env": {"API_KEY": ""}}, "off": {"command": "e", "env": {"API_KEY": "made-up"}, "disabled": true}, "other": {"command": "f", "args": ["2"]}}}}}`))
	plan := Make(Options{System: system, Clients: []string{"cursor"}, Existing: document.Config})
	want := []string{"empty", "marked", "asked", "added", "path", "files"}
	leaving := plan.Leave(system)
	if !slices.Equal(plan.Doubles(), want) || len(leaving.Out) != 1 || !slices.Equal(leaving.Out[0].Names[1:], want) ||
		len(plan.Servers) != 1 || plan.Servers[0].Name != "other" {
		t.Errorf("there twice are %q, leaving are %+v, imported are %+v", plan.Doubles(), leaving, plan.Servers)
	}
}

// TestCheck: an entry that certainly cannot start here stays where it is, also when its server is in a toolbox
// already; one that is switched off, or whose variable may only be withheld, does not.
func TestCheck(t *testing.T) {
	const entries = `"ok": {"command": "ok"}, "gone": {"command": "gone"}, "far": {"url": "https://far.example/mcp", "headers": {"A": "${env:UNSET}"}}, "off": {"command": "off", "disabled": true}`
	folder, system := home(t, []txtar.File{{Name: ".cursor/mcp.json", Data: []byte(`{"mcpServers": {` + entries + `}}`)}})
	missing := func(document *config.Document) []config.Diagnostic {
		return document.CheckEnvironment(config.Lookup{Env: func(name string) (string, bool) {
			return folder, name == "PATH"
		}})
	}
	program := filepath.Join(folder, "ok")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	options := Options{System: system, Clients: []string{"cursor"}, Into: "dev"}
	plan := Make(options)
	var list []*config.Server
	for i := range plan.Servers {
		list = append(list, &plan.Servers[i].Entry)
	}
	options.Existing = &config.Config{Toolboxes: []*config.Toolbox{{Name: "dev", Servers: list}}}
	for name, p := range map[string]Plan{"new": plan, "there": Make(options)} {
		checked := p.Check(missing)
		if names := checked.Doubles(); name == "there" && !slices.Equal(names, []string{"ok", "off"}) {
			t.Errorf("there twice are %q", names)
		}
		leaving := checked.Leave(system)
		var stay []string
		for _, s := range leaving.Stay {
			stay = append(stay, s.Name)
		}
		if len(leaving.Out) != 1 || !slices.Equal(leaving.Out[0].Names, []string{"ok", "off"}) ||
			!slices.Equal(stay, []string{"gone", "far"}) {
			t.Errorf("%s: taken out %+v, stay %q", name, leaving.Out, stay)
		}
	}
}
