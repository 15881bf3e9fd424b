package definition_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/definition/odd"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

var shapes = map[string]*definition.Shape{
	"tools": definition.Tool, "prompts": definition.Prompt, "resources": definition.Resource,
	"resourceTemplates": definition.Template,
}

func TestMend(t *testing.T) {
	const obj = `"inputSchema":{"type":"object"}`
	for _, test := range []struct {
		list, in, want string
		remarks        string // joined by "; "
	}{
		{"tools", `{"name":"a",` + obj + `,"x":[null,1.0],"y":null}`, `{"name":"a",` + obj + `,"x":[null,1.0],"y":null}`,
			""},
		{"tools", `{"name":"a"}`, `{"name":"a",` + obj + `}`, ""},
		{"tools", `{"name":"a","inputSchema":null}`, `{"name":"a",` + obj + `}`, ""},
		{"tools", `{"name":"a","inputSchema":true}`, `{"name":"a",` + obj + `}`, ""},
		{"tools", `{"name":"a","inputSchema":{"properties":{"b":true}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{}}}}`, ""},
		{"tools", `{"name":"a","inputSchema":{"type":["object","null"],"required":"b"}}`,
			`{"name":"a","inputSchema":{"type":"object","required":["b"]}}`,
			`"inputSchema.required" was not valid and was corrected`},
		{"tools", `{"name":"a","inputSchema":{"type":"string"}}`, ``, `"inputSchema.type" is missing or not valid`},
		{"tools", `{"name":"a","inputSchema":false}`, ``, `"inputSchema" is missing or not valid`},
		{"tools", `{"name":5,` + obj + `}`, ``, `"name" is missing or not valid`},
		{"tools", `{"name":"a",` + obj + `,"annotations":{"title":null,"readOnlyHint":"False","destructiveHint":[]}}`,
			`{"name":"a",` + obj + `,"annotations":{"readOnlyHint":false}}`,
			`"annotations.readOnlyHint" was not valid and was corrected; "annotations.destructiveHint" is not valid and was left out`},
		// A hint that would make a tool look harmless is not guessed.
		{"tools", `{"name":"a",` + obj +
			`,"annotations":{"readOnlyHint":"true","destructiveHint":"false","idempotentHint":"true","openWorldHint":"false"}}`,
			`{"name":"a",` + obj + `,"annotations":{}}`,
			`"annotations.readOnlyHint" is not valid and was left out; "annotations.destructiveHint" is not valid and was left out; "annotations.idempotentHint" is not valid and was left out; "annotations.openWorldHint" is not valid and was left out`},
		{"tools", `{"name":"a",` + obj +
			`,"annotations":{"destructiveHint":" TRUE","idempotentHint":"false","openWorldHint":"true"}}`,
			`{"name":"a",` + obj + `,"annotations":{"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}}`,
			`"annotations.destructiveHint" was not valid and was corrected; "annotations.idempotentHint" was not valid and was corrected; "annotations.openWorldHint" was not valid and was corrected`},
		{"tools", `{"name":"a",` + obj + `,"annotations":[],"_meta":[],"icons":{},"execution":null}`,
			`{"name":"a",` + obj + `,"annotations":{},"_meta":{},"icons":[]}`, ""},
		{"tools", `{"name":"a",` + obj + `,"icons":[{"url":"x"},{"src":"y","sizes":"1x1","theme":"pink"}],"title":5}`,
			`{"name":"a",` + obj + `,"icons":[{"src":"y","sizes":["1x1"]}],"title":"5"}`,
			`"icons[0]" is not valid and was left out; "icons[1].sizes" was not valid and was corrected; "icons[1].theme" is not valid and was left out; "title" was not valid and was corrected`},
		{"tools", `{"name":"a","title":"x","title":null,` + obj + `}`, `{"name":"a",` + obj + `}`, ""},
		{"tools", `{"name":"a",` + obj + `,"Title":5}`, `{"name":"a",` + obj + `}`, `"Title" is not valid and was left out`},
		{"tools", `{"name":"a","description":"\ud83d\ude00 \ud83d \\ud83d",` + obj + `}`,
			`{"name":"a","description":"\ud83d\ude00 \ufffd \\ud83d",` + obj + `}`, ""},
		{"tools", `{"name":"a","x":1e999,` + obj + `}`, ``, "it has a number that programs cannot read"},
		{"tools", `{"name":"a","x":"1e999",` + obj + `}`, `{"name":"a","x":"1e999",` + obj + `}`, ""},

		{"tools", `{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":["","str","string"]}}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":["string"]}}}}`,
			`"inputSchema.properties.b.type[0]" is not valid and was left out; "inputSchema.properties.b.type" was not valid and was corrected`},

		// Schemas, deeper.
		{"tools", `{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"array","items":true,"required":true},"c":{"type":"int"},"d":{"type":"any"},"e":false}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"array","items":{}},"c":{"type":"integer"},"d":{},"e":{"not":{}}}}}`,
			`"inputSchema.properties.b.required" is not valid and was left out; "inputSchema.properties.c.type" was not valid and was corrected`},
		{"tools", `{"name":"a","inputSchema":{"type":"object","properties":{"b":{"minimum":1,"exclusiveMinimum":true},"c":{"exclusiveMaximum":false},"d":{"$ref":"#/$defs/none"}}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"exclusiveMinimum":1},"c":{},"d":{}}}}`,
			`"inputSchema.properties.d.$ref" is not valid and was left out`},
		{"tools", `{"name":"a","inputSchema":{"type":"object","properties":{"b":{"default":null,"const":null,"enum":[null],"x":null,"title":null}}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"default":null,"const":null,"enum":[null],"x":null}}}}`, ""},
		{"tools", `{"name":"a",` + obj +
			`,"outputSchema":{"$id":"x","type":"object","properties":{"b":{"pattern":"(?i)x","nullable":true},"c":{"items":[{}]},"d":{"$ref":"other.json"},"e":{"$ref":"#/properties/b"}}}}`,
			`{"name":"a",` + obj + `,"outputSchema":{"type":"object","properties":{"b":{},"c":{"prefixItems":[{}]},"d":{},"e":{"$ref":"#/properties/b"}}}}`,
			`"outputSchema.properties.b.pattern" is not valid and was left out; "outputSchema.properties.d.$ref" is not valid and was left out`},
		{"tools", `{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"array"},"c":{"type":["array","null"],"title":"C"},"d":{"type":"array","items":{"type":"string"}}}}}`,
			`{"name":"a","inputSchema":{"type":"object","properties":{"b":{"type":"array","items":{}},"c":{"type":["array","null"],"title":"C","items":{}},"d":{"type":"array","items":{"type":"string"}}}}}`, ""},
		{"tools", `{"name":"a",` + obj + `,"outputSchema":{"type":"array","items":{}}}`,
			`{"name":"a",` + obj + `,"outputSchema":{"type":"array","items":{}}}`, ""},

		{"prompts", `{"name":"a","arguments":["b",{"name":"c","required":"false"},{"description":"x"},null],"description":null}`, `{"name":"a","arguments":[{"name":"b"},{"name":"c","required":false}]}`,
			`"arguments[0]" was not valid and was corrected; "arguments[1].required" was not valid and was corrected; "arguments[2]" is not valid and was left out; "arguments[3]" is not valid and was left out`},
		{"prompts", `{"name":"a","arguments":{}}`, `{"name":"a","arguments":[]}`, ""},
		{"resources", `{"uri":"a:b"}`, `{"uri":"a:b","name":"a:b"}`, ""},
		{"resources", `{"uri":"a:b","name":"c","size":"5","annotations":{"audience":"user","priority":5,"lastModified":"yesterday"}}`, `{"uri":"a:b","name":"c","size":5,"annotations":{"audience":["user"]}}`,
			`"size" was not valid and was corrected; "annotations.audience" was not valid and was corrected; "annotations.priority" is not valid and was left out; "annotations.lastModified" is not valid and was left out`},
		{"resources", `{"uri":"a:b","name":"c","size":5.0}`, `{"uri":"a:b","name":"c","size":5}`, ""},
		{"resourceTemplates", `{"uriTemplate":"a://{b","name":"c"}`, ``, `"uriTemplate" is missing or not valid`},
	} {
		mended, err := definition.Mend(shapes[test.list], json.RawMessage(test.in))
		var remarks []string
		if err != nil {
			remarks = []string{err.Error()}
		}
		for _, remark := range mended.Remarks {
			remarks = append(remarks, remark.String())
		}
		if got := strings.Join(remarks, "; "); string(mended.Definition) != test.want || got != test.remarks {
			t.Errorf("%s\nbecame %s, want %s\nwith %s\nwant %s", test.in, mended.Definition, test.want, got, test.remarks)
		}
	}
}

// TestRefused: what AI services are known to refuse is named, and stays as it is.
func TestRefused(t *testing.T) {
	for schema, want := range map[string]definition.Refusal{
		`{"type":"object","properties":{"a":{"anyOf":[{}]}}}`:                   0,
		`{"type":"object","anyOf":[{"required":["a"]}]}`:                        definition.Combined,
		`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object"}}}`:                  definition.Combined,
		`{"type":"object","properties":{"a.b-c_D":{}}}`:                         0,
		`{"type":"object","properties":{"$filter":{}}}`:                         definition.Named,
		`{"type":"object","properties":{"` + strings.Repeat("x", 65) + `":{}}}`: definition.Named,
		`{"type":"object","properties":{"a":{"items":[{}]},"ä":{}}}`:            definition.Named | definition.Outdated,
	} {
		mended, err := definition.Mend(definition.Tool, json.RawMessage(`{"name":"a","inputSchema":`+schema+`}`))
		if err != nil || mended.Refused != want || (len(mended.Remarks) > 0) != (want != 0) {
			t.Errorf("%s: %v %v %v, want %v", schema, mended.Refused, mended.Remarks, err, want)
		}
	}
}

// TestOddDefinitions: mcp-go reads whatever is offered, correcting it a second time changes nothing, and the
// good one is not touched. The SDKs for TypeScript are asked in package e2e.
func TestOddDefinitions(t *testing.T) {
	for list, shape := range shapes {
		all := odd.Definitions(list)
		offered := 0
		for i, raw := range all {
			compact := jsonrpc.AppendCompact(nil, raw)
			mended, err := definition.Mend(shape, compact)
			if err != nil {
				continue
			}
			offered++
			again, err := definition.Mend(shape, mended.Definition)
			if err != nil || !bytes.Equal(again.Definition, mended.Definition) {
				t.Errorf("it became another one when it was corrected again (%v): %s", err,
					differing(mended.Definition, again.Definition))
			}
			if i == len(all)-1 && list != "tools" && !bytes.Equal(mended.Definition, compact) {
				t.Errorf("%s: the good one was changed: %s", list, differing(compact, mended.Definition))
			}
			if err := decode(list, mended.Definition); err != nil {
				t.Errorf("mcp-go says %v: %s", err, differing(compact, mended.Definition))
			}
		}
		if offered < len(all)*8/10 {
			t.Errorf("%s: %d of %d are offered", list, offered, len(all))
		}
	}
}

// differing returns where two texts begin to differ.
func differing(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	part := func(text []byte) []byte { return text[max(0, i-60):min(len(text), i+60)] }
	return fmt.Sprintf("%s and %s", part(a), part(b))
}

func decode(list string, raw json.RawMessage) error {
	switch list {
	case "tools":
		return json.Unmarshal(raw, new(mcp.Tool))
	case "prompts":
		return json.Unmarshal(raw, new(mcp.Prompt))
	case "resources":
		return json.Unmarshal(raw, new(mcp.Resource))
	}
	return json.Unmarshal(raw, new(mcp.ResourceTemplate))
}

func FuzzMend(f *testing.F) {
	for list := range shapes {
		for i, raw := range odd.Definitions(list) {
			if i%50 == 0 {
				f.Add(list, []byte(raw))
			}
		}
	}
	f.Fuzz(func(t *testing.T, list string, raw []byte) {
		shape := shapes[list]
		if _, err := jsonrpc.Members(raw); shape == nil || err != nil || jsonrpc.Depth(raw) > 100 || !json.Valid(raw) {
			return
		}
		compact := jsonrpc.AppendCompact(nil, raw)
		mended, err := definition.Mend(shape, compact)
		if err != nil {
			return
		}
		if !json.Valid(mended.Definition) {
			t.Fatalf("%s became %s", raw, mended.Definition)
		}
		if again, err := definition.Mend(shape, mended.Definition); err != nil ||
			!bytes.Equal(again.Definition, mended.Definition) {
			t.Fatalf("%s became %s and then %s %v", raw, mended.Definition, again.Definition, err)
		}
		if err := decode(list, mended.Definition); err != nil {
			t.Fatalf("%s became %s: %v", raw, mended.Definition, err)
		}
	})
}
