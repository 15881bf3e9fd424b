package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dialogue is the same conversation in one protocol: what the agent sends, and where the answer has the
// model's call and text.
type dialogue struct {
	path, streamPath string
	body             string // $STREAM is whether the answer is to be streamed
	// read and join return what an agent reads from the answer: from a single document, or from the events
	// together.
	read func(t *testing.T, answer []byte) (name, arguments, text string)
	join func(t *testing.T, events []json.RawMessage) (name, arguments, text string)
}

const result = `{\"toolbox\":\"dev\"}`

func dialogues() map[string]dialogue {
	return map[string]dialogue{
		"anthropic": {
			path: "/v1/messages", streamPath: "/v1/messages?beta=true",
			body: `{"model":"m","stream":$STREAM,"system":[{"type":"text","text":"Be good."}],"tools":[{"name":"mcp__workbench__open_toolbox","description":"Opens.","input_schema":{"type":"object"}},{"name":"later","defer_loading":true}],
				"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"mcp__workbench__open_toolbox","input":{"a":1}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"` + result +
				`"}]}]}]}`,
			read: func(t *testing.T, answer []byte) (name, arguments, text string) {
				var m struct {
					Content []anthropicBlock
				}
				decode(t, answer, &m)
				for _, b := range m.Content {
					name, text = name+b.Name, text+b.Text
					arguments += string(b.Input)
				}
				return name, arguments, text
			},
			join: func(t *testing.T, events []json.RawMessage) (name, arguments, text string) {
				for _, e := range events {
					var m struct {
						ContentBlock anthropicBlock `json:"content_block"`
						Delta        struct {
							Text        string
							PartialJSON string `json:"partial_json"`
						}
					}
					decode(t, e, &m)
					name, arguments, text = name+m.ContentBlock.Name, arguments+m.Delta.PartialJSON, text+m.Delta.Text
				}
				return name, arguments, text
			},
		},
		"chat": {
			path: "/v1/chat/completions", streamPath: "/v1/chat/completions",
			body: `{"model":"m","stream":$STREAM,"tools":[{"type":"function","function":{"name":"mcp__workbench__open_toolbox","description":"Opens.","parameters":{"type":"object"}}}],
				"messages":[{"role":"system","content":"Be good."},{"role":"user","content":[{"type":"text","text":"Go."}]},
				{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"mcp__workbench__open_toolbox","arguments":"{\"a\":1}"}}]},
				{"role":"tool","tool_call_id":"c1","content":"` + result + `"}]}`,
			read: func(t *testing.T, answer []byte) (string, string, string) {
				var m struct {
					Choices []struct{ Message chatAnswer }
				}
				decode(t, answer, &m)
				return m.Choices[0].Message.parts()
			},
			join: func(t *testing.T, events []json.RawMessage) (name, arguments, text string) {
				for _, e := range events {
					var m struct {
						Choices []struct{ Delta chatAnswer }
					}
					decode(t, e, &m)
					for _, c := range m.Choices {
						n, a, s := c.Delta.parts()
						name, arguments, text = name+n, arguments+a, text+s
					}
				}
				return name, arguments, text
			},
		},
		"responses": {
			path: "/v1/responses", streamPath: "/v1/responses",
			body: `{"model":"m","stream":$STREAM,"instructions":"Be good.","tools":[{"type":"namespace","name":"mcp__workbench","description":"About.","tools":[{"type":"function","name":"open_toolbox","description":"Opens.","parameters":{"type":"object"}}]}],
				"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]},
				{"type":"function_call","call_id":"c1","namespace":"mcp__workbench","name":"open_toolbox","arguments":"{\"a\":1}"},
				{"type":"function_call_output","call_id":"c1","output":"` + result + `"}]}`,
			read: func(t *testing.T, answer []byte) (name, arguments, text string) {
				var m struct{ Output []responsesItem }
				decode(t, answer, &m)
				for _, item := range m.Output {
					name, arguments = name+item.Namespace+item.Name, arguments+string(asObject(item.Arguments))
					if item.Type == "message" {
						text += texts(item.Content)
					}
				}
				return name, arguments, text
			},
			join: func(t *testing.T, events []json.RawMessage) (name, arguments, text string) {
				for _, e := range events {
					var m struct {
						Type  string
						Delta string
						Item  responsesItem
					}
					decode(t, e, &m)
					switch m.Type {
					case "response.output_item.done":
						name += m.Item.Namespace + m.Item.Name
					case "response.function_call_arguments.delta":
						arguments += m.Delta
					case "response.output_text.delta":
						text += m.Delta
					}
				}
				return name, arguments, text
			},
		},
		"gemini": {
			path: "/v1beta/models/m:generateContent", streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
			body: `{"systemInstruction":{"role":"user","parts":[{"text":"Be good."}]},"tools":[{"functionDeclarations":[{"name":"mcp__workbench__open_toolbox","description":"Opens.","parametersJsonSchema":{"type":"object"}}]}],
				"contents":[{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[{"functionCall":{"id":"c1","name":"mcp__workbench__open_toolbox","args":{"a":1}}}]},
				{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"mcp__workbench__open_toolbox","response":{"output":"` + result + `"}}}]}]}`,
			read: geminiAnswer,
			join: func(t *testing.T, events []json.RawMessage) (string, string, string) {
				if len(events) != 1 {
					t.Fatalf("%d events", len(events))
				}
				return geminiAnswer(t, events[0])
			},
		},
	}
}

type chatAnswer struct {
	Content   string
	ToolCalls []chatCall `json:"tool_calls"`
}

func (a chatAnswer) parts() (name, arguments, text string) {
	for _, c := range a.ToolCalls {
		name, arguments = name+c.Function.Name, arguments+c.Function.Arguments
	}
	return name, arguments, a.Content
}

func geminiAnswer(t *testing.T, answer []byte) (name, arguments, text string) {
	var m struct {
		Candidates []struct{ Content geminiContent }
	}
	decode(t, answer, &m)
	for _, part := range m.Candidates[0].Content.Parts {
		text += part.Text
		if part.FunctionCall != nil {
			name, arguments = name+part.FunctionCall.Name, arguments+string(part.FunctionCall.Args)
		}
	}
	return name, arguments, text
}

// TestProtocols: each protocol is read in the same way and gives the same answer, with and without streaming.
func TestProtocols(t *testing.T) {
	for name, d := range dialogues() {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streaming %v", name, stream), func(t *testing.T) {
				var got Request
				server := httptest.NewServer(Handler(func(r Request) Reply {
					got = r
					tool := r.Tools[0]
					return Reply{Text: "So:", Calls: []Call{
						{ID: "c2", Name: tool.Name, Namespace: tool.Namespace, Arguments: json.RawMessage(`{"toolbox_name":"dev"}`)}}}
				}))
				defer server.Close()
				path := d.path
				if stream {
					path = d.streamPath
				}
				answer := post(t, server.URL+path, strings.ReplaceAll(d.body, "$STREAM", fmt.Sprint(stream)))

				if got.Protocol != name || got.Stream != stream || got.Model != "m" ||
					strings.TrimSpace(got.System) != "Be good." || got.Number != 1 {
					t.Errorf("got %+v", got)
				}
				wantTurns := []Turn{
					{Role: "user", Text: "Go."},
					{Role: "assistant", Call: &Call{ID: "c1", Name: got.Tools[0].Name, Namespace: got.Tools[0].Namespace,
						Arguments: json.RawMessage(`{"a":1}`)}},
					{Role: "user", Result: &Result{ID: "c1", Text: `{"toolbox":"dev"}`}},
				}
				if diff := cmp.Diff(wantTurns, got.Turns); diff != "" {
					t.Errorf("turns (-want +got):\n%s", diff)
				}
				tool := got.Tools[0]
				if !strings.HasSuffix(tool.Name, "open_toolbox") || tool.Description != "Opens." ||
					string(tool.Parameters) != `{"type":"object"}` || tool.Deferred {
					t.Errorf("tool %+v", tool)
				}
				read := func() (string, string, string) { return d.read(t, answer) }
				if stream {
					read = func() (string, string, string) { return d.join(t, events(t, answer)) }
				}
				called, arguments, text := read()
				if called != "mcp__workbenchopen_toolbox" && called != "mcp__workbench__open_toolbox" ||
					arguments != `{"toolbox_name":"dev"}` || text != "So:" {
					t.Errorf("the agent reads %q, %q, %q out of\n%s", called, arguments, text, answer)
				}
			})
		}
	}
}

// TestSearches: the script gets the results of an agent's own search for tools.
func TestSearches(t *testing.T) {
	for name, body := range map[string]string{
		"/v1/messages":  `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"tool_reference","tool_name":"found"}]}]}]}`,
		"/v1/responses": `{"tools":[{"type":"tool_search","execution":"client"}],"input":[{"type":"tool_search_output","call_id":"c1","tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"found"}]}]}]}`,
	} {
		var got Request
		server := httptest.NewServer(Handler(func(r Request) Reply {
			got = r
			return Reply{Calls: []Call{{ID: "c2", Search: true, Arguments: json.RawMessage(`{"query":"q"}`)}}}
		}))
		answer := post(t, server.URL+name, body)
		server.Close()
		if len(got.Turns) != 1 || got.Turns[0].Result == nil || len(got.Turns[0].Result.Tools) != 1 ||
			got.Turns[0].Result.Tools[0].Name != "found" {
			t.Errorf("%s: turns %+v", name, got.Turns)
		}
		if name == "/v1/responses" && (!got.Tools[0].Search || !bytes.Contains(answer, []byte(`"tool_search_call"`))) {
			t.Errorf("tool %+v, answer %s", got.Tools[0], answer)
		}
	}
}

// TestOtherRequests: requests that are not part of a conversation are answered, too, and invalid requests are refused.
func TestOtherRequests(t *testing.T) {
	server := httptest.NewServer(Handler(func(Request) Reply { return Reply{Text: "ok"} }))
	defer server.Close()
	if got := post(t, server.URL+"/v1/messages/count_tokens",
		strings.Repeat(" ", 40)); string(got) != `{"input_tokens":10}` {
		t.Errorf("count_tokens: %s", got)
	}
	if got := post(t, server.URL+"/v1beta/models/m:countTokens",
		strings.Repeat(" ", 40)); string(got) != `{"totalTokens":10}` {
		t.Errorf("countTokens: %s", got)
	}
	for path, want := range map[string]int{"/v1/messages": http.StatusBadRequest, "/v1/elsewhere": http.StatusNotFound} {
		response, err := http.Post(server.URL+path, "application/json", strings.NewReader("{"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
	}
}

func post(t *testing.T, url, body string) []byte {
	t.Helper()
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", response.StatusCode, answer)
	}
	return answer
}

// events returns the data of server-sent events, except the one that marks the end.
func events(t *testing.T, stream []byte) (all []json.RawMessage) {
	t.Helper()
	for line := range strings.Lines(string(stream)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && data != "[DONE]" {
			all = append(all, json.RawMessage(data))
		}
	}
	if len(all) == 0 {
		t.Fatalf("no events in %s", stream)
	}
	return all
}

func decode(t *testing.T, raw []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}
