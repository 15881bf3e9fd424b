package consent

import (
	"bytes"
	"encoding/json"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

const indent = "    "

// readable returns arguments as text: each name, and its value indented below it, so that no value can look like another argument. Strings are shown
// with their own line breaks; everything else is JSON.
func readable(arguments json.RawMessage) string {
	members, err := jsonrpc.Members(arguments)
	switch {
	case len(arguments) == 0 || err == nil && len(members) == 0:
		return lang.L("No arguments.")
	case err != nil:
		return value(arguments)
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = visible.Map(m.Name, visible.Escape) + "\n" + indent + strings.ReplaceAll(value(m.Value), "\n", "\n"+indent)
	}
	return strings.Join(parts, "\n")
}

// value returns a value as text.
func value(raw json.RawMessage) string {
	if text, ok := jsonrpc.String(raw); ok && strings.TrimSpace(text) != "" {
		return visible.Escaped(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	var out bytes.Buffer
	if json.Indent(&out, raw, "", indent) != nil {
		return visible.Escaped(string(raw))
	}
	return visible.Escaped(out.String())
}
