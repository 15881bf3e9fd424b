package bridge

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// list is a list whose elements have names that the engine changes.
type list struct {
	member string // of the result
	kind   string
}

func lists() map[string]list {
	return map[string]list{"tools/list": {"tools", "tool"}, "prompts/list": {"prompts", "prompt"}}
}

// origin is the member of _meta in which the engine says where something comes from.
const origin = "workbench/"

// names knows what servers call their tools and prompts, and what the engine calls them.
type names struct {
	direct bool   // there is no engine, and names are what they are
	prefix string // that the engine gives names that need not be cut

	mu      sync.Mutex
	engine  map[[2]string]string // by kind and the server's name
	schemas map[string]json.RawMessage
}

func newNames(direct bool, prefix string) *names {
	return &names{direct: direct, prefix: prefix, engine: map[[2]string]string{}, schemas: map[string]json.RawMessage{}}
}

// mirrored returns the parameters of the tool that a call is of which clients send in headers too.
func (n *names) mirrored(params json.RawMessage) []mirrored {
	name, _ := jsonrpc.String(jsonrpc.Lookup(params, "name"))
	n.mu.Lock()
	defer n.mu.Unlock()
	return mirroredIn(n.schemas[name])
}

// show gives the elements of a result the names that their server gave them, remembers those, and leaves out what is the engine's own.
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

// plain returns an element as its server sent it, or nil for the engine's own.
func (n *names) plain(kind string, element json.RawMessage) json.RawMessage {
	var name json.RawMessage
	var others []jsonrpc.Member // of its _meta
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
	} else if kind == "prompt" { // they have no origin; their names are short enough to be whole
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
	if description, ok := jsonrpc.String(jsonrpc.Lookup(element, "description")); ok && strings.HasPrefix(description, "[") {
		_, description, _ = strings.Cut(description, "] ")
		element = with(element, "description", jsonrpc.AppendString(nil, description))
	}
	if len(others) == 0 {
		return without(element, "_meta")
	}
	return with(element, "_meta", jsonrpc.AppendObject(nil, others))
}

// hide gives the params of a request the engine's name of what they are about.
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

// rename replaces the server's name in an object; a name that is not known stays.
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

// with returns an object with one member set: in its place where it was, else at the end.
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
