package jsonc

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kind is the kind of a value.
type Kind byte

// The kinds of values. Invalid is a word that is no value, or a missing value.
const (
	Invalid Kind = 0
	Object  Kind = '{'
	Array   Kind = '['
	String  Kind = '"'
	Number  Kind = '0'
	True    Kind = 't'
	False   Kind = 'f'
	Null    Kind = 'n'
)

// Span is a part of a text, as offsets in bytes.
type Span struct{ Start, End int }

// Node is a value in a text and, in an object, its name. Its places are offsets in bytes.
type Node struct {
	Kind     Kind
	Span            // of the value
	Name     Span   // of the name with its quotes; empty if it has none
	Key      string // the decoded name
	Children []*Node

	doc   *Document
	gap   int // where the white space and comments before it begin: after the bracket or comma
	comma int // the offset of the comma after it, or -1
}

// Is reports whether there is a node and it is of a kind.
func (n *Node) Is(kind Kind) bool { return n != nil && n.Kind == kind }

// Raw returns the value as it is written.
func (n *Node) Raw() string { return n.doc.text[n.Start:n.End] }

// Str returns the decoded text of a string, and "" for any other kind.
func (n *Node) Str() string {
	if !n.Is(String) {
		return ""
	}
	return Unquote(n.Raw())
}

// Comma returns the offset of the comma after the node. ok is false if there is none.
func (n *Node) Comma() (at int, ok bool) { return n.comma, n.comma >= 0 }

// First returns where the node begins, including its name.
func (n *Node) First() int {
	if n.Name.End > 0 {
		return n.Name.Start
	}
	return n.Start
}

// Member returns the first member with a key, or nil.
func (n *Node) Member(key string) *Node {
	if !n.Is(Object) {
		return nil
	}
	for _, kid := range n.Children {
		if kid.Key == key {
			return kid
		}
	}
	return nil
}

// LastMember returns the last member with a key, which is the one that counts for most programs, or nil.
func (n *Node) LastMember(key string) *Node {
	if !n.Is(Object) {
		return nil
	}
	for _, kid := range slices.Backward(n.Children) {
		if kid.Key == key {
			return kid
		}
	}
	return nil
}

// Keys returns the names of an object's members in their order.
func (n *Node) Keys() []string {
	if !n.Is(Object) {
		return nil
	}
	keys := make([]string, len(n.Children))
	for i, kid := range n.Children {
		keys[i] = kid.Key
	}
	return keys
}

// Repeated returns the first member whose key an earlier member already has, or nil.
func (n *Node) Repeated() *Node {
	if !n.Is(Object) {
		return nil
	}
	if len(n.Children) <= 8 {
		for i, kid := range n.Children {
			if n.index(kid.Key) != i {
				return kid
			}
		}
		return nil
	}
	seen := make(map[string]bool, len(n.Children))
	for _, kid := range n.Children {
		if seen[kid.Key] {
			return kid
		}
		seen[kid.Key] = true
	}
	return nil
}

// At returns the value at a path from n, or nil.
func (n *Node) At(path Path) *Node {
	for _, step := range path {
		switch {
		case n == nil:
			return nil
		case step.isKey():
			n = n.Member(step.Key)
		case n.Kind == Array && step.Index < len(n.Children):
			n = n.Children[step.Index]
		default:
			return nil
		}
	}
	return n
}

// Equal reports whether two values are equal. The order of members does not matter; the spelling of numbers
// does.
func Equal(a, b *Node) bool { return equal(a, b, false) }

// identical is like Equal, but the order of members matters too.
func identical(a, b *Node) bool { return equal(a, b, true) }

func equal(a, b *Node, ordered bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Children) != len(b.Children) {
		return false
	}
	switch {
	case a.Kind == String:
		return a.Str() == b.Str()
	case a.Kind == Object && !ordered:
		others := make(map[string]*Node, len(b.Children))
		for _, kid := range b.Children {
			others[kid.Key] = kid
		}
		for _, kid := range a.Children {
			if other := others[kid.Key]; other == nil || !equal(kid, other, ordered) {
				return false
			}
		}
		return len(others) == len(b.Children)
	case a.Kind == Object, a.Kind == Array:
		return slices.EqualFunc(a.Children, b.Children, func(a, b *Node) bool {
			return a.Key == b.Key && equal(a, b, ordered)
		})
	}
	return a.Raw() == b.Raw()
}

// Value returns the value in the types of encoding/json: map[string]any, []any, string, [json.Number], bool
// or nil. If two members have the same name, the last one counts.
func (n *Node) Value() any {
	switch n.Kind {
	case Object:
		m := make(map[string]any, len(n.Children))
		for _, kid := range n.Children {
			m[kid.Key] = kid.Value()
		}
		return m
	case Array:
		list := make([]any, len(n.Children))
		for i, kid := range n.Children {
			list[i] = kid.Value()
		}
		return list
	case String:
		return n.Str()
	case Number:
		return json.Number(n.Raw())
	case True, False:
		return n.Kind == True
	}
	return nil
}

// Compact returns the value as JSON on one line, without white space and comments.
func (n *Node) Compact() string {
	line := style{colon: ":", oneLine: true}
	return line.print(n, nil, "", "", false)
}

// index returns the index of the child with a key, or -1.
func (n *Node) index(key string) int {
	return slices.IndexFunc(n.Children, func(kid *Node) bool { return kid.Key == key })
}

// repeats reports whether two members have the key.
func (n *Node) repeats(key string) bool {
	first := n.index(key)
	return first >= 0 && slices.ContainsFunc(n.Children[first+1:], func(kid *Node) bool { return kid.Key == key })
}

// last returns where the node ends, including its comma.
func (n *Node) last() int {
	if n.comma >= 0 {
		return n.comma + 1
	}
	return n.End
}

// close returns the offset of the closing bracket.
func (n *Node) close() int { return n.End - 1 }

// shift moves all places in n and its descendants that are at or after from.
func (n *Node) shift(from, by int) {
	for _, place := range []*int{&n.Start, &n.End, &n.Name.Start, &n.Name.End, &n.gap, &n.comma} {
		if *place >= from {
			*place += by
		}
	}
	for _, kid := range slices.Backward(n.Children) {
		if kid.last() < from {
			return
		}
		kid.shift(from, by)
	}
}

// Unquote decodes a JSON string as far as possible. The closing quote may be missing.
func Unquote(literal string) string {
	if strings.IndexByte(literal, '\\') < 0 {
		return strings.TrimSuffix(literal[1:], `"`)
	}
	var s string
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		return strings.TrimSuffix(literal[1:], `"`)
	}
	return s
}
