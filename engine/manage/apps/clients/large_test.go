package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
)

// history is a value as apps keep it in their settings: larger than what is read.
func history() string {
	return `[` + strings.Repeat(`{"display": "what \"a\" person {typed", "pasted": [{}]}, `, excerpt.MaxText/50) +
		`"end"]`
}

// TestLargeFile connects and disconnects an app whose file has far more than settings, also after another change, and
// moves servers out and back. Nothing of the rest is changed, and nothing as large is kept.
func TestLargeFile(t *testing.T) {
	const servers = "  \"mcpServers\": {\n    \"a\": {\"command\": \"a\", \"env\": {\"TOKEN\": " +
		"\"made-up-secret\"}},\n    \"b\": {\"command\": \"b\"}\n  }"
	for name, before := range map[string]string{
		"before the rest": "{\n" + servers + ",\n  \"history\": " + history() + "\n}\n",
		"after the rest":  "{\n  \"history\": " + history() + ",\n" + servers + "\n}\n",
		"no servers yet":  "{\n  \"history\": " + history() + "\n}\n",
		"on one line":     `{"a":"b","history":` + history() + `,"mcpServers":{"a":{"command":"a"}},"z":` + history() + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "after the rest" {
				t.Skip("one of these files is enough where files are slow")
			}
			p := newPlace(t)
			file := p.file("cursor")
			p.put(file, before)
			plan := p.must(p.connect("cursor"))
			after := p.text(file)
			if rest := strings.Replace(after, plan.Changes[0].record.Inserted, "", 1); !strings.Contains(after, `"cursor"`) ||
				rest != before {
				t.Fatal("more than our entry was written")
			}
			if diff := plan.Diff(plan.Changes[0]); len(diff) > 3000 || !strings.Contains(diff, "workbench") {
				t.Errorf("the difference has %d bytes: %.3000s", len(diff), diff)
			}
			if plan := p.must(p.connect("cursor")); plan.Changed() {
				t.Error("twice is not once")
			}
			if status, err := p.Status(p.launch); err != nil || stateIn(status, "cursor") != Connected {
				t.Errorf("it is %q, %v", stateIn(status, "cursor"), err)
			}
			p.must(p.disconnect("cursor"))
			if p.text(file) != before {
				t.Error("after disconnecting, the file is not what it was")
			}
			p.must(p.connect("cursor"))
			changed := strings.Replace(p.text(file), "typed", "Typed", 1)
			p.put(file, changed)
			p.must(p.disconnect("cursor"))
			if p.text(file) != strings.Replace(before, "typed", "Typed", 1) {
				t.Error("after another change and disconnecting, more than our entry is gone")
			}
			if strings.Contains(before, `"command": "b"`) {
				p.put(file, before)
				move, err := p.move("cursor", "a")
				if err != nil || strings.Contains(p.text(file), `"a": {"command"`) || !strings.Contains(p.text(file), `"b"`) {
					t.Fatalf("not moved: %v", err)
				}
				if err := p.GiveBack(move); err != nil || p.text(file) != before {
					t.Errorf("not given back as it was: %v", err)
				}
				if move, err = p.move("cursor", "a", "b"); err != nil {
					t.Fatal(err)
				}
				p.put(file, strings.Replace(p.text(file), "typed", "Typed", 1))
				if err := p.GiveBack(move); err != nil || !strings.Contains(p.text(file), "made-up-secret") ||
					!strings.Contains(p.text(file), "Typed") {
					t.Errorf("not given back after a change: %v", err)
				}
			}
			err := filepath.WalkDir(p.Folder(), func(path string, entry os.DirEntry, err error) error {
				if info, err := entry.Info(); err == nil && info.Size() > 1<<20 {
					t.Errorf("%s has %d bytes", path, info.Size())
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func stateIn(all []Status, id string) State {
	for _, status := range all {
		if status.Client.ID == id {
			return status.State
		}
	}
	return ""
}

// TestLargeFileOfClaudeCode: only the servers of such a file are read, with those of its projects.
func TestLargeFileOfClaudeCode(t *testing.T) {
	p := newPlace(t)
	ours := func(args string) string {
		return `{"type":"stdio","command":"` + escaped(p.launch.Program) + `","args":["stdio","--client","claude-code",` +
			args + `]}`
	}
	p.put(p.file("claude-code"), `{"projects":{"`+escaped(p.home)+`":{"history":`+history()+`,"mcpServers":{"mine":`+
		ours(`"--project"`)+`}}},`+
		`"mcpServers":{"workbench":`+ours(`"--config","`+escaped(p.launch.Config)+`"`)+`,"gl":{"command":"node"}}}`)
	status, err := p.Status(p.launch)
	if err != nil || stateIn(status, "claude-code") != Connected {
		t.Fatalf("it is %q, %v", stateIn(status, "claude-code"), err)
	}
	plan, err := p.PlanDisconnect(rowOf(t, "claude-code"))
	if err != nil || !strings.Contains(plan.Paste, "remove") || !strings.Contains(plan.Paste, "mine") {
		t.Errorf("disconnecting: %q, %v", plan.Paste, err)
	}
}

// TestLargeTextFiles: a megabyte of projects in Codex' file, and pages of Markdown in Continue's, are read and kept.
func TestLargeTextFiles(t *testing.T) {
	var tables strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&tables, "[projects.\"/home/ada/work/project-%d\"]\ntrust_level = \"trusted\"\n", i)
	}
	toml := "model = \"x\"\n\n[mcp_servers.files]\ncommand = \"npx\"\n\n" + tables.String()
	page := strings.Repeat("      # A title\n      Some **bold**, *slanted* and [linked](https://example.com/{id}) "+
		"text: `a[0]`\n      * [ ] to do\n\n", 3000)
	yaml := "name: Main\nversion: 1.0.0\nschema: v1\nrules:\n  - name: style\n    rule: |\n" + page +
		"mcpServers:\n  - name: files\n    command: npx\n"
	for id, text := range map[string]string{"codex": toml, "continue": yaml,
		"goose": "instructions: |\n" + page + "extensions:\n  files:\n    cmd: npx\n    type: stdio\n"} {
		p := newPlace(t)
		file := p.file(id)
		p.put(file, text)
		p.must(p.connect(id))
		if !strings.Contains(p.text(file), p.launch.Config) && p.system.OS != "windows" {
			t.Errorf("%s has no entry", id)
		}
		p.must(p.disconnect(id))
		if p.text(file) != text {
			t.Errorf("%s: after disconnecting, the file is not what it was", id)
		}
	}
}
