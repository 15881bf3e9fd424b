package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// FuzzValidateTool checks that the check never crashes, that it accepts only JSON, that it does not change
// the bytes, and that checking only the outer levels finds the same as a library that checks everything.
func FuzzValidateTool(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"name":"t","inputSchema":{"type":"object"}}`,
		`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"b":{"c":{"d":[[[[]]]]}}}},"required":["a"]}}`,
		`{"name":"t","inputSchema":{"type":"object","required":[1e999999999,{}]}}`,
		`{"name":"t","inputSchema":{"type":["object"]},"icons":[{"sizes":"48x48"}],"_meta":{"n":9007199254740993}}`,
		`{"name":"t","name":1,"inputSchema":{"type":"object","type":"string"}}`,
		"{\"name\":\"\xff\\ud800\",\"inputSchema\":{\"type\":\"object\"}}",
		`{"name":"t","inputSchema":{"type":"object"}} x`, `{"name":"t","inputSchema":`,
	} {
		f.Add([]byte(seed))
	}
	judge := library(f, "tool.definition.json")
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		err := ValidateTool(raw)
		if !bytes.Equal(before, raw) {
			t.Fatalf("the check changed %q to %q", before, raw)
		}
		var violation *Violation
		if err != nil && (!errors.As(err, &violation) || len(violation.Problems) == 0) {
			t.Fatalf("%q gives %v, which names no problem", raw, err)
		}
		if err != nil && !utf8.ValidString(err.Error()) {
			t.Fatalf("the message is not text: %q", err.Error())
		}
		if err == nil && !json.Valid(raw) {
			t.Fatalf("%q is accepted", raw)
		}
		whole, decodeErr := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if decodeErr != nil {
			if err == nil {
				t.Fatalf("%q is accepted, the library cannot read it: %v", raw, decodeErr)
			}
			return
		}
		if full := judge.Validate(whole); (full == nil) != (err == nil) {
			t.Fatalf("%q: the frame gives %v, the whole value %v", raw, err, full)
		}
	})
}
