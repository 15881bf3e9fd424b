package config

import "github.com/tailscale/hujson"

// Span is where the entry of a server stands in the Source of a document.
type Span struct {
	Name       int // where its name begins
	Start, End int // the entry itself
}

// ServerSpan finds the entry of a server without reading the file again. It is not ok when the file has syntax errors, when it has
// no such entry, or when something on the way to it is no object or has a name twice.
func (d *Document) ServerSpan(toolbox, server string) (_ Span, ok bool) {
	if d.tree == nil {
		return Span{}, false
	}
	shift := len(d.Source) - len(withoutMark(d.Source))
	value, name := d.tree, 0
	for _, key := range []string{"toolboxes", toolbox, "mcpServers", server} {
		object, isObject := value.Value.(*hujson.Object)
		if !isObject {
			return Span{}, false
		}
		value = nil
		seen := make(map[string]bool, len(object.Members))
		for i := range object.Members {
			member := &object.Members[i]
			is := decode(member.Name.Value.(hujson.Literal))
			if seen[is] {
				return Span{}, false
			}
			seen[is] = true
			if is == key {
				value, name = &member.Value, member.Name.StartOffset
			}
		}
		if value == nil {
			return Span{}, false
		}
	}
	return Span{shift + name, shift + value.StartOffset, shift + value.EndOffset}, true
}
