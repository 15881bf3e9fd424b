package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// TestSchemaHasTheFields checks that the JSON Schema has the same fields of a server as the table. Other
// conditions for a value in the schema, such as a pattern, are kept. With -update, a new field gets the
// schema of its kind.
func TestSchemaHasTheFields(t *testing.T) {
	path := filepath.Join("..", "..", "assets", "workbench-config.schema.json")
	text, err := os.ReadFile(path)
	must(t, err)
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	properties := jsonc.Parse(text).Root.At(jsonc.Keys("definitions", "server", "properties"))
	if properties == nil {
		t.Fatal("the schema has no properties of a server")
	}
	var indented bytes.Buffer
	must(t, json.Indent(&indented, []byte(schemaOf(serverFields, properties)), strings.Repeat("  ", 3), "  "))
	want, err := ApplyChanges(text, []Change{put(properties.Start, properties.End, indented.String())})
	must(t, err)
	if *update {
		must(t, os.WriteFile(path, want, 0o644))
	} else if diff := cmp.Diff(string(text), string(want)); diff != "" {
		t.Errorf("write it with go test ./engine/config -run TestSchemaHasTheFields -update (-is +should be):\n%s", diff)
	}
}

// schemaOf returns the schemas of fields. now is the current schema.
func schemaOf(fields []Field, now *node) string {
	properties := make([]string, len(fields))
	for i, f := range fields {
		members := []string{schemaMember("description", inQuotes(f.About.Text().String()))}
		kept := membersOf(now.Member(f.Name))
		if len(kept) == 0 {
			members = append(members, byKind(&f)...)
		}
		for _, m := range kept {
			switch {
			case m.Key == "properties":
				members = append(members, schemaMember(m.Key, schemaOf(f.Members, m)))
			case !slices.Contains([]string{"description", "default", "examples"}, m.Key):
				members = append(members, schemaMember(m.Key, m.Raw()))
			}
		}
		if f.Default != "" {
			members = append(members, schemaMember("default", f.Default))
		}
		if len(f.Examples) > 0 {
			members = append(members, schemaMember("examples", "["+strings.Join(f.Examples, ",")+"]"))
		}
		properties[i] = schemaMember(f.Name, "{"+strings.Join(members, ",")+"}")
	}
	return "{" + strings.Join(properties, ",") + "}"
}

// byKind returns the schema of a kind of value.
func byKind(f *Field) []string {
	const value = `{"$ref":"#/definitions/value"}`
	switch f.Kind {
	case KindText:
		return []string{schemaMember("allOf", "["+value+"]")}
	case KindTexts:
		return []string{schemaMember("type", `"array"`), schemaMember("items", value)}
	case KindVariables:
		return []string{schemaMember("type", `"object"`), schemaMember("additionalProperties", value)}
	case KindNames:
		return []string{schemaMember("type", `"array"`), schemaMember("items", `{"type":"string"}`)}
	case KindSwitch:
		return []string{schemaMember("type", `"boolean"`)}
	case KindSeconds:
		return []string{schemaMember("type", `"number"`), schemaMember("minimum", "0"),
			schemaMember("maximum", fmt.Sprint(maxSeconds))}
	case KindInteger:
		return []string{schemaMember("type", `"integer"`), schemaMember("minimum", fmt.Sprint(f.Min)),
			schemaMember("maximum", fmt.Sprint(f.Max))}
	}
	return []string{schemaMember("type", `"object"`)}
}

func schemaMember(name, value string) string { return inQuotes(name) + ":" + value }

func inQuotes(text string) string { return jsonc.Quote(text) }
