package jsonrpc_test

import (
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestWholeCharacters: halves of characters are replaced, and nothing else is.
func TestWholeCharacters(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"x"}`:               `{"a":"x"}`,
		`"\ud83d\ude00 \\ud83d"`:  `"\ud83d\ude00 \\ud83d"`,
		`"\uD83D"`:                `"\ufffd"`,
		`"\ude00\ud83d"`:          `"\ufffd\ufffd"`,
		`"\ud83d\ud83d\ude00"`:    `"\ufffd\ud83d\ude00"`,
		`{"\ud800":"\\\ud800\n"}`: `{"\ufffd":"\\\ufffd\n"}`,
		`"\ud8`:                   `"\ud8`,
	} {
		if got := jsonrpc.WholeCharacters([]byte(in)); string(got) != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func FuzzWholeCharacters(f *testing.F) {
	f.Add([]byte(`["\ud83d\ude00","\\\udead\u00e4"]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := jsonrpc.WholeCharacters(data)
		if len(got) != len(data) || json.Valid(data) != json.Valid(got) {
			t.Errorf("%q became %q", data, got)
		}
	})
}
