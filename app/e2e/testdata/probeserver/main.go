// Command probeserver is an MCP server with a lot to show, for TestProbe. A script for package fakeserver cannot be that long. The argument says what
// it has: "thousand" tools and 50,000 log lines, a "form" of 380 fields, or a "result" of 8 MiB.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	much := os.Args[1]
	if much == "thousand" {
		log := bufio.NewWriter(os.Stderr)
		for i := range 50_000 {
			fmt.Fprintf(log, "2026-01-02T03:04:05Z INFO line %d of what this server writes, which goes on for a while\n", i)
		}
		log.Flush()
	}
	out := json.NewEncoder(os.Stdout)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(line, &request) != nil || request.ID == nil {
			continue
		}
		var answer any = map[string]any{}
		switch request.Method {
		case "initialize":
			answer = map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": much, "version": "1"}}
		case "tools/list":
			answer = map[string]any{"tools": tools(much)}
		case "tools/call":
			text := "done"
			if much == "result" {
				text = result()
			}
			answer = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
		}
		_ = out.Encode(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": answer})
	}
}

func tools(much string) (all []any) {
	tool := func(name string, properties map[string]any) {
		all = append(all, map[string]any{"name": name, "description": "What " + name + " does, in a sentence that is not short.",
			"inputSchema": map[string]any{"type": "object", "properties": properties}})
	}
	text := map[string]any{"type": "string", "description": "What it is about"}
	switch much {
	case "thousand":
		for i := range 1000 {
			tool(fmt.Sprintf("tool-%d", i), map[string]any{"path": text, "query": text})
		}
	case "form":
		properties := map[string]any{}
		for i := range 380 {
			properties[fmt.Sprintf("field-%03d", i)] = []any{text, map[string]any{"type": "integer", "description": "A number"},
				map[string]any{"type": "boolean"}, map[string]any{"enum": []string{"one", "two", "three"}}}[i%4]
		}
		tool("form", properties)
	default:
		tool("result", map[string]any{})
	}
	return all
}

// result returns a JSON text of 8 MiB.
func result() string {
	var text strings.Builder
	text.WriteString(`{"rows": [`)
	for i := 0; text.Len() < 8<<20; i++ {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"id": %d, "name": "row %d", "tags": ["one", "two"], "place": {"x": %d, "y": 4.5}, "ok": true}`, i, i, i*7)
	}
	text.WriteString("]}")
	return text.String()
}
