package mcpserver

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

func TestBadOutput(t *testing.T) {
	for definition, bad := range map[string]bool{
		`{"name":"a"}`: false,
		`{"name":"a","outputSchema":{"type":"object"}}`:                                                   false,
		`{"name":"a","outputSchema":{"type":"object","properties":{"x":{}},"required":["x"]}}`:            false,
		`{"name":"a","outputSchema":{"$ref":"#/$defs/x"}}`:                                                true,
		`{"name":"a","outputSchema":{"type":["object","null"]}}`:                                          true,
		`{"name":"a","outputSchema":{"type":"array"}}`:                                                    true,
		`{"name":"a","outputSchema":{"type":"object","properties":{"x":{"type":"string"}},"oneOf":[{}]}}`: false,
	} {
		if got := badOutput(json.RawMessage(definition)); (got != nil) != bad {
			t.Errorf("%s: %v", definition, got)
		}
	}
}

// Clients of the initialize era refuse all tools because of one such outputSchema; later clients accept it.
func TestToolsWithoutTheirOutputSchema(t *testing.T) {
	cfg := echoToolbox(fakeserver.Script{Tools: []json.RawMessage{
		json.RawMessage(`{"name":"odd","title":"Odd","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`),
		json.RawMessage(`{"name":"good","inputSchema":{"type":"object"},"outputSchema":{"type":"object","x":1}}`),
	}})
	cfg.ToolMode = config.ModeDynamic
	var log strings.Builder
	c := dial(t, cfg, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	ask := func(line string) string {
		t.Helper()
		c.send("%s", line)
		for {
			if m := c.receive(); m.ID != nil {
				return string(m.Result)
			}
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	opened := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	if !strings.Contains(opened, `\"outputSchema\":{\"type\":\"array\"}`) {
		t.Errorf("the answer of open_toolbox does not have the unchanged definition: %s", opened)
	}
	for range 2 {
		list := ask(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
		if strings.Contains(list, `"array"`) || !strings.Contains(list, `"Odd"`) ||
			!strings.Contains(list, `"outputSchema":{"type":"object","x":1}`) {
			t.Errorf("the list is %s", list)
		}
	}
	c.stop()
	<-c.ended
	if n := strings.Count(log.String(), "without its outputSchema"); n != 1 {
		t.Errorf("the missing outputSchema is logged %d times:\n%s", n, log.String())
	}
}

// The official SDKs replace a result that is not what the outputSchema promises by an error of their own.
func TestResultsAreAsPromised(t *testing.T) {
	var tools []json.RawMessage
	results := map[string]json.RawMessage{
		"failed": json.RawMessage(`{"content":[{"type":"text","text":"Authentication failed"}],"isError":true,"structuredContent":{"error":1}}`),
		"silent": json.RawMessage(`{"content":[],"isError":true,"structuredContent":{"error":"the reason"}}`),
		"json":   json.RawMessage(`{"content":[{"type":"text","text":"{\"ok\":true}"}]}`),
		"good":   json.RawMessage(`{"content":[],"structuredContent":{"ok":true}}`),
		"plain":  json.RawMessage(`{"content":[{"type":"text","text":"done"}]}`),
	}
	for name := range results {
		tools = append(tools, json.RawMessage(`{"name":"`+name+`","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`))
	}
	cfg := echoToolbox(fakeserver.Script{Tools: tools, Results: results})
	cfg.Toolboxes[0].Open = true
	c := dial(t, cfg, Options{})
	changed := 0
	ask := func(line string) string {
		t.Helper()
		c.send("%s", line)
		for {
			m := c.receive()
			if m.ID != nil {
				return string(m.Result)
			}
			if m.Method == "notifications/tools/list_changed" {
				changed++
			}
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	server := cfg.Toolboxes[0].Servers[0].Name
	if list := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); strings.Count(list, `"outputSchema":`) != len(results) {
		t.Fatalf("the list is %s", list)
	}
	for name, want := range map[string]string{
		"failed": `{"content":[{"type":"text","text":"Authentication failed"}],"isError":true`,
		"silent": `"text":"{\"error\":\"the reason\"}"`,
		"json":   `"structuredContent":{"ok":true}`,
		"good":   `"structuredContent":{"ok":true}`,
		"plain":  `"text":"done"`,
	} {
		got := ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"dev__` + server + `__` + name + `","arguments":{}}}`)
		if !strings.Contains(got, want) || strings.Contains(got, `"isError":true`) && strings.Contains(got, "structuredContent") {
			t.Errorf("%s: %s", name, got)
		}
	}
	list := ask(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
	if strings.Count(list, `"outputSchema":`) != len(results)-1 || changed != 1 {
		t.Errorf("after %d notifications, the list is %s", changed, list)
	}
}
