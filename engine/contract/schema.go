package contract

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schemas/*.json
var files embed.FS

// Schemas returns the five schema files, named as in README.md, at the root of the file system.
func Schemas() fs.FS {
	sub, err := fs.Sub(files, "schemas")
	if err != nil { // a constant, valid path
		panic(err)
	}
	return sub
}

// schema is one compiled schema file. It never changes and may be used by many goroutines.
type schema struct {
	root     string // how messages call the value that is checked
	compiled *jsonschema.Schema
}

// compile panics when the embedded file is not a schema, which the tests exclude for every file.
func compile(name, root string) *schema {
	raw, err := files.ReadFile("schemas/" + name + ".json")
	if err != nil {
		panic(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic(fmt.Errorf("reading schema %s: %w", name, err))
	}
	// No file refers to another one, so any address serves, and nothing is ever loaded from one.
	address := "embedded:///" + name + ".json"
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat() // session_id is a UUID: in draft 2020-12 a format is a remark otherwise
	if err := compiler.AddResource(address, document); err != nil {
		panic(fmt.Errorf("adding schema %s: %w", name, err))
	}
	return &schema{root: root, compiled: compiler.MustCompile(address)}
}

// validate checks raw, one JSON value. It returns nil or a *Violation.
func (s *schema) validate(raw json.RawMessage) error {
	if len(raw) == 0 {
		return &Violation{Problems: []Problem{{Path: s.root, Message: "is required"}}}
	}
	value, err := frame(raw)
	if err != nil {
		return &Violation{Problems: []Problem{{Path: s.root, Message: "is not valid JSON: " + err.Error()}}}
	}
	err = s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return &Violation{Problems: []Problem{{Path: s.root, Message: err.Error()}}}
	}
	return newViolation(s.root, invalid)
}
