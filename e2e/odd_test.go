package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/definition/odd"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// TestOddDefinitions: a server whose definitions are wrong in every way of package odd costs the client
// nothing: the client libraries take all lists, and a good tool can be called, in both eras of the protocol. In
// proxy mode, definitions of tools are text.
func TestOddDefinitions(t *testing.T) {
	script := fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"prompts":{},"resources":{}}`),
		Tools:        odd.Definitions("tools"),
		Results:      map[string]json.RawMessage{"good": json.RawMessage(`{"content":[],"structuredContent":{"a":"x"}}`)},
		Answers:      map[string]json.RawMessage{},
	}
	for list, method := range map[string]string{"prompts": "prompts/list", "resources": "resources/list", "resourceTemplates": "resources/templates/list"} {
		raw, err := json.Marshal(odd.Definitions(list))
		if err != nil {
			t.Fatal(err)
		}
		script.Answers[method] = json.RawMessage(`{"` + list + `":` + string(raw) + `}`)
	}
	for _, mode := range []string{"dynamic", "proxy", "always open"} {
		t.Run(mode, func(t *testing.T) {
			forEachLibrary(t, func(t *testing.T, lib library) {
				w := newWorkshop(t)
				engine := w.fake(script, mode == "always open")
				engine.env["WORKBENCH_TOOL_MODE"], _, _ = strings.Cut(mode, " ")
				if mode == "always open" {
					engine.env["WORKBENCH_TOOL_MODE"] = "proxy"
				}
				c := lib.connect(t, engine)
				if mode != "always open" {
					c.open("box")
				}
				tools := names(c.listTools())
				if mode != "proxy" && (len(tools) < len(script.Tools)*8/10 || !slices.Contains(tools, "box__odd__good")) {
					t.Errorf("%d of %d tools are listed", len(tools), len(script.Tools))
				}
				call := "box__odd__good"
				arguments := any(object{"a": "x"})
				if mode == "proxy" {
					call, arguments = "use_tool", useTool("box", "odd", "good", object{"a": "x"})
				}
				if result := c.call(call, arguments); result["isError"] == true {
					t.Errorf("the good tool answers %v", result)
				}
				for _, method := range []string{"listPrompts", "listResources", "listResourceTemplates"} {
					var listed object
					c.do("client", object{"method": method}, &listed)
					if text := fmt.Sprint(listed); !strings.Contains(text, "good") {
						t.Errorf("%s: the good one is not among them", method)
					}
				}
			})
		})
	}
}

// fake saves a configuration with one toolbox "box", whose server "odd" follows a script.
func (w *workshop) fake(script fakeserver.Script, open bool) launch {
	w.t.Helper()
	name := w.write("script.json", script.String())
	return w.save(ordered{{"box", object{
		"description": "Odd definitions", "open": open,
		"mcpServers": object{"odd": object{"command": os.Args[0], "env": object{fakeserver.Variable: "@" + name}, "startupTimeout": 120}},
	}}})
}
