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
	for list, method := range map[string]string{"prompts": "prompts/list", "resources": "resources/list",
		"resourceTemplates": "resources/templates/list"} {
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
				if mode == "always open" {
					// The first list waits for servers that start, but not for ever.
					eventually(t, "the server's tools are listed", func() bool {
						tools = names(c.listTools())
						return slices.Contains(tools, "box__odd__good")
					})
				}
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

// oddResults are answers of tools that the client libraries refuse, and the text that the model gets.
var oddResults = map[string][2]string{
	"none":    {`{"content":null,"isError":null}`, ""},
	"one":     {`{"content":{"type":"text","text":"here"}}`, "here"},
	"plain":   {`{"content":"here","_meta":null}`, "here"},
	"hole":    {`{"content":[null,{"type":"text","text":"here"}],"structuredContent":null}`, "here"},
	"number":  {`{"content":[{"type":"text","text":5}]}`, "5"},
	"untyped": {`{"content":[{"text":"here"}]}`, "here"},
	"broken image": {`{"content":[{"type":"image","data":"no!","mimeType":"image/png"}]}`,
		"[image left out: its data is not valid base64]"},
	"for whom":   {`{"content":[{"type":"text","text":"here","annotations":{"audience":["all"]}}]}`, "here"},
	"no members": {`[]`, ""},
}

// TestOddResults: an answer that a client library refuses is corrected. Otherwise the model would get an error of the
// library, or wait for an answer that the library has dropped.
func TestOddResults(t *testing.T) {
	script := fakeserver.Script{Results: map[string]json.RawMessage{}}
	for name, result := range oddResults {
		script.Tools = append(script.Tools, fakeserver.Tool(name))
		script.Results[name] = json.RawMessage(result[0])
	}
	forEachLibrary(t, func(t *testing.T, lib library) {
		engine := newWorkshop(t).fake(script, false)
		engine.env["WORKBENCH_TOOL_MODE"] = "proxy"
		c := lib.connect(t, engine)
		for name, result := range oddResults {
			got := c.call("use_tool", useTool("box", "odd", name, nil))
			text := ""
			if content, _ := got["content"].([]any); len(content) > 0 {
				text, _ = content[0].(object)["text"].(string)
			}
			if got["isError"] == true || text != result[1] {
				t.Errorf("%s: the model gets %v", name, got)
			}
		}
	})
}

// fake saves a configuration with one toolbox "box", whose server "odd" follows a script.
func (w *workshop) fake(script fakeserver.Script, open bool) launch {
	w.t.Helper()
	name := w.write("script.json", script.String())
	return w.save(ordered{{"box", object{
		"description": "Odd definitions", "open": open,
		"mcpServers": object{"odd": object{"command": os.Args[0], "env": object{fakeserver.Variable: "@" + name},
			"startupTimeout": 120}},
	}}})
}
