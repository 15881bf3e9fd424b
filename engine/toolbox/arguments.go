package toolbox

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// maxDepth is the deepest nesting of arguments that are shown.
const maxDepth = 32

// maskArguments returns arguments as JSON for people, at most [status.MaxArguments] bytes. It masks what mask does and
// what looks like a secret. cut means that raw is only the beginning of the arguments.
func maskArguments(raw []byte, cut bool, mask func(string) string) string {
	switch {
	case len(raw) == 0 && !cut:
		return ""
	case cut || !json.Valid(raw):
		return downstream.Clean(secret.Mask(mask(string(raw)))+"…", status.MaxArguments) // it cannot be parsed
	default:
		return downstream.Clean(string(appendMasked(nil, "", jsonrpc.MapStrings(raw, mask), 0)), status.MaxArguments)
	}
}

// namedIn returns "API_TOKEN" for the members of {"name": "API_TOKEN", "value": "…"}, and "" for other objects.
func namedIn(members []jsonrpc.Member) string {
	for _, m := range members {
		if m.Name == "name" || m.Name == "key" {
			if text, ok := jsonrpc.String(m.Value); ok && secret.Key(text) {
				return text
			}
		}
	}
	return ""
}

// appendMasked appends value with its secrets masked. name is the name of the member that has the value, or "".
func appendMasked(dst []byte, name string, value json.RawMessage, depth int) []byte {
	value = bytes.TrimSpace(value)
	switch {
	case depth > maxDepth:
		return append(dst, `"…"`...)
	case len(value) == 0:
		return append(dst, "null"...)
	case value[0] == '{':
		members, err := jsonrpc.Members(value)
		if err != nil {
			return append(dst, `"…"`...)
		}
		named := namedIn(members)
		for i := range members {
			under := members[i].Name
			switch {
			case secret.Key(name) && !secret.Key(under):
				under = name // everything in a secret is secret
			case named != "" && under == "value":
				under = named
			}
			members[i].Value = appendMasked(nil, under, members[i].Value, depth+1)
		}
		return jsonrpc.AppendObject(dst, members)
	case value[0] == '[':
		elements, err := jsonrpc.Elements(value)
		if err != nil {
			return append(dst, `"…"`...)
		}
		dst = append(dst, '[')
		under := name
		for i, element := range elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendMasked(dst, under, element, depth+1)
			under = name
			text, ok := jsonrpc.String(element)
			names := strings.HasPrefix(text, "-") || len(elements) == 2
			if ok && names && !strings.Contains(text, "=") && secret.Key(text) {
				under = text // ["--password", "…"], ["Authorization", "…"]
			}
		}
		return append(dst, ']')
	case value[0] == '"':
		text, ok := jsonrpc.String(value)
		switch {
		case !ok:
			return append(dst, `"…"`...)
		case name != "" && secret.Pair(name, text):
			return jsonrpc.AppendString(dst, secret.Masked)
		default:
			return jsonrpc.AppendString(dst, secret.Mask(text))
		}
	case name != "" && secret.Pair(name, string(value)): // a number can be a password too
		return jsonrpc.AppendString(dst, secret.Masked)
	default:
		return append(dst, value...)
	}
}
