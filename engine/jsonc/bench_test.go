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
			fmt.Fprintf(&b, "        \"server%d\": {\n          \"command\": \"npx\",\n          \"args\": [\"-y\", "+
				"\"@modelcontextprotocol/server-filesystem\", \"${HOME}/projects\"],\n"+
				"          \"env\": { \"TOKEN\": \"${keyring:github}\", \"LEVEL\": \"${LEVEL:-info}\" },\n          "+
				"\"startupTimeout\": 10,\n        },\n", j)
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

func BenchmarkEdit1000Servers(b *testing.B) {
	text := thousandServers()
	servers := Keys("toolboxes", "box25", "mcpServers")
	value := Parse([]byte(`{"command": "npx", "args": ["-y"]}`)).Root
	for name, edit := range map[string]func(*Editor) error{
		"set": func(e *Editor) error {
			return e.Set(servers.Member("server7").Member("command"), Parse([]byte(`"uvx"`)).Root)
		},
		"insert": func(e *Editor) error { return e.Insert(servers.Member("new"), value, Usual()) },
		"remove": func(e *Editor) error { return e.Remove(servers.Member("server7")) },
		"move": func(e *Editor) error {
			return e.Move(servers.Member("server7"), servers.Member("server7"), Position{Index: 19})
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e, err := NewEditor(text, nil)
				if err == nil {
					err = edit(e)
				}
				if err != nil || len(e.Changes()) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
