package imports

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// TestOf checks which entries an app has twice after an import: not those of other apps, and not those whose
// server is no longer in the toolbox. An entry whose secret was moved to the keychain is still recognized.
func TestOf(t *testing.T) {
	_, system := home(t, []txtar.File{
		{Name: ".cursor/mcp.json", Data: []byte(
			`{"mcpServers": {"both": {"command": "both"}, "undone": {"command": "undone"}, "key": {"command": "key", "env": {"API_KEY": "made-up-secret-made-up"}}}}`)},
		{Name: ".kiro/settings/mcp.json",
			Data: []byte(`{"mcpServers": {"twin": {"command": "both"}, "own": {"command": "own"}, "here": {"command": "here"}}}`)},
	})
	made := func(apps []string, text string) Plan {
		return Make(Options{System: system, Clients: apps, Existing: config.Parse("workbench.json", []byte(text)).Config})
	}
	plan := made([]string{"cursor", "kiro"}, `{"toolboxes": {"dev": {"mcpServers": {"here": {"command": "here"}}}}}`)
	after := `{"toolboxes": {"dev": {"mcpServers": {"here": {"command": "here"}}}, "imported": {"mcpServers": {
		"both": {"command": "both"}, "own": {"command": "own"}, "key": {"command": "key", "env": {"API_KEY": "${keyring:key-API_KEY}"}}}}}}`
	for app, want := range map[string][]string{"cursor": {"both", "key"}, "kiro": {"twin", "own", "here"}, "zed": nil} {
		of := plan.Of(app, made([]string{app}, after))
		leaving := of.Leave(system)
		var names []string
		for _, out := range leaving.Out {
			if out.Client.ID != app {
				t.Errorf("%s: the file of %s loses something", app, out.Client.Name)
			}
			names = append(names, out.Names...)
		}
		if !slices.Equal(names, want) || len(leaving.Stay) > 0 {
			t.Errorf("%s: the removed servers are %q, want %q; %v stay", app, names, want, leaving.Stay)
		}
	}
	if len(plan.Servers[0].Same) != 1 {
		t.Errorf("the plan itself was changed: %+v", plan.Servers[0])
	}
}

// TestAbout checks that a new toolbox gets a short description of its servers, and that an existing toolbox
// keeps its own.
func TestAbout(t *testing.T) {
	var p Plan
	for range 40 {
		f := Found{As: "a-server-with-a-long-name"}
		p.Servers = append(p.Servers, f)
	}
	p.Servers[0].Entry.Disabled = true
	if text := p.about(); len(text) > 300+len(" and 29 more") ||
		!strings.HasPrefix(text, "Servers: a-server-with-a-long-name, a-") || !strings.HasSuffix(text, " and 29 more") {
		t.Errorf("the description is %q", text)
	}
	for _, box := range []bool{true, false} {
		p.New = box
		if _, added := p.Ops()[0].(edit.AddToolbox); added != box {
			t.Errorf("the first edit is %#v", p.Ops()[0])
		}
	}
}

// TestRunsWhole checks that a long command is shown with its end, which may be the part that matters.
func TestRunsWhole(t *testing.T) {
	f := Found{Entry: config.Server{Transport: config.TransportStdio, Command: "sh",
		Args: []string{"-c", strings.Repeat("echo hello; ", 20) + "rm notes"}}}
	if runs := f.Review().Line(); !strings.Contains(runs, "rm notes") {
		t.Errorf("the command line is %q", runs)
	}
	f.Entry.Args[1] = strings.Repeat("x", 100000)
	if runs := f.Review().Line(); runs != "sh -c "+f.Entry.Args[1] {
		t.Errorf("the command line is shown with %d letters", len(runs))
	}
}
