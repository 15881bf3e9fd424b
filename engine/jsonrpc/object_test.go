package jsonrpc

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestObject(t *testing.T) {
	for _, members := range [][]Member{nil, {{Name: `a"b`, Value: json.RawMessage(`1`)}},
		{{Name: "a", Value: json.RawMessage(`[1, 2]`)}, {Name: "é", Value: json.RawMessage(`{}`)}}} {
		if parts, whole := bytes.Join(Object(members), nil), AppendObject(nil, members); !bytes.Equal(parts, whole) {
			t.Errorf("%s and not %s", parts, whole)
		}
	}
}
