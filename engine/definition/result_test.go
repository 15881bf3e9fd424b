package definition_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const said = `{"content":[{"type":"text","text":"x"}]}`

// resultCases are results of tools, and what becomes of them; "" means that they stay.
var resultCases = []struct{ in, want string }{
	{said, ""},
	{`{}`, `{"content":[]}`},
	{`{"toolResult":"old"}`, ""},
	{`{"content":[],"structuredContent":{"a":1.0},"own":null}`, ""},
	{`{"content":[{"type":"image","data":"AAAA","mimeType":"image/png","own":1e1}]}`, ""},
	{`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AA=="}},{"type":"resource_link","uri":"a:b","name":"n"}]}`, ""},
	{`{"task":{"taskId":"1"},"content":null}`, ""},
	{`{"resultType":"input_required","_meta":null}`, ""},
	{`{"content":[{"type":"text","text":"x"}],"_meta":null}`, said},
	{`{"content":[{"type":"text","text":"x"}],"isError":null,"structuredContent":null}`, said},
	{`{"content":[{"type":"text","text":"x","annotations":null,"_meta":null}]}`, said},
	{`{"content":null}`, `{"content":[]}`},
	{`{"content":"x"}`, said},
	{`{"content":{"type":"text","text":"x"}}`, said},
	{`{"content":[null,"x"]}`, said},
	{`{"content":[{"text":"x"}]}`, `{"content":[{"text":"x","type":"text"}]}`},
	{`{"content":[{"type":"text","text":null}]}`, `{"content":[{"type":"text","text":""}]}`},
	{`{"content":[{"type":"text","text":5},{"type":"text","text":{"a": 1}}]}`, `{"content":[{"type":"text","text":"5"},{"type":"text","text":"{\"a\":1}"}]}`},
	{`{"content":[{"type":"text","TYPE":5,"text":"x"}]}`, said},
	{`{"content":[{"type":"json","json":{}},{"type":"resource","resource":{"text":"x"}}],"structuredContent":[1]}`, ""},
	{`{"content":[],"isError":"True"}`, `{"content":[],"isError":true}`},
	{`{"content":[{"type":"image","data":"data:image/gif;base64,AA-_","mimeType":"image/gif"}]}`, `{"content":[{"type":"image","data":"AA+/","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"R0lGODlh"}]}`, `{"content":[{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"A A\nA","mimeType":"image/gif"}]}`, `{"content":[{"type":"image","data":"AAA=","mimeType":"image/gif"}]}`},
	{`{"content":[{"type":"image","data":"no!","mimeType":"image/gif"}]}`, `{"content":[{"type":"text","text":"[image left out: its data is not valid base64]"}]}`},
	{`{"content":[{"type":"resource_link","uri":"a:b"}]}`, `{"content":[{"type":"resource_link","uri":"a:b","name":"a:b"}]}`},
	{`{"content":[{"type":"text","text":"x","annotations":{"audience":["all","user"],"priority":"1"}}]}`, `{"content":[{"type":"text","text":"x","annotations":{"audience":["user"],"priority":1}}]}`},
}

// TestMendResult: results that the official SDKs would refuse are corrected, and others stay.
func TestMendResult(t *testing.T) {
	for _, c := range resultCases {
		if c.want == "" {
			c.want = c.in
		}
		got := definition.MendResult("tools/call", json.RawMessage(c.in))
		if string(got) != c.want {
			t.Errorf("%s\nbecame %s\nwant   %s", c.in, got, c.want)
		}
		if again := definition.MendResult("tools/call", got); !bytes.Equal(again, got) {
			t.Errorf("%s became another one when it was corrected again: %s", got, again)
		}
	}
	for in, want := range map[string]string{
		`{"messages":[{"role":"system","content":"x"}],"description":null}`:      `{"messages":[{"content":{"type":"text","text":"x"},"role":"user"}]}`,
		`{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`:    `{"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`,
		`{"messages":[{"content":{"text":null,"type":"text"}}],"_meta":null}`:    `{"messages":[{"content":{"type":"text","text":""},"role":"user"}]}`,
		`{"messages":[{"role":"assistant","content":{"type":"new","own":1.0}}]}`: `{"messages":[{"role":"assistant","content":{"type":"new","own":1.0}}]}`,
	} {
		if got := definition.MendResult("prompts/get", json.RawMessage(in)); string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		`{"contents":[{"uri":"a:b","text":{"a":1},"mimeType":null}]}`: `{"contents":[{"uri":"a:b","text":"{\"a\":1}"}]}`,
		`{"contents":[{"uri":"a:b","blob":"AA"}]}`:                    `{"contents":[{"uri":"a:b","blob":"AA=="}]}`,
	} {
		if got := definition.MendResult("resources/read", json.RawMessage(in)); string(got) != want {
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
		mended := definition.MendResult("tools/call", compact)
		if !json.Valid(mended) {
			t.Fatalf("%s became %s", raw, mended)
		}
		if again := definition.MendResult("tools/call", mended); !bytes.Equal(again, mended) {
			t.Fatalf("%s became %s and then %s", raw, mended, again)
		}
	})
}
