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

// TestMessagesThatAClientDoesNotTake: no line is longer than the client takes, whatever it answers. An answer
// that would be becomes an error that says its size, and lists leave out what does not fit.
func TestMessagesThatAClientDoesNotTake(t *testing.T) {
	raw := func(format string, args ...any) json.RawMessage { return json.RawMessage(fmt.Sprintf(format, args...)) }
	answer := func(result string) []string { return []string{`{"jsonrpc":"2.0","id":$ID,"result":` + result + `}`} }
	long := strings.Repeat("$FILL", 11)
	var tools, prompts, resources []string
	for _, name := range []string{"big", "fits", "go"} {
		tools = append(tools, string(fakeserver.Tool(name)))
	}
	for i := range 11 { // each as large as a definition may be
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"$FILL","inputSchema":{"type":"object"}}`, i))
		prompts = append(prompts, fmt.Sprintf(`{"name":"p%d","description":"$FILL"}`, i))
		resources = append(resources, fmt.Sprintf(`{"uri":"a:%d","name":"r","description":"$FILL"}`, i))
	}
	cfg := echoToolbox(fakeserver.Script{
		Capabilities: raw(`{"tools":{},"prompts":{},"resources":{}}`),
		Tools:        []json.RawMessage{fakeserver.Tool("big"), fakeserver.Tool("fits"), fakeserver.Tool("go")},
		Sizes:        map[string]int{"big": 11 << 20, "fits": 9 << 20},
		Fill:         1<<20 - 1000,
		RawAnswers: map[string][]string{
			"prompts/get": answer(`{"messages":[{"role":"user","content":{"type":"text","text":"` + long +
				`"}}]}`),
			"resources/read": answer(`{"contents":[{"uri":"a:1","text":"` + long + `"}]}`),
			"completion/complete": {`{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"` + long + `","data":"` +
				long + `"}}`},
			"tools/list":               answer(`{"tools":[` + strings.Join(tools, ",") + `]}`),
			"prompts/list":             answer(`{"prompts":[` + strings.Join(prompts, ",") + `]}`),
			"resources/list":           answer(`{"resources":[` + strings.Join(resources, ",") + `]}`),
			"resources/templates/list": answer(`{"resourceTemplates":[]}`),
		},
	})
	cfg.ToolMode = config.ModeDynamic
	c := dial(t, cfg, Options{})
	id := 0
	ask := func(method, params string) jsonrpc.Message {
		t.Helper()
		id++
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, id, method, params)
		for {
			if m := c.receive(); string(m.ID) == fmt.Sprint(id) {
				if size := len(m.Result) + len(m.Error); size > defaultMost {
					t.Errorf("%s %s: %d bytes", method, params, size)
				}
				return m
			}
		}
	}
	ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
	if m := ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`); strings.Contains(string(m.Result), "isError") {
		t.Fatalf("opening: %.500s", m.Result)
	}
	call := func(tool string) string {
		return string(ask("tools/call", `{"name":"dev__s__`+tool+`","arguments":{}}`).Result)
	}
	if got := call("fits"); len(got) < 9<<20 {
		t.Errorf("9 MiB became %.300s", got)
	}
	for _, want := range []string{`"isError":true`, "The answer has 115343", "takes at most 10420224", "Ask for less"} {
		if got := call("big"); !strings.Contains(got, want) {
			t.Errorf("11 MiB became %.300s, without %q", got, want)
		}
	}
	for method, listed := range map[string]string{"prompts/list": "dev__s__p1", "resources/list": "a:1"} {
		for !strings.Contains(string(ask(method, `{}`).Result), listed) { // a slow server is left out until it answers
		}
	}
	for method, params := range map[string]string{"prompts/get": `{"name":"dev__s__p1"}`,
		"resources/read": `{"uri":"a:1"}`} {
		if m := ask(method, params); !strings.Contains(string(m.Error), "takes at most 10420224") {
			t.Errorf("%s: %.300s %.300s", method, m.Result, m.Error)
		}
	}
	ask("completion/complete", `{"ref":{"type":"ref/prompt","name":"dev__s__p1"},"argument":{"name":"a","value":""}}`)
	for method, good := range map[string]string{"tools/list": "dev__s__go", "prompts/list": "dev__s__p1",
		"resources/list": "a:1"} {
		if m := ask(method, `{}`); !strings.Contains(string(m.Result), good) || len(m.Result) < 9_000_000 {
			t.Errorf("%s: %d bytes, %.300s", method, len(m.Result), m.Error)
		}
	}
	if got := call("go"); strings.Contains(got, "isError") {
		t.Errorf("afterwards a tool answers %s", got)
	}
}
