package jsonc

import (
	"bytes"
	"encoding/json"
)

// Marshal is like [json.Marshal] but does not escape <, > and &, since people read its output.
func Marshal(value any) ([]byte, error) {
	text, err := encode(value, "")
	return bytes.TrimSuffix(text, []byte{'\n'}), err
}

// MarshalLines is like [Marshal] with several lines, indented by two spaces, and a line end at the end.
func MarshalLines(value any) ([]byte, error) { return encode(value, "  ") }

func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return b.Bytes(), err
}

// Value is [Marshal] for values that can always be written: strings, numbers, bools, and lists and structs of
// these. Any other value becomes null.
func Value(value any) json.RawMessage {
	text, err := Marshal(value)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// Quote returns a string as JSON with as few escapes as possible.
func Quote(s string) string { return string(Value(s)) }
