package definition_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const said = `{"content":[{"type":"text","text":"x"}]}`

// resultCases are results of tools, and what becomes of them; "" means that they stay.
var resultCases = []struct{ in, want string }{
	{said, ""},
	{`{}`, `{"content":[]}`},
	{`{"toolResult":"old"}`, `{"toolResult":"old","content":[{"type":"text","text":"old"}]}`},
	{`{"content":[],"structuredContent":{"a":1.0},"own":null}`, ""},
	{`{"content":[{"type":"image","data":"AAAA","mimeType":"image/png","own":1e1}]}`, ""},
	{`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AA=="}},{"type":"resource_link","uri":"a:b","name":"n"}]}`, ""},
	{`{"task":{"taskId":"1"},"content":null}`, ""},
	{`{"resultType":"input_required"}`, ""},
	{`{"resultType":"input_required","_meta":null}`, `{"resultType":"input_required"}`},
	{`{"content":[],"resultType":null}`, `{"content":[]}`},
	{`{"content":[{"type":"text","text":"x"}],"_meta":null}`, said},
	{`{"content":[{"type":"text","text":"x"}],"isError":null,"structuredContent":null}`, said},
	{`{"content":[{"type":"text","text":"x","annotations":null,"_meta":null}]}`, said},
	{`{"content":null}`, `{"content":[]}`},
	{`{"content":"x"}`, said},
	{`{"content":{"type":"text","text":"x"}}`, said},
	{`{"content":[null,"x"]}`, said},
	{`{"content":[{"text":"x"}]}`, `{"content":[{"text":"x","type":"text"}]}`},
	{`{"content":[{"type":"text","text":null}]}`, `{"content":[{"type":"text","text":""}]}`},
	{`{"content":[{"type":"text","text":5},{"type":"text","text":{"a": 1}}]}`,
		`{"content":[{"type":"text","text":"5"},{"type":"text","text":"{\"a\":1}"}]}`},
	{`{"content":[{"type":"text","TYPE":5,"text":"x"}]}`, said},
	{`{"content":[{"type":"json","json":{}},{"type":"hologram"}],"structuredContent":[1]}`, ""},
	{`{"content":[{"type":"resource","resource":{"text":"x"}}]}`, said},
	{`{"content":[{"type":"resource","resource":{"blob":"AAAA"}}]}`,
		`{"content":[{"type":"text","text":"[resource left out: it has no URI]"}]}`},
	{`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"%"}}]}`,
		`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"[contents left out: they are not valid base64]"}}]}`},
	{`{"content":[{"type":"resource","resource":{"uri":"a:b","text":null}}]}`,
		`{"content":[{"type":"resource","resource":{"uri":"a:b","text":""}}]}`},
	{`{"content":[{"type":"resource","uri":"a:b"}]}`,
		`{"content":[{"type":"text","text":"{\"type\":\"resource\",\"uri\":\"a:b\"}"}]}`},
	{`{"content":[{"type":"resource_link","name":"n"}]}`,
		`{"content":[{"type":"text","text":"{\"type\":\"resource_link\",\"name\":\"n\"}"}]}`},
	{`{"content":[{},{"mimeType":"image/png","data":"AAAA"},{"uri":"a:b","name":"n"}]}`,
		`{"content":[{"type":"text","text":"{}"},{"mimeType":"image/png","data":"AAAA","type":"image"},{"uri":"a:b","name":"n","type":"resource_link"}]}`},
	{`{"content":[],"isError":"True"}`, `{"content":[],"isError":true}`},
	{`{"content":[{"type":"image","data":"data:image/gif;base64,AA-_","mimeType":"image/gif"}]}`,
		`{"content":[{"type":"image","data":"AA+/","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"R0lGODlh"}]}`,
		`{"content":[{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"A A\nA","mimeType":"image/gif"}]}`,
		`{"content":[{"type":"image","data":"AAA=","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"no!","mimeType":"image/gif"}]}`,
		`{"content":[{"type":"text","text":"[image left out: its data is not valid base64]"}]}`},
	{`{"content":[{"type":"resource_link","uri":"a:b"}]}`,
		`{"content":[{"type":"resource_link","uri":"a:b","name":"a:b"}]}`},
	{`{"content":[{"type":"text","text":"x","annotations":{"audience":["all","user"],"priority":"1"}}]}`,
		`{"content":[{"type":"text","text":"x","annotations":{"audience":["user"],"priority":1}}]}`},
}

// mendResult returns a whole result, corrected.
func mendResult(method string, params []jsonrpc.Member, result json.RawMessage) json.RawMessage {
	return jsonrpc.AppendObject(nil, definition.MendResult(method, params, jsonrpc.Split(result)))
}

// TestMendResult: results that the official SDKs would refuse are corrected, and others stay.
func TestMendResult(t *testing.T) {
	for _, c := range resultCases {
		if c.want == "" {
			c.want = c.in
		}
		got := mendResult("tools/call", nil, json.RawMessage(c.in))
		if string(got) != c.want {
			t.Errorf("%s\nbecame %s\nwant   %s", c.in, got, c.want)
		}
		if again := mendResult("tools/call", nil, got); !bytes.Equal(again, got) {
			t.Errorf("%s became another one when it was corrected again: %s", got, again)
		}
	}
	for in, want := range map[string]string{
		`{"messages":[{"role":"system","content":"x"}],"description":null}`:      `{"messages":[{"content":{"type":"text","text":"x"},"role":"user"}]}`,
		`{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`:    `{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`,
		`{"messages":[{"content":{"text":null,"type":"text"}}],"_meta":null}`:    `{"messages":[{"content":{"type":"text","text":""},"role":"user"}]}`,
		`{"messages":[{"role":"assistant","content":{"type":"new","own":1.0}}]}`: `{"messages":[{"role":"assistant","content":{"type":"new","own":1.0}}]}`,
		`{"messages":null}`:                          `{"messages":[]}`,
		`{"messages":["x"]}`:                         `{"messages":[{"content":{"type":"text","text":"x"},"role":"user"}]}`,
		`{"messages":{"role":"user","content":"x"}}`: `{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"text","text":"x"},"y"]}]}`: `{"messages":[{"role":"assistant","content":{"type":"text","text":"x"}},{"role":"assistant","content":{"type":"text","text":"y"}}]}`,
	} {
		if got := mendResult("prompts/get", nil, json.RawMessage(in)); string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		`{"contents":[{"uri":"a:b","text":{"a":1},"mimeType":null}]}`: `{"contents":[{"uri":"a:b","text":"{\"a\":1}"}]}`,
		`{"contents":[{"uri":"a:b","blob":"AA"}]}`:                    `{"contents":[{"uri":"a:b","blob":"AA=="}]}`,
		`{"contents":[{"uri":"a:b","text":null}]}`:                    `{"contents":[{"uri":"a:b","text":""}]}`,
		`{"contents":{"text":"x"}}`:                                   `{"contents":[{"text":"x","uri":"a:asked"}]}`,
		`{"contents":["x"],"ttlMs":null,"cacheScope":null}`:           `{"contents":[{"text":"x","uri":"a:asked"}]}`,
		`{"content":[]}`: `{"content":[]}`,
	} {
		asked := []jsonrpc.Member{{Name: "uri", Value: json.RawMessage(`"a:asked"`)}}
		if got := mendResult("resources/read", asked, json.RawMessage(in)); string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
	many := strings.Repeat(`"x",`, 100)
	for in, want := range map[string]string{
		`{"completion":{"values":["a"],"total":1,"hasMore":false,"own":1.0}}`: `{"completion":{"values":["a"],"total":1,"hasMore":false,"own":1.0}}`,
		`{"completion":{"values":[null,1],"total":"2","hasMore":null}}`:       `{"completion":{"values":["1"],"total":2}}`,
		`{"completion":{"values":"a","total":1.5}}`:                           `{"completion":{"values":["a"]}}`,
		`{"completion":null,"_meta":null}`:                                    `{"completion":{"values":[]}}`,
		`{"completion":{"values":[` + many + `"y"]}}`: `{"completion":{"values":[` +
			many[:len(many)-1] + `],"hasMore":true}}`,
	} {
		if got := mendResult("completion/complete", nil, json.RawMessage(in)); string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
}

// TestMendStructure: clients of versions before 2026-07-28 refuse a result whose structured content is no object.
func TestMendStructure(t *testing.T) {
	for in, want := range map[string]string{
		`{"content":[],"structuredContent":{"a":1}}`: `{"content":[],"structuredContent":{"a":1}}`,
		said: said,
		`{"content":[],"structuredContent":[1, 2]}`:                            `{"content":[{"type":"text","text":"[1,2]"}]}`,
		`{"content":[{"type":"text","text":"x"}],"structuredContent":"other"}`: said,
	} {
		got := jsonrpc.AppendObject(nil, definition.MendStructure(jsonrpc.Split([]byte(in))))
		if string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
}

// TestMendProgress: what a report of progress cannot have is left out, and a report that says nothing is none.
func TestMendProgress(t *testing.T) {
	for in, want := range map[string]string{
		`{"progressToken":1,"progress":1e0,"own":null}`:             `{"progressToken":1,"progress":1e0,"own":null}`,
		`{"progress":"0.5","total":null,"message":7}`:               `{"progress":0.5,"message":"7"}`,
		`{"progress":1,"total":"many","message":null,"_meta":null}`: `{"progress":1}`,
		`{"progress":"half"}`:                                       "",
		`{"total":1}`:                                               "",
		`[]`:                                                        "",
	} {
		if got, ok := definition.MendProgress(json.RawMessage(in)); ok != (want != "") || string(got) != want {
			t.Errorf("%s became %s, %v", in, got, ok)
		}
	}
}

// FuzzMendResult: whatever a server answers, the result is JSON, and correcting it a second time changes nothing.
func FuzzMendResult(f *testing.F) {
	for _, c := range resultCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := jsonrpc.Members(raw); err != nil || jsonrpc.Depth(raw) > 100 || !json.Valid(raw) {
			return
		}
		compact := jsonrpc.AppendCompact(nil, raw)
		mended := mendResult("tools/call", nil, compact)
		if !json.Valid(mended) {
			t.Fatalf("%s became %s", raw, mended)
		}
		if again := mendResult("tools/call", nil, mended); !bytes.Equal(again, mended) {
			t.Fatalf("%s became %s and then %s", raw, mended, again)
		}
	})
}
