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
