package jsonc

import (
	"fmt"
	"strings"
	"testing"
)

func thousandServers() []byte {
	var b strings.Builder
	b.WriteString("{\n  // many servers\n  \"toolboxes\": {\n")
	for i := range 50 {
		fmt.Fprintf(&b, "    \"box%d\": {\n      \"description\": \"Some tools\",\n      \"mcpServers\": {\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "        \"server%d\": {\n          \"command\": \"npx\",\n          \"args\": [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"${HOME}/projects\"],\n"+
				"          \"env\": { \"TOKEN\": \"${keyring:github}\", \"LEVEL\": \"${LEVEL:-info}\" },\n          \"startupTimeout\": 10,\n        },\n", j)
		}
		b.WriteString("      },\n    },\n")
	}
	b.WriteString("  },\n}\n")
	return []byte(b.String())
}

func BenchmarkParse1000Servers(b *testing.B) {
	text := thousandServers()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if d := Parse(text); len(d.Errors) > 0 {
			b.Fatal(d.Errors)
		}
	}
}
