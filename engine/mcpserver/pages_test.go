package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestPageCallsItsTools: a page of MCP Apps calls the tools of its server by their own names. Which server is meant is
// known if only one of those whose pages were read has such a tool.
func TestPageCallsItsTools(t *testing.T) {
	paged := func(name, own string) *config.Server {
		return serverEntry(name, fakeserver.Script{
			Capabilities: json.RawMessage(`{"tools":{},"resources":{}}`),
			Tools: []json.RawMessage{
				json.RawMessage(`{"name":"show","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://page"}}}`),
				json.RawMessage(`{"name":"refresh","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}}`),
				fakeserver.Tool(own),
			},
			Results: map[string]json.RawMessage{
				"refresh": json.RawMessage(`{"content":[{"type":"text","text":"` + name + `"}]}`),
				own:       json.RawMessage(`{"content":[{"type":"text","text":"own"}]}`),
			},
			Answers: map[string]json.RawMessage{
				"resources/list":           json.RawMessage(`{"resources":[{"uri":"ui://page","name":"page"}]}`),
				"resources/templates/list": json.RawMessage(`{"resourceTemplates":[]}`),
				"resources/read": json.RawMessage(
					`{"contents":[{"uri":"ui://page","mimeType":"text/html;profile=mcp-app","text":"<html>"}]}`),
			},
		})
	}
	for _, mode := range []config.ToolMode{config.ModeDynamic, config.ModeProxy} {
		t.Run(string(mode), func(t *testing.T) {
			cfg := &config.Config{Toolboxes: []*config.Toolbox{
				{Name: "dev", Servers: []*config.Server{paged("a", "only_a"), paged("b", "only_b")}}}}
			c := connect(t, cfg, Options{ToolMode: mode})
			call := func(tool string) string {
				m := c.ask("tools/call", `{"name":"`+tool+`","arguments":{}}`)
				return string(m.Result) + string(m.Error)
			}
			read := func(server string) {
				if m := c.ask("resources/read",
					`{"uri":"ui://workbench/dev/`+server+`/page"}`); !strings.Contains(string(m.Result), "html") {
					t.Fatalf("the page of %s: %s", server, m.Error)
				}
			}
			c.open("dev")
			for _, step := range []struct{ before, tool, want string }{
				{"", "refresh", "not found"},
				{"a", "refresh", `"text":"a"`},
				{"", "only_a", `"text":"own"`},
				{"", "only_b", "not found"},
				{"b", "refresh", "not found"}, // two pages, and nobody can tell which of them asks
				{"", "only_b", `"text":"own"`},
				{"", "nothing", "not found"},
			} {
				if step.before != "" {
					read(step.before)
				}
				if got := call(step.tool); !strings.Contains(got, step.want) {
					t.Errorf("after %q, %s gave %s", step.before, step.tool, got)
				}
			}
			if c.ask("tools/call", `{"name":"close_toolbox","arguments":{"toolbox_name":"dev"}}`); !strings.Contains(call("only_a"), "not found") {
				t.Error("a page calls a tool of a closed toolbox")
			}
		})
	}
}
