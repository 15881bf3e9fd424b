package downstream

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The modern era requires HTTP headers that repeat parts of a request: the method, the name of the tool or other item,
// and the arguments that the tool's schema marks with x-mcp-header (2026-07-28, "Request Metadata").

// mirrorMark is the member of a schema that marks an argument. Its value is the name of the header.
const mirrorMark = "x-mcp-header"

// binding is an argument that is also sent as a header.
type binding struct {
	path   []string // of the argument in the arguments
	header string   // the full name of the header
}

// modernVersion returns the protocol version in a message of ours, or "" in the older era.
func modernVersion(message jsonrpc.Message) string {
	if !message.HasMethod {
		return ""
	}
	version, _ := jsonrpc.String(jsonrpc.Lookup(jsonrpc.Lookup(message.Params, "_meta"), mcp.MetaKeyProtocolVersion))
	return version
}

// headerValue returns an argument as the value of a header. It reports false for values other than strings, booleans
// and integers.
func headerValue(argument json.RawMessage) (string, bool) {
	if text, ok := jsonrpc.String(argument); ok {
		return mcp.EncodeHeaderValue(text)
	}
	switch string(argument) {
	case "true", "false":
		return string(argument), true
	}
	number, err := strconv.ParseFloat(string(argument), 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) >= 1<<53 {
		return "", false
	}
	return strconv.FormatInt(int64(number), 10), true
}

// bindings returns the arguments that a schema marks. If a mark is invalid, the tool must not be offered.
func bindings(schema json.RawMessage) ([]binding, error) {
	if !bytes.Contains(schema, []byte(mirrorMark)) {
		return nil, nil
	}
	b := binder{headers: map[string]bool{}}
	err := b.walk(schema, nil, true)
	return b.found, err
}

// binder collects the bindings of a schema.
type binder struct {
	found   []binding
	headers map[string]bool // names of headers in lower case
}

// walk searches a schema. path is the path of the value that it describes. reachable is false below keywords other
// than "properties", where marks are not allowed.
func (b *binder) walk(schema json.RawMessage, path []string, reachable bool) error {
	for _, member := range jsonrpc.Split(schema) {
		var err error
		switch member.Name {
		case mirrorMark:
			err = b.mark(schema, member.Value, path, reachable)
		case "properties":
			for _, property := range jsonrpc.Split(member.Value) {
				if err == nil {
					err = b.walk(property.Value, append(slices.Clip(path), property.Name), reachable)
				}
			}
		case "patternProperties", "$defs", "definitions", "dependentSchemas":
			for _, one := range jsonrpc.Split(member.Value) {
				if err == nil {
					err = b.walk(one.Value, path, false)
				}
			}
		case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "additionalProperties",
			"unevaluatedProperties",
			"propertyNames", "oneOf", "anyOf", "allOf", "not", "if", "then", "else":
			if len(member.Value) > 0 && member.Value[0] == '[' {
				elements, _ := jsonrpc.Elements(member.Value)
				for _, one := range elements {
					if err == nil {
						err = b.walk(one, path, false)
					}
				}
			} else {
				err = b.walk(member.Value, path, false)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mark adds the binding for one mark.
func (b *binder) mark(schema, value json.RawMessage, path []string, reachable bool) error {
	name, ok := jsonrpc.String(value)
	where := strings.Join(path, ".")
	switch {
	case len(path) == 0 || !reachable:
		return words.NewError("downstream.header_misplaced", "Mark", mirrorMark)
	case !ok || name == "" || strings.ContainsFunc(name, notToken):
		return words.NewError("downstream.header_name", "Mark", mirrorMark, "Property", where)
	case !isPrimitive(jsonrpc.Lookup(schema, "type")):
		return words.NewError("downstream.header_type", "Mark", mirrorMark, "Property", where)
	case b.headers[strings.ToLower(name)]:
		return words.NewError("downstream.header_twice", "Mark", mirrorMark, "Name", name)
	}
	b.headers[strings.ToLower(name)] = true
	b.found = append(b.found, binding{path, mcp.HeaderParamPrefix + name})
	return nil
}

// isPrimitive reports whether values of a type, or of each of several types, can be sent as a header. Null is allowed,
// and not sent.
func isPrimitive(kind json.RawMessage) bool {
	kinds := []json.RawMessage{kind}
	if len(kind) > 0 && kind[0] == '[' {
		kinds, _ = jsonrpc.Elements(kind)
	}
	primitive := false
	for _, one := range kinds {
		switch name, _ := jsonrpc.String(one); name {
		case "string", "integer", "boolean":
			primitive = true
		case "null":
		default:
			return false
		}
	}
	return primitive
}

// notToken reports whether a character is invalid in the name of a header (RFC 9110, section 5.1).
func notToken(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') &&
		!strings.ContainsRune("!#$%&'*+-.^_`|~", c)
}
