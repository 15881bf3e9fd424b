package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// claudeCode writes Claude Code's file with entries of ours: all for all projects, project for one project.
func (p *place) claudeCode(all, project map[string]Launch) {
	p.t.Helper()
	entries := func(launches map[string]Launch) map[string]any {
		out := map[string]any{"files": map[string]any{"type": "stdio", "command": "npx", "args": []string{"stdio"}}}
		for name, l := range launches {
			out[name] = map[string]any{"type": "stdio", "command": l.Program, "args": l.Args("claude-code"),
				"env": map[string]any{}}
		}
		return out
	}
	folder := filepath.Join(p.home, "a project")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{
		"mcpServers": entries(all),
		"projects": map[string]any{folder: map[string]any{"mcpServers": entries(project)},
			filepath.Join(p.home, "gone"): map[string]any{"mcpServers": entries(all)}, "odd": 1},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.put(p.file("claude-code"), string(text))
}

// TestByHand: an entry that Claude Code's own command made is recognised, and so is the command that removes
// it.
func TestByHand(t *testing.T) {
	p := newPlace(t)
	other := p.launch
	other.Config = filepath.Join(p.home, "other.json")
	c := rowOf(t, "claude-code")
	local := "cd " + p.system.shellWord(filepath.Join(p.home, "a project")) + "\nclaude mcp remove -s local wb"
	adds := func(name string) string { return p.system.lines([]Command{addCommand(c, p.launch, name)}) }
	add := adds(usualName)
	for _, test := range []struct {
		name                string
		all, project        map[string]Launch
		state               State
		connect, disconnect string
	}{
		{"nothing", nil, nil, NotConnected, add, ""},
		{"for all", map[string]Launch{"workbench": p.launch}, nil, Connected, "", "claude mcp remove -s user workbench"},
		{"another name", map[string]Launch{"wb": p.launch}, nil, Connected, "", "claude mcp remove -s user wb"},
		{"another configuration", map[string]Launch{"wb": other}, nil, Outdated,
			"claude mcp remove -s user wb\n" + adds("wb"), "claude mcp remove -s user wb"},
		{"for a project", nil, map[string]Launch{"wb": p.launch}, Connected, add, local},
		{"for all and a project", map[string]Launch{"workbench": p.launch}, map[string]Launch{"wb": other}, Connected, "",
			"claude mcp remove -s user workbench\n" + local},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.claudeCode(test.all, test.project)
			before := p.text(p.file("claude-code"))
			if state := p.stateOf("claude-code"); state != test.state {
				t.Errorf("the state is %s, want %s", state, test.state)
			}
			if plan := p.must(p.connect("claude-code")); plan.Paste != test.connect || plan.Changed() {
				t.Errorf("connect: %q, want %q", plan.Paste, test.connect)
			}
			if plan := p.must(p.disconnect("claude-code")); plan.Paste != test.disconnect || plan.Changed() {
				t.Errorf("disconnect: %q, want %q", plan.Paste, test.disconnect)
			}
			ids, err := p.Connected()
			if err != nil || slices.Contains(ids, "claude-code") != (test.disconnect != "") {
				t.Errorf("connected are %v, %v", ids, err)
			}
			if p.text(p.file("claude-code")) != before {
				t.Error("its file was written")
			}
		})
	}

	// Claude Code has started Workbench. That proves the entry in the file, but not an entry with another
	// configuration.
	p.claudeCode(map[string]Launch{"workbench": p.launch}, nil)
	proof := Proof{Client: "claude-code", Time: time.Now()}
	for config, proven := range map[string]bool{p.launch.Config: true, other.Config: false} {
		proof.Config, proof.Time = config, proof.Time.Add(time.Second)
		if err := p.RecordProof(proof); err != nil {
			t.Fatal(err)
		}
		all, err := p.Status(p.launch)
		if err != nil {
			t.Fatal(err)
		}
		for _, status := range all {
			if status.Client.ID == "claude-code" && status.Proven() != proven {
				t.Errorf("%s: proven %v", config, !proven)
			}
		}
	}

	p.put(p.file("claude-code"), "{")
	if state := p.stateOf("claude-code"); state != NotConnected {
		t.Errorf("a broken file is %s", state)
	}
	if plan := p.must(p.connect("claude-code")); plan.Paste != add {
		t.Errorf("a broken file: %q", plan.Paste)
	}
	if _, err := p.disconnect("claude-code"); err == nil {
		t.Error("a broken file is nothing to disconnect from?")
	}
}
