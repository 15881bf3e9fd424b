package bridge

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// list is a kind of list in which the engine changes the names.
type list struct {
	member string // the member of the result
	kind   string
}

func lists() map[string]list {
	return map[string]list{"tools/list": {"tools", "tool"}, "prompts/list": {"prompts", "prompt"}}
}

// origin is the beginning of the members of _meta in which the engine says where something comes from.
const origin = "workbench/"

// names translates between the servers' names of tools and prompts and the engine's names.
type names struct {
	direct bool   // there is no engine, so names are not changed
	prefix string // the beginning of the engine's names, unless a name had to be cut

	mu      sync.Mutex
	engine  map[[2]string]string // the engine's name, by kind and the server's name
	schemas map[string]json.RawMessage
}

func newNames(direct bool, prefix string) *names {
	return &names{direct: direct, prefix: prefix, engine: map[[2]string]string{}, schemas: map[string]json.RawMessage{}}
}

// mirrored returns the parameters of the called tool that clients also send in headers.
func (n *names) mirrored(params json.RawMessage) []mirrored {
	name, _ := jsonrpc.String(jsonrpc.Lookup(params, "name"))
	n.mu.Lock()
	defer n.mu.Unlock()
	return mirroredIn(n.schemas[name])
}

// show returns a result in which the elements have the names that their server gave them, without the
// engine's own elements. It remembers these names.
func (n *names) show(l list, result json.RawMessage) json.RawMessage {
	elements, err := jsonrpc.Elements(jsonrpc.Lookup(result, l.member))
	if err != nil {
		return result
	}
	shown := []byte{'['}
	for _, element := range elements {
		plain := n.plain(l.kind, element)
		if plain == nil {
			continue
		}
		if len(shown) > 1 {
			shown = append(shown, ',')
		}
		shown = append(shown, plain...)
	}
	return with(result, l.member, append(shown, ']'))
}

// plain returns an element as its server sent it, or nil if it is the engine's own.
func (n *names) plain(kind string, element json.RawMessage) json.RawMessage {
	var name json.RawMessage
	var others []jsonrpc.Member // of the element's _meta
	for _, m := range jsonrpc.Split(jsonrpc.Lookup(element, "_meta")) {
		if m.Name == origin+kind {
			name = jsonrpc.Lookup(m.Value, kind)
		} else {
			others = append(others, m)
		}
	}
	given, _ := jsonrpc.String(jsonrpc.Lookup(element, "name"))
	if n.direct {
		name = jsonrpc.AppendString(nil, given)
	} else if kind == "prompt" { // prompts have no origin; their names are short enough not to be cut
		name = jsonrpc.AppendString(nil, strings.TrimPrefix(given, n.prefix))
	}
	original, ok := jsonrpc.String(name)
	if !ok {
		return nil
	}
	n.mu.Lock()
	n.engine[[2]string{kind, original}] = given
	if kind == "tool" {
		n.schemas[original] = jsonrpc.Lookup(element, "inputSchema")
	}
	n.mu.Unlock()
	if n.direct {
		return element
	}
	element = with(element, "name", name)
	if description, ok := jsonrpc.String(jsonrpc.Lookup(element, "description")); ok &&
		strings.HasPrefix(description, "[") {
		_, description, _ = strings.Cut(description, "] ")
		element = with(element, "description", jsonrpc.AppendString(nil, description))
	}
	if len(others) == 0 {
		return without(element, "_meta")
	}
	return with(element, "_meta", jsonrpc.AppendObject(nil, others))
}

// hide returns the params of a request with the engine's names instead of the server's.
func (n *names) hide(method string, params json.RawMessage) json.RawMessage {
	switch method {
	case "tools/call":
		return n.rename("tool", params)
	case "prompts/get":
		return n.rename("prompt", params)
	case "completion/complete":
		if ref := jsonrpc.Lookup(params, "ref"); string(jsonrpc.Lookup(ref, "type")) == `"ref/prompt"` {
			return with(params, "ref", n.rename("prompt", ref))
		}
	}
	return params
}

// rename replaces the server's name in an object by the engine's. Unknown names stay.
func (n *names) rename(kind string, object json.RawMessage) json.RawMessage {
	name, _ := jsonrpc.String(jsonrpc.Lookup(object, "name"))
	n.mu.Lock()
	given, ok := n.engine[[2]string{kind, name}]
	n.mu.Unlock()
	if !ok {
		return object
	}
	return with(object, "name", jsonrpc.AppendString(nil, given))
}

// with returns an object with one member set: at its old place if it existed, else at the end.
func with(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(object)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return jsonrpc.AppendObject(nil, members)
		}
	}
	return jsonrpc.AppendObject(nil, append(members, jsonrpc.Member{Name: name, Value: value}))
}

// without returns an object without one member.
func without(object json.RawMessage, name string) json.RawMessage {
	var kept []jsonrpc.Member
	for _, m := range jsonrpc.Split(object) {
		if m.Name != name {
			kept = append(kept, m)
		}
	}
	return jsonrpc.AppendObject(nil, kept)
}
