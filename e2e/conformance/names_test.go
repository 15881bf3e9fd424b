package conformance

import (
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// prefix is the beginning of the engine's names of tools and prompts.
const prefix = onlyToolbox + "__" + onlyServer + "__"

// origin is the beginning of the members of _meta in which the engine says where something comes from.
const origin = "workbench/"

// cut has the engine's names of tools that are too long to have the prefix and the whole name, by the server's name.
type cut map[string]string

// given returns the engine's name of a tool or a prompt.
func (c cut) given(name string) string {
	if given, ok := c[name]; ok {
		return given
	}
	return prefix + name
}

// hide returns a request with the engine's names instead of the server's.
func (c cut) hide(body []byte) []byte {
	m, err := jsonrpc.Parse(body)
	if err != nil {
		return body
	}
	params := m.Params
	switch m.Method {
	case "tools/call", "prompts/get":
		params = renamed(params, c.given)
	case "completion/complete":
		if ref := jsonrpc.Lookup(params, "ref"); string(jsonrpc.Lookup(ref, "type")) == `"ref/prompt"` {
			params = with(params, "ref", renamed(ref, c.given))
		}
	default:
		return body
	}
	return with(body, "params", params)
}

// show returns an answer in which tools and prompts have the names that their server gave them, without the engine's
// own. What is after the message stays.
func show(line []byte) []byte {
	message := []byte(strings.TrimRight(string(line), "\r\n"))
	m, err := jsonrpc.Parse(message)
	if err != nil || m.Result == nil {
		return line
	}
	result := m.Result
	for _, kind := range []string{"tools", "prompts"} {
		elements, err := jsonrpc.Elements(jsonrpc.Lookup(result, kind))
		if err != nil {
			continue
		}
		shown := []json.RawMessage{}
		for _, element := range elements {
			if strings.HasPrefix(nameIn(element), onlyToolbox+"__") {
				shown = append(shown, plain(element))
			}
		}
		result = with(result, kind, jsonrpc.AppendArray(nil, shown, jsonrpc.AppendValue))
	}
	return append(with(message, "result", result), line[len(message):]...)
}

// plain returns a tool or a prompt as its server sent it.
func plain(element json.RawMessage) json.RawMessage {
	element = renamed(element, func(string) string { return ownName(element) })
	if description, ok := jsonrpc.String(jsonrpc.Lookup(element, "description")); ok &&
		strings.HasPrefix(description, "[") {
		_, description, _ = strings.Cut(description, "] ")
		element = with(element, "description", jsonrpc.AppendString(nil, description))
	}
	var members, others []jsonrpc.Member
	for _, m := range jsonrpc.Split(jsonrpc.Lookup(element, "_meta")) {
		if !strings.HasPrefix(m.Name, origin) {
			others = append(others, m)
		}
	}
	for _, m := range jsonrpc.Split(element) {
		if m.Name != "_meta" {
			members = append(members, m)
		}
	}
	if len(others) > 0 {
		members = append(members, jsonrpc.Member{Name: "_meta", Value: jsonrpc.AppendObject(nil, others)})
	}
	return jsonrpc.AppendObject(nil, members)
}

// ownName returns the name that its server gave to a tool or a prompt.
func ownName(element json.RawMessage) string {
	meta := jsonrpc.Lookup(jsonrpc.Lookup(element, "_meta"), origin+"tool")
	if own, ok := jsonrpc.String(jsonrpc.Lookup(meta, "tool")); ok {
		return own
	}
	return strings.TrimPrefix(nameIn(element), prefix)
}

// nameIn returns the name of an object, or "".
func nameIn(object json.RawMessage) string {
	name, _ := jsonrpc.String(jsonrpc.Lookup(object, "name"))
	return name
}

// renamed returns an object with another name.
func renamed(object json.RawMessage, change func(string) string) json.RawMessage {
	name, ok := jsonrpc.String(jsonrpc.Lookup(object, "name"))
	if !ok {
		return object
	}
	return with(object, "name", jsonrpc.AppendString(nil, change(name)))
}

// with returns an object with one member set.
func with(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(object), name, value))
}
