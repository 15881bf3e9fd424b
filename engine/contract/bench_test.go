package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkCompile measures the cost of the first use of each schema. The first two are needed between a
// client's initialize and the answer.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"initialize.request", "initialize.response", "tool.definition", "resource.definition",
		"error.envelope"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(name)
			}
		})
	}
}

// BenchmarkValidateTool measures what is done once for every tool of every server that is opened.
func BenchmarkValidateTool(b *testing.B) {
	properties := make([]string, 40)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"member_%d":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","description":"What the member is for."}}}}`, i)
	}
	for _, bench := range []struct{ name, raw string }{
		{"small", `{"name":"echo","description":"Echoes back the input string","inputSchema":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}`},
		{"5KiB", `{"name":"large","inputSchema":{"type":"object","properties":{` + strings.Join(properties, ",") + `}}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := ValidateTool(json.RawMessage(bench.raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
