package config

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tailscale/hujson"
)

// notInSchema returns the codes of the rules that JSON Schema cannot express, with reasons.
func notInSchema() map[string]string {
	return map[string]string{
		"duplicate-name":     "the data model of JSON Schema has each name of an object once",
		"half-character":     "most parsers put another character there before a schema sees it",
		"too-deep":           "a schema cannot limit the depth of what it doesn't know",
		"circular-reference": "a schema cannot compare the values of two variables",
		"bad-url-syntax":     "a pattern for all that can be wrong with an address would be unreadable",
	}
}

func readSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join("..", "..", "assets", "workbench-config.schema.json")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	parsed, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkSchema compares the result of the schema for a document with that of Parse. It returns the rules of
// notInSchema that made a difference.
func checkSchema(t *testing.T, schema *jsonschema.Schema, source []byte) (excused []string) {
	t.Helper()
	document := Parse("config", source)
	if document.damage.syntax > 0 {
		return nil // an editor reports this without a schema
	}
	standard, err := hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(source, byteOrderMark)), '\n'))
	if err != nil || !utf8.Valid(source) {
		return nil // this is not text
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(standard))
	if err != nil {
		return nil // such as a number that is too large
	}
	refusal := schema.Validate(value)
	rest := slices.DeleteFunc(document.Errors(), func(d Diagnostic) bool {
		if _, ok := notInSchema()[d.Code]; ok {
			excused = append(excused, d.Code)
			return true
		}
		return false
	})
	switch {
	case len(rest) > 0 && len(excused) == 0 && refusal == nil:
		t.Errorf("%s\nis good for the schema, but %s", source, rest[0].Format("config"))
	case document.Valid() && refusal != nil:
		t.Errorf("%s\nis valid, but the schema says: %v", source, refusal)
	}
	return excused
}

// TestSchema checks that the schema and Parse agree about every document, except for the rules in
// notInSchema.
func TestSchema(t *testing.T) {
	schema := readSchema(t)
	used := map[string]bool{}
	for _, source := range corpus(t) {
		for _, text := range checkSchema(t, schema, source) {
			used[text] = true
		}
		fixed := FixAll("config", source) // its problems are a different selection
		checkSchema(t, schema, fixed.Source)
	}
	for name, good := range map[string]bool{"good.txt": true, "bad.txt": false} {
		file, err := os.Open(filepath.Join("testdata", "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		count := 0
		for lines.Scan() {
			count++
			document := Parse("config", bytes.Clone(lines.Bytes()))
			if document.Valid() != good {
				t.Errorf("%s:%d: %s\n%v", name, count, lines.Text(), document.Errors())
			}
			if excused := checkSchema(t, schema, document.Source); len(excused) > 0 {
				t.Errorf("%s:%d: %s", name, count, excused)
			}
		}
		if lines.Err() != nil || count < 10 {
			t.Errorf("%s: %d lines, %v", name, count, lines.Err())
		}
	}
	for text, reason := range notInSchema() {
		if !used[text] && text != "too-deep" && text != "half-character" { // these are syntax errors
			t.Errorf("nothing in the corpus needs the exception %q (%s)", text, reason)
		}
	}
}

// TestSchemaHelps checks that an editor has a description for every key, and knows every key that Parse
// knows.
func TestSchemaHelps(t *testing.T) {
	schema := readSchema(t)
	toolbox := schema.Properties["toolboxes"].AdditionalProperties.(*jsonschema.Schema).Ref
	server := toolbox.Properties["mcpServers"].AdditionalProperties.(*jsonschema.Schema).Ref
	for _, level := range []struct {
		schema *jsonschema.Schema
		keys   []string
	}{{schema, Names(topFields)}, {toolbox, Names(toolboxFields)}, {server, Names(serverFields)},
		{server.Properties["oauth"], Names(oauthFields)}} {
		if len(level.schema.Properties) != len(level.keys) {
			t.Errorf("%d keys, want %d", len(level.schema.Properties), len(level.keys))
		}
		for _, key := range level.keys {
			property := level.schema.Properties[key]
			switch {
			case property == nil:
				t.Errorf("%q is missing", key)
			case property.Description == "":
				t.Errorf("%q has no description", key)
			case len(property.Examples) == 0 && property.Default == nil && key != "$schema":
				t.Errorf("%q has no example", key)
			}
			if property != nil {
				for _, example := range property.Examples {
					if err := property.Validate(example); err != nil {
						t.Errorf("the example of %q: %v", key, err)
					}
				}
			}
		}
	}
}

func FuzzSchema(f *testing.F) {
	schema := readSchema(f)
	for _, name := range []string{"good.txt", "bad.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", "schema", name))
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		checkSchema(t, schema, source)
	})
}
