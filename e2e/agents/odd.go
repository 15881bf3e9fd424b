package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/e2e/agents/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// oddSchemas are schemas of arguments that LLM services are known to refuse, or that clients are known to change. The
// first one is usual.
var oddSchemas = [...]struct{ name, schema string }{
	{madeUp(0), `{"type":"object","properties":{"what":{"type":"string"}}}`},
	{"top_any_of", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`},
	{"top_one_of", `{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}`},
	{"top_all_of", `{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}}]}`},
	{"top_ref", `{"type":"object","$ref":"#/$defs/arguments","$defs":{"arguments":{"type":"object","properties":{"a":{"type":"string"}}}}}`},
	{"top_not", `{"type":"object","properties":{"a":{"type":"string"}},"not":{"required":["b"]}}`},
	{"top_if", `{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]}}`},
	{"top_enum", `{"type":"object","properties":{"a":{"type":"string"}},"enum":[{"a":"x"}]}`},
	{"name_with_space", `{"type":"object","properties":{"a b":{"type":"string"}}}`},
	{"name_with_dollar", `{"type":"object","properties":{"$filter":{"type":"string"}}}`},
	{"name_with_brackets", `{"type":"object","properties":{"ids[]":{"type":"string"}}}`},
	{"name_with_dot", `{"type":"object","properties":{"a.b":{"type":"string"}}}`},
	{"name_with_colon", `{"type":"object","properties":{"a:b":{"type":"string"}}}`},
	{"name_beyond_ascii", `{"type":"object","properties":{"größe":{"type":"string"}}}`},
	{"name_of_70", `{"type":"object","properties":{"` +
		"a123456789b123456789c123456789d123456789e123456789f123456789g123456789" + `":{"type":"string"}}}`},
	{"name_empty", `{"type":"object","properties":{"":{"type":"string"}}}`},
	{"name_inside", `{"type":"object","properties":{"a":{"type":"object","properties":{"b c":{"type":"string"}}}}}`},
	{"property_true", `{"type":"object","properties":{"a":true}}`},
	{"property_false", `{"type":"object","properties":{"a":{"type":"string"},"b":false}}`},
	{"property_empty", `{"type":"object","properties":{"a":{}}}`},
	{"no_properties", `{"type":"object"}`},
	{"array_without_items", `{"type":"object","properties":{"a":{"type":"array"}}}`},
	{"array_of_true", `{"type":"object","properties":{"a":{"type":"array","items":true}}}`},
	{"array_of_tuple", `{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`},
	{"type_of_two", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`},
	{"enum_of_numbers", `{"type":"object","properties":{"a":{"type":"integer","enum":[1,2]}}}`},
	{"enum_with_empty", `{"type":"object","properties":{"a":{"type":"string","enum":["","x"]}}}`},
	{"draft_4", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true}}}`},
	{"recursive", `{"type":"object","properties":{"a":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}}}`},
	{"ref_to_nothing", `{"type":"object","properties":{"a":{"$ref":"#/$defs/gone"}}}`},
	{"ref_to_web", `{"type":"object","properties":{"a":{"$ref":"https://example.com/schema.json"}}}`},
	{"inside_any_of", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`},
	{"pattern", `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?<=x)\\p{L}+$","format":"uuid"}}}`},
}

// odd returns the script of a server with a tool for each of these schemas.
func odd() []byte {
	var list []json.RawMessage
	for _, one := range oddSchemas {
		list = append(list, json.RawMessage(
			fmt.Sprintf(`{"name":%q,"description":"Does %s.","inputSchema":%s}`, one.name, one.name, one.schema)))
	}
	answer := json.RawMessage(`{"content":[{"type":"text","text":"It is done."}]}`)
	return []byte(fakeserver.Script{Tools: list, Results: map[string]json.RawMessage{madeUp(0): answer}}.String())
}

// oddReport says of each such tool what the agent sends its model: the same schema, another one, or nothing.
func oddReport(agent string, offered []model.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", agent)
	for _, one := range oddSchemas {
		at := slices.IndexFunc(offered, func(t model.Tool) bool { return isNamed(t.Name, "dev__many__"+one.name) })
		said := "missing"
		if at >= 0 {
			said = sameJSON(offered[at].Parameters, json.RawMessage(one.schema))
		}
		fmt.Fprintf(&b, "  %-20s %s\n", one.name, said)
	}
	return b.String()
}

// sameJSON returns "as it is" if both texts have the same meaning, and otherwise the first one.
func sameJSON(got, want json.RawMessage) string {
	var first, second any
	if json.Unmarshal(got, &first) != nil || json.Unmarshal(want, &second) != nil {
		return string(got)
	}
	one, _ := json.Marshal(first)  // what was just read
	two, _ := json.Marshal(second) // likewise
	if bytes.Equal(one, two) {
		return "as it is"
	}
	return string(one)
}
