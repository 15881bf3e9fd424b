package jsonc

import (
	"strconv"
	"strings"
)

// Path is the path to a value, as names of members and indexes of elements.
type Path []Step

// Step is one step of a path: the key of a member, or the index of an element.
type Step struct {
	Key   string
	Index int // of an element, from 0; -1 for a member
}

func (s Step) isKey() bool { return s.Index < 0 }

// Keys returns the path through members with these names.
func Keys(names ...string) Path {
	path := make(Path, len(names))
	for i, name := range names {
		path[i] = Step{name, -1}
	}
	return path
}

// Member returns the path to a member of the value at p. It does not change p.
func (p Path) Member(key string) Path { return append(p[:len(p):len(p)], Step{key, -1}) }

// Element returns the path to an element of the value at p. It does not change p.
func (p Path) Element(index int) Path { return append(p[:len(p):len(p)], Step{"", index}) }

// Parent returns the path without its last step. p must not be empty.
func (p Path) Parent() Path { return p[: len(p)-1 : len(p)-1] }

// Last returns the last step. p must not be empty.
func (p Path) Last() Step { return p[len(p)-1] }

// Key returns the name of the innermost member on the path, or "".
func (p Path) Key() string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].isKey() {
			return p[i].Key
		}
	}
	return ""
}

// String returns a path for people: toolboxes.dev["my server"].args[0].
func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case !s.isKey():
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case !PlainKey(s.Key):
			b.WriteString("[" + strconv.Quote(s.Key) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Key)
		}
	}
	return b.String()
}

// PlainKey reports whether a name needs no quotes in a path.
func PlainKey(key string) bool {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '-') {
			return false
		}
	}
	return key != ""
}

// id returns a text that identifies the path. The id of a path begins with the ids of all its parents.
func (p Path) id() string {
	var b strings.Builder
	for _, s := range p {
		if s.isKey() {
			b.WriteString(Quote(s.Key))
		} else {
			b.WriteString(strconv.Itoa(s.Index))
		}
		b.WriteByte('/')
	}
	return b.String()
}
