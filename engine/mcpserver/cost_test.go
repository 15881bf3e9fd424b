package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestClosedToolboxesAreCheap limits what a model pays for 20 servers in 5 toolboxes that it does not use.
// The cost in tokens is estimated as a quarter of the characters that it gets before it opens a toolbox.
func TestClosedToolboxesAreCheap(t *testing.T) {
	const most, withSearch = 900, 1050
	cfg := &config.Config{ToolMode: config.ModeAuto, Toolboxes: []*config.Toolbox{
		{Name: "development", Description: "Source code, issues and pull requests on GitHub and GitLab"},
		{Name: "research", Description: "Search the web, read pages and papers, take notes"},
		{Name: "office", Description: "Mail, calendar, documents and spreadsheets of the company"},
		{Name: "operations", Description: "Logs, metrics and alarms of the production systems"},
		{Name: "data", Description: "Query the databases of the warehouse and draw charts"},
	}}
	for _, box := range cfg.Toolboxes {
		for i := range 4 {
			box.Servers = append(box.Servers, &config.Server{Name: fmt.Sprintf("server-%d", i), Command: "x"})
		}
	}
	for i, mode := range []config.ToolMode{config.ModeProxy, config.ModeDynamic, config.ModeProxy, config.ModeDynamic} {
		most, cfg := most, *cfg // the previous server may still be reading its own copy
		if cfg.Search = i > 1; cfg.Search {
			most = withSearch
		}
		c := connect(t, &cfg, Options{ToolMode: mode})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		list := c.receive().Result
		tools, instructions := utf8.RuneCount(list), utf8.RuneCountInString(Instructions(&cfg))
		t.Logf("%s, search %t: the tools take %d tokens, the instructions %d", mode, cfg.Search, tools/4, instructions/4)
		if tokens := (tools + instructions) / 4; tokens > most {
			t.Errorf("%s: %d tokens, more than %d", mode, tokens, most)
		}
		checkMetaTools(t, list)
	}
}

// checkMetaTools checks that the descriptions still contain what a model needs: when to use a meta-tool, and
// an example.
func checkMetaTools(t *testing.T, list json.RawMessage) {
	t.Helper()
	var answer struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(list, &answer); err != nil {
		t.Fatal(err)
	}
	for _, tool := range answer.Tools {
		for _, part := range []string{"Use it ", "\n\nExample: " + tool.Name + " {"} {
			if !strings.Contains(tool.Description, part) {
				t.Errorf("%s does not say %q: %s", tool.Name, part, tool.Description)
			}
		}
	}
}
