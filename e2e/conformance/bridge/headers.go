package bridge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// headerMismatch is the error code for a header that contradicts the message.
const headerMismatch = -32020

// checkHeaders compares the headers of a request with its content, as version 2026-07-28 requires of servers.
// It returns what is wrong, or "". version is the one in the request's _meta.
func checkHeaders(header http.Header, m jsonrpc.Message, version string) string {
	switch shown := header.Get(versionHeader); {
	case shown == "":
		return "the header " + versionHeader + " is missing"
	case version != "" && shown != version:
		return "the header " + versionHeader + " is not the version in _meta"
	case header.Get("Mcp-Method") != m.Method:
		return "the header Mcp-Method is not the method"
	}
	key := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[m.Method]
	if name, ok := jsonrpc.String(jsonrpc.Lookup(m.Params, key)); ok && header.Get("Mcp-Name") != name {
		return "the header Mcp-Name is not the " + key
	}
	return ""
}

// mirrored is a parameter of a tool that clients also send in a header.
type mirrored struct{ parameter, header string }

// mirroredIn returns the parameters for which a tool's schema requires a header.
func mirroredIn(schema json.RawMessage) []mirrored {
	var found []mirrored
	for _, property := range jsonrpc.Split(jsonrpc.Lookup(schema, "properties")) {
		if header, ok := jsonrpc.String(jsonrpc.Lookup(property.Value, "x-mcp-header")); ok {
			found = append(found, mirrored{property.Name, "Mcp-Param-" + header})
		}
	}
	return found
}

// checkMirrored compares the headers of a call with its arguments. It returns what is wrong, or "".
func checkMirrored(header http.Header, arguments json.RawMessage, parameters []mirrored) string {
	for _, p := range parameters {
		value := jsonrpc.Lookup(arguments, p.parameter)
		if value == nil || string(value) == "null" {
			continue
		}
		want, ok := jsonrpc.String(value)
		if !ok {
			want = string(value)
		}
		if shown, ok := unwrap(header.Get(p.header)); !ok || shown != want {
			return "the header " + p.header + " is not the argument " + p.parameter
		}
	}
	return ""
}

// unwrap decodes the value of a header. It is in base64 if it would not be valid otherwise.
func unwrap(value string) (string, bool) {
	text, wrapped := strings.CutPrefix(value, "=?base64?")
	if text, ok := strings.CutSuffix(text, "?="); wrapped && ok {
		raw, err := base64.StdEncoding.DecodeString(text)
		return string(raw), err == nil
	}
	return value, true
}
