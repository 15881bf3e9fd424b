package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Whoever is asked something by a server sees which server it is, before its words and in _meta.
func TestWithAsker(t *testing.T) {
	from := toolbox.ServerID{Toolbox: "dev", Server: "s"}
	const own = `"_meta":{"workbench/server":{"toolbox":"dev","server":"s"}}`
	for _, tt := range []struct{ method, params, want string }{
		{"elicitation/create", `{"message":"Your name?","requestedSchema":{}}`,
			`{"message":"[dev/s] Your name?","requestedSchema":{},` + own + `}`},
		{"elicitation/create", `{"message":"[other/bank] PIN?"}`, `{"message":"[dev/s] [other/bank] PIN?",` + own + `}`},
		{"elicitation/create", `{"message":"a","message":"b"}`, `{"message":"[dev/s] b",` + own + `}`},
		{"elicitation/create", `{"message":7,"_meta":{"workbench/server":{"toolbox":"x"},"y":1}}`,
			`{"message":"[dev/s]","_meta":{"workbench/server":{"toolbox":"dev","server":"s"},"y":1}}`},
		{"elicitation/create", ``, `{"message":"[dev/s]",` + own + `}`},
		{"sampling/createMessage", `{"systemPrompt":"Be kind.","messages":[{"role":"user","content":{"type":"text","text":"Hi"}},{"role":"user","content":{"type":"image","data":""}}]}`,
			`{"systemPrompt":"[dev/s] Be kind.","messages":[{"role":"user","content":{"type":"text","text":"[dev/s] Hi"}},{"role":"user","content":{"type":"image","data":""}}],` + own + `}`},
		{"sampling/createMessage", `{"messages":[{"role":"user","content":[{"type":"image","data":""},{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"image","data":""},{"type":"text","text":"[dev/s] a"},{"type":"text","text":"b"}]}],` + own + `}`},
		{"sampling/createMessage", `{"messages":[{"role":"user","content":"a"}]}`,
			`{"messages":[{"role":"user","content":"[dev/s] a"}],` + own + `}`},
		{"sampling/createMessage", `{"messages":7}`, `{"messages":7,"systemPrompt":"[dev/s]",` + own + `}`},
		{"sampling/createMessage", `{"messages":["a",{"role":"user","content":{"type":"image","data":""}}]}`,
			`{"messages":["[dev/s] a",{"role":"user","content":{"type":"image","data":""}}],` + own + `}`},
		// Words that are not in a block of text, and none at all.
		{"sampling/createMessage", `{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"a"}]}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"[dev/s] a"}]}]}],` + own + `}`},
		{"sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","text":"a"}}}]}`,
			`{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","text":"[dev/s] a"}}}],` + own +
				`}`},
		{"sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"image","data":""}}]}`,
			`{"messages":[{"role":"user","content":{"type":"image","data":""}}],"systemPrompt":"[dev/s]",` + own + `}`},
		// Clients that do not distinguish case read no other words.
		{"elicitation/create", `{"message":"a","Message":"b","MESSAGE":"c","_Meta":{}}`,
			`{"message":"[dev/s] a",` + own + `}`},
		{"elicitation/create", `{"Message":"b","meſſage":"c"}`, `{"message":"[dev/s]",` + own + `}`},
		{"elicitation/create", `{"mode":"url","url":"https://a.example/","url":"https://b.example/","URL":"https://c.example/","message":"m"}`,
			`{"mode":"url","url":"https://b.example/","message":"[dev/s] m",` + own + `}`},
		{"sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"text","text":"a","Text":"b"},"Content":"c"}],"Messages":[],"SystemPrompt":"d"}`,
			`{"messages":[{"role":"user","content":{"type":"text","text":"[dev/s] a"}}],` + own + `}`},
		{"roots/list", `{"x":1}`, `{"x":1}`},
	} {
		if got := string(withAsker(from, tt.method, json.RawMessage(tt.params))); got != tt.want {
			t.Errorf("%s %s becomes %s, want %s", tt.method, tt.params, got, tt.want)
		}
	}
	result := `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}},"b":{"method":"roots/list"}},"requestState":"s"}`
	want := `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"[dev/s] ?",` + own + `}},"b":{"method":"roots/list"}},"requestState":"s"}`
	if got := string(jsonrpc.AppendObject(nil, withAskers(from, jsonrpc.Split([]byte(result))))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
