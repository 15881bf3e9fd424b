package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestToolsThatComeWithAnAnswer: when a server says before its answer that its tools have changed, the client is
// told of them before it gets the answer, lists them right after it, and can call them, in both modes.
func TestToolsThatComeWithAnAnswer(t *testing.T) {
	for _, mode := range []config.ToolMode{config.ModeDynamic, config.ModeProxy} {
		t.Run(string(mode), func(t *testing.T) {
			cfg := echoToolbox(fakeserver.Script{
				Tools:                []json.RawMessage{fakeserver.Tool("enable")},
				Tools2:               []json.RawMessage{fakeserver.Tool("enable"), fakeserver.Tool("new")},
				ListChangedAfterCall: true,
				ListChangedBefore:    true,
			})
			cfg.ToolMode = mode
			c := dial(t, cfg, Options{})
			id, told := 0, false
			ask := func(method, params string) jsonrpc.Message {
				t.Helper()
				id++
				c.send(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, id, method, params)
				for {
					m := c.receive()
					told = told || m.Method == "notifications/tools/list_changed"
					if string(m.ID) == fmt.Sprint(id) {
						return m
					}
				}
			}
			ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
			ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`)
			ask("tools/list", `{}`)
			told = false
			call := func(tool string) jsonrpc.Message {
				if mode == config.ModeDynamic {
					return ask("tools/call", `{"name":"dev__s__`+tool+`","arguments":{}}`)
				}
				return ask("tools/call", `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":"`+tool+
					`"}}}`)
			}
			call("enable")
			if mode == config.ModeDynamic {
				if list := string(ask("tools/list", `{}`).Result); !told || !strings.Contains(list, `"dev__s__new"`) {
					t.Errorf("told %v, and the list is %s", told, list)
				}
			}
			if m := call("new"); m.Error != nil || strings.Contains(string(m.Result), "isError") {
				t.Errorf("the new tool answers %s %s", m.Result, m.Error)
			}
		})
	}
}
