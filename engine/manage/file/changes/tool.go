package changes

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// maxToolLines is how many lines of one text of a tool are shown.
const maxToolLines = 4_000

// Tool returns the definition of a tool for people: the members that count, sorted by name, long texts broken
// into lines of at most width letters, and invisible characters escaped.
func Tool(definition json.RawMessage, width int) string {
	var lines []string
	for _, name := range []string{"name", "title", "description", "annotations", "inputSchema", "outputSchema"} {
		value := jsonrpc.Lookup(definition, name)
		if value == nil {
			continue
		}
		lines = append(lines, name+":")
		text, ok := jsonrpc.String(value)
		if !ok {
			text = sorted(value)
		}
		for line := range strings.SplitSeq(text, "\n") {
			rest := strings.TrimLeft(line, " ")
			indent := "  " + line[:min(len(line)-len(rest), width/2)]
			lines = append(lines, wrap(visible.Map(rest, visible.Escape), indent, width)...)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// sorted returns a JSON value on several lines, with its members sorted by name.
func sorted(value json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var read any
	if decoder.Decode(&read) != nil {
		return string(value)
	}
	text, err := jsonc.MarshalLines(read)
	if err != nil {
		return string(value)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// wrap breaks a line between words, and inside words that are too long. Each line gets the indent.
func wrap(line, indent string, width int) []string {
	room := max(8, width-len(indent))
	var lines []string
	rest := []rune(line)
	for len(rest) > room && len(lines) < maxToolLines {
		at := room
		for i := room; i > room/2; i-- {
			if rest[i] == ' ' {
				at = i
				break
			}
		}
		lines = append(lines, indent+string(rest[:at]))
		if rest = rest[at:]; rest[0] == ' ' {
			rest = rest[1:]
		}
	}
	return append(lines, indent+string(rest))
}
