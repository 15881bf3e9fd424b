package jsonc

import (
	"bytes"
	"encoding/json"
)

// Marshal is [json.Marshal] that leaves <, > and & as they are, since people read what it writes.
func Marshal(value any) ([]byte, error) {
	text, err := encode(value, "")
	return bytes.TrimSuffix(text, []byte{'\n'}), err
}

// MarshalLines is [Marshal] over several lines, indented by two spaces. The last line ends too.
func MarshalLines(value any) ([]byte, error) { return encode(value, "  ") }

func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return b.Bytes(), err
}

// Value is [Marshal] for what can always be written: strings, numbers, bools, and lists and structures of these. Anything else becomes null.
func Value(value any) json.RawMessage {
	text, err := Marshal(value)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// Quote writes a string as JSON, with as few escapes as may be.
func Quote(s string) string { return string(Value(s)) }
