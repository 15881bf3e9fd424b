package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// refusedTools are tools of which AI services are known to refuse all but the first.
func refusedTools() fakeserver.Script {
	script := fakeserver.Script{Results: map[string]json.RawMessage{}}
	for name, schema := range map[string]string{
		"good":     `{"type":"object","properties":{"a.b-c_1":{"type":"string","anyOf":[{"minLength":1},{"maxLength":0}]}}}`,
		"combined": `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
		"referred": `{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`,
		"named":    `{"type":"object","properties":{"$filter":{"type":"string"}}}`,
		"outdated": `{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`,
	} {
		script.Tools = append(script.Tools, json.RawMessage(`{"name":"`+name+`","inputSchema":`+schema+`}`))
		script.Results[name] = json.RawMessage(`{"content":[{"type":"text","text":"` + name + ` was called"}]}`)
	}
	return script
}

// TestToolsThatServicesRefuse: a client that sends such schemas as they are does not get these tools in its list,
// where one of them would cost the request with all tools. They can be called with use_tool.
func TestToolsThatServicesRefuse(t *testing.T) {
	all := []string{"combined", "good", "named", "outdated", "referred"}
	for _, test := range []struct {
		client string
		mode   config.ToolMode
		open   bool
		listed string
	}{
		{"opencode", config.ModeAuto, false, "good"},
		{"kilo", config.ModeAuto, true, "good"},
		{"gemini", config.ModeAuto, false, "good"},
		{"qwen", config.ModeAuto, true, "good"},
		{"claude-desktop", config.ModeAuto, true, "good"},
		{"", config.ModeDynamic, false, "combined good named outdated referred"}, // the user has asked for it
		{"", config.ModeAuto, true, "good"},
		{"codex", config.ModeAuto, true, "good outdated"},
		{"copilot", config.ModeAuto, false, "combined good outdated referred"},
		{"claude-code", config.ModeAuto, false, "combined good named outdated referred"},
		{"claude-code", config.ModeAuto, true, "combined good named outdated referred"},
	} {
		t.Run(test.client, func(t *testing.T) {
			cfg := echoToolbox(refusedTools())
			cfg.Toolboxes[0].Open = test.open
			c := connect(t, cfg, Options{ClientID: test.client, ToolMode: test.mode, ListWait: 1})
			var answer struct {
				Tools []struct {
					Name       string
					Registered string `json:"registered_name"`
					Call       string `json:"_call_with"`
				}
			}
			if err := json.Unmarshal([]byte(c.openText(`{"toolbox_name":"dev"}`)), &answer); err != nil {
				t.Fatal(err)
			}
			list := string(c.ask("tools/list", `{}`).Result)
			kept := 0
			for _, name := range all {
				wanted := strings.Contains(" "+test.listed+" ", " "+name+" ")
				if listed := strings.Contains(list, `"dev__s__`+name+`"`); listed != wanted {
					t.Errorf("%s is listed: %v", name, listed)
				}
				call, arguments := "dev__s__"+name, `{}`
				if !wanted {
					kept++
					call, arguments = "use_tool", `{"tool":{"toolbox":"dev","server":"s","tool":"`+name+`"},"arguments":{}}`
				}
				if m := c.ask("tools/call", `{"name":"`+call+`","arguments":`+arguments+`}`); !strings.Contains(string(m.Result),
					name+" was called") {
					t.Errorf("calling %s: %s %s", name, m.Result, m.Error)
				}
				for _, tool := range answer.Tools {
					if tool.Name == name && (tool.Registered == "") == wanted || tool.Name == name &&
						(tool.Call == "use_tool") == wanted {
						t.Errorf("open_toolbox says %+v", tool)
					}
				}
			}
			if len(answer.Tools) != len(all) {
				t.Errorf("open_toolbox lists %+v", answer.Tools)
			}
			dynamic := resolveMode("", test.mode, client.Find(test.client, "")) == config.ModeDynamic
			if offered := strings.Contains(list, `"use_tool"`); offered != (!dynamic || kept > 0) {
				t.Errorf("use_tool is offered: %v", offered)
			}
			if !dynamic || kept == 0 {
				return
			}
			c.ask("tools/call", `{"name":"close_toolbox","arguments":{"toolbox_name":"dev"}}`)
			if list := string(c.ask("tools/list", `{}`).Result); strings.Contains(list, `"use_tool"`) && !test.open {
				t.Error("use_tool is still offered after closing")
			}
		})
	}
}
