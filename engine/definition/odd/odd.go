// Package odd makes definitions as servers should not write them, for tests: each value of a complete
// definition is replaced by each value of a list, one at a time.
package odd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const schema = `{"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://example.com/s","type":"object","title":"t","properties":{
	"a":{"type":"string","description":"d","enum":["x"],"pattern":"^x$","default":null,"format":"own"},
	"b":{"type":["array","null"],"items":{"type":"string"},"uniqueItems":true,"nullable":true},
	"c":{"$ref":"#/$defs/x"},
	"d":{"anyOf":[{"type":"null"},{"type":"number","minimum":1,"exclusiveMinimum":2}],"not":{"const":1}}},
	"required":["a"],"additionalProperties":false,"patternProperties":{"^x-":{"type":"string"}},"dependentRequired":{"a":["b"]},
	"$defs":{"x":{"id":"y","type":"boolean"}}}`

const common = `"title":"t","description":"d","icons":[{"src":"https://example.com/a.png","mimeType":"image/png","sizes":["1x1"],"theme":"light"}],"_meta":{"k":1}`

const resource = `"name":"n","mimeType":"text/plain","annotations":{"audience":["user"],"priority":0.5,"lastModified":"2026-01-02T03:04:05Z"},` + common

// complete returns definitions with all members that clients know. KEY stands for what identifies the item.
func complete() map[string]string {
	return map[string]string{
		"tools": `{"name":"KEY","inputSchema":` + schema + `,"outputSchema":` + schema + `,
		"annotations":{"title":"t","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},
		"execution":{"taskSupport":"optional"},` + common + `}`,
		"prompts": `{"name":"KEY","arguments":[{"name":"a","title":"t","description":"d","required":true}],` +
			common + `}`,
		"resources":         `{"uri":"x://KEY","size":5,` + resource + `}`,
		"resourceTemplates": `{"uriTemplate":"y-KEY://{a}",` + resource + `}`,
	}
}

// values are what stands in the place of a value.
var values = []string{
	`null`, `true`, `0`, `1.5`, `""`, `"string"`, `"true"`, `"(?<x>["`, `[]`, `{}`, `[null]`, `["a","a",""]`, `{"a":1}`,
	`{"$ref":"#/$defs/none"}`,
}

// extra are members that are added to a definition.
var extra = []string{
	`"x-own":1e400`, `"x-own":"\ud800"`, `"size":3.0`, `"annotations":{"priority":-1,"lastModified":"2026-01-02"}`,
	`"icons":[{"url":"x"}]`, `"inputSchema":false`,
	`"Title":5`, `"Description":{}`, `"INPUTSCHEMA":1`, `"title":null`, `"annotations":7`, `"x-own":{"a":[null,true]}`,
}

// Definitions returns all of them for one member of a list's answer, such as "tools", and last a good one with
// the key "good".
func Definitions(list string) []json.RawMessage {
	var root any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(complete()[list], "KEY", "good")), &root); err != nil {
		panic(err)
	}
	var made []json.RawMessage
	add := func(text string) {
		made = append(made, json.RawMessage(strings.ReplaceAll(text, "good", "o"+strconv.Itoa(len(made)))))
	}
	const hole = "a hole for a value"
	for _, path := range paths(root, nil) {
		if len(path) == 1 && slices.Contains([]string{"uri", "uriTemplate"}, path[0]) || len(path) == 1 &&
			path[0] == "name" && list != "resources" && list != "resourceTemplates" {
			continue
		}
		text, err := json.Marshal(replaced(root, path, hole))
		if err != nil {
			panic(err)
		}
		for _, value := range values {
			add(strings.Replace(string(text), strconv.Quote(hole), value, 1))
		}
	}
	text, err := json.Marshal(root)
	if err != nil {
		panic(err)
	}
	for _, member := range extra {
		add(string(text[:len(text)-1]) + "," + member + "}")
	}
	return append(made, text)
}

// paths returns the places of all values within a value.
func paths(value any, at []string) (all [][]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			path := append(slices.Clone(at), name)
			all = append(append(all, path), paths(inner, path)...)
		}
	case []any:
		for i, inner := range value {
			path := append(slices.Clone(at), strconv.Itoa(i))
			all = append(append(all, path), paths(inner, path)...)
		}
	}
	slices.SortFunc(all, slices.Compare[[]string])
	return all
}

// replaced returns a value with another one at a place.
func replaced(value any, path []string, by any) any {
	if len(path) == 0 {
		return by
	}
	switch value := value.(type) {
	case map[string]any:
		changed := map[string]any{}
		for name, inner := range value {
			if name == path[0] {
				inner = replaced(inner, path[1:], by)
			}
			changed[name] = inner
		}
		return changed
	case []any:
		changed := slices.Clone(value)
		i, _ := strconv.Atoi(path[0])
		changed[i] = replaced(value[i], path[1:], by)
		return changed
	}
	panic(fmt.Sprint("no such place: ", path))
}
