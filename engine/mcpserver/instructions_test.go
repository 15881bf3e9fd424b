package mcpserver

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestInstructions(t *testing.T) {
	server := func(disabled bool) *config.Server { return &config.Server{Disabled: disabled} }
	dev := &config.Toolbox{Name: "dev", Description: "Development environment tools",
		Servers: []*config.Server{server(false), server(false), server(false)}}
	prod := &config.Toolbox{Name: "prod", Description: "Production monitoring tools",
		Servers: []*config.Server{server(false), server(true), server(false)}}
	for _, test := range []struct {
		name   string
		config config.Config
		want   string
	}{
		{"several toolboxes, disabled servers not counted", config.Config{Toolboxes: []*config.Toolbox{dev, prod}},
			`Available Toolboxes:

dev (3 servers)
  Description: Development environment tools

prod (2 servers)
  Description: Production monitoring tools

To access tools from a toolbox, use open_toolbox with the toolbox name.`},
		{"one toolbox, one server, no description, prefix",
			config.Config{MetaToolPrefix: "workbench_",
				Toolboxes: []*config.Toolbox{{Name: "b a", Servers: []*config.Server{server(false)}}}}, `Available Toolboxes:

b a (1 servers)
  Description: No description provided

To access tools from a toolbox, use workbench_open_toolbox with the toolbox name.`},
		{"none", config.Config{}, `No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Instructions(&test.config)); diff != "" {
				t.Errorf("instructions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFirstLineOfInstructions(t *testing.T) {
	cfg := &config.Config{Toolboxes: []*config.Toolbox{
		{Name: "dev", Description: "Development\nenvironment tools"},
		{Name: "prod", Description: "Production monitoring tools"}, {Name: "x"}}}
	plain := Instructions(cfg)
	first, rest, _ := strings.Cut(instructionsFor(cfg, client.Find("codex", "")), "\n")
	if want := "Available Toolboxes: dev (Development environment tools), prod (Production monitoring tools), x"; first != want {
		t.Errorf("the first line is %q, want %q", first, want)
	}
	if "Available Toolboxes:\n"+rest != plain {
		t.Errorf("the rest is %q", rest)
	}
	if got := instructionsFor(cfg, client.Find("claude-code", "")); got != plain {
		t.Errorf("a client that shows all gets %q", got)
	}
	for _, toolbox := range cfg.Toolboxes {
		toolbox.Description = strings.Repeat("ä", 200)
	}
	first, _, _ = strings.Cut(instructionsFor(cfg, client.Find("codex", "")), "\n")
	if n := utf8.RuneCountInString(first); n != maxFirstLine || !strings.HasSuffix(first, "…") {
		t.Errorf("the first line has %d characters: %s", n, first)
	}
	if got := instructionsFor(&config.Config{}, client.Find("codex", "")); got != noToolboxes {
		t.Errorf("without toolboxes: %q", got)
	}
}

func TestCodexIsGreetedWithAFirstLine(t *testing.T) {
	cfg := &config.Config{Toolboxes: []*config.Toolbox{{Name: "dev", Description: "Tools"}}}
	c := dial(t, cfg, Options{})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"1"}}}`)
	c.expect("1", `"Available Toolboxes: dev (Tools)\n\ndev (0 servers)`)
}
